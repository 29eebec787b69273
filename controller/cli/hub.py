"""`vrhcab hub`: many boards on one wall; who may send to it; and a demo of all of it on one machine."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from controller.cli.leaving import stop_on_signals
from controller.cli.sentences import print_sentence

if TYPE_CHECKING:
    from controller.hub.people import Register

NEEDED = "The hub needs libraries that a board does without: pip install 'vrhcab[hub]'"


@click.group("hub", invoke_without_command=True)
@click.option(
    "--config", type=click.Path(path_type=Path), help="TOML file with the hub's settings; docs/hub.md lists them."
)
@click.pass_context
def hub_group(ctx: click.Context, config: Path | None) -> None:
    """Take in the journals of many boards, and show all of them on one wall (Mosquitto and PostgreSQL)."""
    ctx.obj = config
    if ctx.invoked_subcommand is not None:
        return
    stop = stop_on_signals()
    try:
        from controller.hub.program import run_hub
        from controller.hub.settings import load_hub_settings
    except ModuleNotFoundError as error:
        raise click.ClickException(NEEDED) from error
    run_hub(load_hub_settings(config), stop, print_sentence)


@hub_group.command("add-board")
@click.argument("name")
@click.option("--again", is_flag=True, help="It has a password already, which shall hold no longer.")
@click.option("--address", default="hub.local", show_default=True, help="Where the boards find the broker.")
@click.pass_obj
def add_board(config: Path | None, name: str, again: bool, address: str) -> None:
    """Give the board NAME a password, and print what to write into its settings."""
    from controller.hub.passwords import BrokerFiles
    from controller.hub.settings import load_hub_settings

    broker = load_hub_settings(config).broker
    password = BrokerFiles(Path(broker.passwords), Path(broker.rights)).add(name, replace=again)
    if name == broker.name:
        click.echo(f'Write this into the settings of the hub:\n\n[broker]\nname = "{name}"\npassword = "{password}"')
    else:
        click.echo(f'[hub]\naddress = "{address}"\nname = "{name}"\npassword = "{password}"\nca = "hub.crt"')
    click.echo(
        "This password is shown once. Let the broker read its files again: sudo systemctl reload mosquitto", err=True
    )


@hub_group.command("remove-board")
@click.argument("name")
@click.pass_obj
def remove_board(config: Path | None, name: str) -> None:
    """The board NAME may send nothing more; what it has sent stays."""
    from controller.hub.passwords import BrokerFiles
    from controller.hub.settings import load_hub_settings

    broker = load_hub_settings(config).broker
    BrokerFiles(Path(broker.passwords), Path(broker.rights)).remove(name)
    click.echo("Let the broker read its files again: sudo systemctl reload mosquitto")


@hub_group.command("add-person")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["viewer", "scorer", "director"]),
    default="viewer",
    show_default=True,
    help="A viewer looks, a scorer answers what the hub has noticed, a director also sees who did what.",
)
@click.option(
    "--again", is_flag=True, help="They have a password already, which shall hold no longer; also to change a role."
)
@click.pass_obj
def add_person(config: Path | None, name: str, role: Literal["viewer", "scorer", "director"], again: bool) -> None:
    """Give NAME a password for the hub's pages."""
    with _register(config) as register:
        password = register.add(name, role, replace=again)
    click.echo(f"Password of {name} ({role}), shown this once: {password}")


@hub_group.command("remove-person")
@click.argument("name")
@click.pass_obj
def remove_person(config: Path | None, name: str) -> None:
    """NAME may see the hub's pages no longer, from the next few seconds on."""
    with _register(config) as register:
        register.remove(name)


@contextmanager
def _register(config: Path | None) -> Iterator[Register]:
    """The people of the hub's database, brought to this program's schema. Raises HubError."""
    try:
        from controller.hub.people import Register
        from controller.hub.settings import load_hub_settings
        from controller.hub.store import Store
    except ModuleNotFoundError as error:
        raise click.ClickException(NEEDED) from error
    url = load_hub_settings(config).database.url
    Store(url).close()
    register = Register(url)
    try:
        yield register
    finally:
        register.close()


@hub_group.command("demo")
@click.option("--boards", default=16, show_default=True, type=click.IntRange(1, 200), help="How many.")
@click.option(
    "--pace", default=2.0, show_default=True, type=click.FloatRange(0.05, 60), help="Seconds between events of a board."
)
@click.option("--port", default=8090, show_default=True, type=click.IntRange(1, 65_535), help="Port of the wall.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the wall.")
def demo(boards: int, pace: float, port: int, host: str) -> None:
    """Start a broker, a database, a hub and simulated boards on this machine; when it ends nothing of them is left."""
    stop = stop_on_signals()
    try:
        from controller.hub.program import running_hub
        from controller.hub.services import Hall
    except ModuleNotFoundError as error:
        raise click.ClickException(NEEDED) from error
    from controller.config import WebConfig
    from controller.run.simulated_boards import playing

    folder = Path(tempfile.mkdtemp(prefix="vrhcab-hub-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        names = tuple(f"board-{number}" for number in range(1, boards + 1))
        hall = stack.enter_context(Hall(folder, names))
        settings = hall.settings(WebConfig(host=host, port=port))
        stack.enter_context(running_hub(settings, print_sentence, stop.set))
        stack.enter_context(playing(folder, [hall.board(name) for name in names], pace, _quiet))
        print_sentence(
            f"{boards} simulated boards play. Ctrl-C ends everything, and nothing of it is left on this machine."
        )
        stop.wait()


def _quiet(sentence: str) -> None:
    """Sixteen boards say sixteen times that they are connected."""
