"""The commands that look after the hardware: `vrhcab doctor` and `vrhcab flash`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from controller.cli.files import FILE, FilePath, writing


@click.command("doctor")
@click.option("--config", type=FILE, help="TOML file with the settings of the referee.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.option(
    "--bundle",
    type=FILE,
    help="Also write a zip for a report, without names or addresses.",
)
def doctor_command(config: Path | None, as_json: bool, bundle: Path | None) -> None:
    """Look at camera, light, lamps, disk, clock and network, and say what to do about what is wrong.

    Exit 1 where something would keep a game from being refereed.
    """
    from controller.config import machine_settings
    from controller.doctor.bundle import check_bundle, write_bundle
    from controller.doctor.examine import examine
    from controller.doctor.finding import Finding, in_words

    settings = machine_settings(config)
    if bundle is not None:
        check_bundle(bundle)
    findings: list[Finding] = []
    for found in examine(settings):
        findings.append(found)
        if not as_json:
            click.echo(in_words((found,)))
    if as_json:
        click.echo(msgspec.json.encode(findings).decode())
    if bundle is not None:
        with writing(bundle):
            write_bundle(bundle, settings, findings)
        click.echo(f"{bundle} is written. Look through it before you send it to anybody.", err=True)
    if any(found.level == "problem" for found in findings):
        raise SystemExit(1)


@click.command("flash")
@click.option(
    "--port",
    type=FilePath(str),
    default="auto",
    show_default=True,
    help="The Pico's serial device; auto finds the only one.",
)
@click.option(
    "--settings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="settings.json for the strip: LED count, order, mA.",
)
@click.option("--only-check", is_flag=True, help="Copy nothing; say which firmware answers.")
def flash_command(port: str, settings: Path | None, only_check: bool) -> None:
    """Put the firmware on a Raspberry Pi Pico that runs MicroPython, check every file, and see it answer."""
    from controller.panel.flash import confirm, flash

    if not only_check:
        count = flash(port, settings=settings, progress=_progress())
        click.echo(f"{count} files are on the controller, each checked. It starts again ...")
    welcome = confirm(port)
    version = ".".join(str(part) for part in welcome.firmware)
    click.echo(f"Firmware {version} answers: {welcome.lamp_count} lamps, at most {welcome.budget_ma} mA.")


def _progress() -> Callable[[int, int, str], None]:
    def show(done: int, of: int, name: str) -> None:
        if name:
            click.echo(f"[{done + 1:>2}/{of}] {name}", err=True)

    return show
