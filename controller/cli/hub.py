"""`vrhcab hub`: many boards on one wall; who may send to it; and a demo of all of it on one machine."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from controller.cli.files import FILE
from controller.cli.leaving import stop_on_signals
from controller.cli.options import Finite, Group
from controller.cli.sentences import print_sentence
from controller.run.extras import how_to_install
from vision.outside import FileRefused, read_regular

if TYPE_CHECKING:
    from controller.config import WebConfig
    from controller.hub.joining import Codes
    from controller.hub.people import Register
    from controller.hub.settings import HubSettings

NEEDED = f"The hub needs libraries that a board does without. Install them: {how_to_install('hub')}"
AT_THE_MACHINE = "vrhcab hub"
"""Who did what is done by a command, in the list of who did what."""
MOST_PASSWORDS = 1 << 22


@click.group("hub", cls=Group, invoke_without_command=True)
@click.option(
    "--config",
    type=FILE,
    help="TOML file with the hub's settings; docs/hub_details.md lists them.",
)
@click.pass_context
def hub_group(ctx: click.Context, config: Path | None) -> None:
    """Take in the journals of many boards, and show all of them on one wall (Mosquitto and PostgreSQL)."""
    ctx.obj = config
    if ctx.invoked_subcommand is not None:
        return
    stop = stop_on_signals()
    with _libraries():
        from controller.hub.program import run_hub
        from controller.hub.settings import load_hub_settings
    run_hub(load_hub_settings(config), stop, print_sentence)


@hub_group.command("add-board")
@click.argument("name")
@click.option("--address", help="By what name boards find this machine; its own in .local without it.")
@click.pass_obj
def add_board(config: Path | None, name: str, address: str | None) -> None:
    """Print a code with which the board NAME joins; it holds for some minutes. The same as "Add a board" on the hub's page."""
    with _codes(config) as (codes, settings):
        code = codes.offer(AT_THE_MACHINE, name, settings.broker.name)
    click.echo(f"At the board: vrhcab hub join {_invitation(code, address, settings.web)}")


def _invitation(code: str, address: str | None, web: WebConfig) -> str:
    """CODE@ADDRESS, as a board takes it. address: this machine's, perhaps with a port, None for its own name in .local."""
    host = address or f"{socket.gethostname().partition('.')[0]}.local"
    if host.count(":") > 1 and not host.startswith("["):
        host = f"[{host}]"
    in_front = web.https and web.certificate is None  # whoever speaks https for the hub, at the usual port
    port = "" if in_front or ":" in host.rpartition("]")[2] else f":{web.port}"
    return f"{code}@{'' if web.https or web.certificate is not None else 'http://'}{host}{port}"


@hub_group.command("remove-board")
@click.argument("name")
@click.pass_obj
def remove_board(config: Path | None, name: str) -> None:
    """The board NAME may send nothing more, from now on; what it has sent stays."""
    with _libraries():
        from controller.hub.broker_admin import BrokerAdmin
    with _codes(config) as (codes, settings):
        admin = BrokerAdmin(settings.broker)
        there = admin.boards()
        if name not in there:
            raise click.ClickException(f"There is no board {name}. There are: {', '.join(there) or 'none'}.")
        codes.dismiss(AT_THE_MACHINE, name, admin.shut_out)


@hub_group.command("join")
@click.argument("invitation", metavar="CODE@ADDRESS")
@click.option("--config", "board", type=FILE, help="TOML file with the settings of this board.")
@click.pass_obj
def join_hub(config: Path | None, invitation: str, board: Path | None) -> None:
    """At a board: join the hub whose director has given you this code. A program that runs already notices by itself."""
    from controller.config import journal_path, machine_settings
    from controller.run.joining import join, joined_path, save_joined

    if config is not None:
        raise click.UsageError(
            "Settings before join are a hub's. Name this board's after it: vrhcab hub join CODE@ADDRESS --config FILE"
        )
    settings = machine_settings(board)
    games = journal_path(settings)
    if settings.hub.address is not None:
        raise click.ClickException("The settings of this board name its hub: [hub] address. Take that out first.")
    joined = join(invitation)
    save_joined(joined_path(games), joined)
    click.echo(
        f"This board is {joined.hub.name} at {joined.hub.address}. Everything that it records goes there from now on."
    )
    if not games.exists():
        click.echo(
            f"No game is kept at {games} yet: this holds for what is recorded there. A board that runs as a service or with "
            "settings of its own joins with sudo, or with --config.",
            err=True,
        )


@hub_group.command("rights")
@click.argument("file", type=FILE)
@click.option(
    "--moved",
    type=FILE,
    help="A password file of the broker: who has a password there, keeps it.",
)
@click.pass_obj
def rights(config: Path | None, file: Path, moved: Path | None) -> None:
    """Write the FILE with which the broker's dynamic security plugin begins; the broker owns it from then on."""
    with _libraries():
        from controller.hub.rights import first_rights, moved_rights, new_password, write_rights
        from controller.hub.settings import load_hub_settings
    hub = load_hub_settings(config).broker.name
    if moved is not None:
        try:
            text = read_regular(moved, MOST_PASSWORDS).decode("utf-8", "replace")
        except (FileRefused, OSError) as error:
            raise click.ClickException(f"The broker's passwords {moved} can't be read ({error}).") from error
        write_rights(file, moved_rights(text, hub))
        return
    password = new_password()
    write_rights(file, first_rights({hub: password}, hub))
    click.echo(f'Write this into the settings of the hub:\n\n[broker]\nname = "{hub}"\npassword = "{password}"')


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
def _libraries() -> Iterator[None]:
    """What is imported inside needs what a board does without. Raises ClickException where that is not here."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise click.ClickException(NEEDED) from error


@contextmanager
def _register(config: Path | None) -> Iterator[Register]:
    """The people of the hub's database. Raises HubError, StoreError."""
    with _libraries():
        from controller.hub.people import Register
    with _database(config) as settings, closing(Register(settings.database.url)) as register:
        yield register


@contextmanager
def _codes(config: Path | None) -> Iterator[tuple[Codes, HubSettings]]:
    """The boards' codes, with the hub's settings. Raises HubError, StoreError."""
    with _libraries():
        from controller.hub.joining import Codes
    with _database(config) as settings, closing(Codes(settings.database.url)) as codes:
        yield codes, settings


@contextmanager
def _database(config: Path | None) -> Iterator[HubSettings]:
    """The settings of a hub whose database is there, brought to this program's schema. Raises HubError, StoreError."""
    with _libraries():
        from controller.hub.settings import load_hub_settings
        from controller.hub.store import Store
    settings = load_hub_settings(config)
    Store(settings.database.url).close()
    yield settings


@hub_group.command("demo")
@click.option("--boards", default=16, show_default=True, type=click.IntRange(1, 200), help="How many.")
@click.option(
    "--pace", default=2.0, show_default=True, type=Finite(0.05, 60), help="Seconds between events of a board."
)
@click.option("--port", default=8090, show_default=True, type=click.IntRange(1, 65_535), help="Port of the wall.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the wall.")
def demo(boards: int, pace: float, port: int, host: str) -> None:
    """Start a broker, a database, a hub and simulated boards on this machine; when it ends nothing of them is left."""
    stop = stop_on_signals()
    from controller.config import WebConfig

    with _libraries():
        from controller.hub.people import Register
        from controller.hub.program import running_hub
        from controller.hub.services import Hall
        from controller.run.simulated_boards import playing

    folder = Path(tempfile.mkdtemp(prefix="vrhcab-hub-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        names = tuple(f"board-{number}" for number in range(1, boards + 1))
        hall = stack.enter_context(Hall(folder, names))
        settings = hall.settings(WebConfig(host=host, port=port))
        stack.enter_context(running_hub(settings, print_sentence, stop.set))
        with closing(Register(settings.database.url)) as register:
            password = register.add(DIRECTOR, "director")
        stack.enter_context(playing(folder, [hall.board(name) for name in names], pace, _quiet))
        print_sentence(
            f"A board more: sign in at http://{host}:{port}/hall as {DIRECTOR} with the password {password}, and add one; then "
            "vrhcab run --source none, and join with its code."
        )
        print_sentence(
            f"{boards} simulated boards play. Ctrl-C ends everything, and nothing of it is left on this machine."
        )
        stop.wait()


DIRECTOR = "director"


def _quiet(sentence: str) -> None:
    """Sixteen boards say sixteen times that they are connected."""
