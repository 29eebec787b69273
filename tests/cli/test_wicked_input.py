"""Every option and argument of every command is given what nobody should give it: exit 0, 1 or 2 and a sentence, no traceback."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from controller.cli.main import main
from controller.hub import services
from controller.hub.errors import HubError
from controller.panel import flash
from controller.panel.adapter import PanelError
from controller.run import build

WORDS = (
    "", " ", "-", "nan", "inf", "-inf", "-1", "0", "1e308", "1" + "0" * 30, "9" * 5000, "x" * 5000, "a\0b", "a\nb",
    "\N{RIGHT-TO-LEFT OVERRIDE}a\N{LINE SEPARATOR}b", os.fsdecode(b"\xff\xfe"), "@", "@none", "folder/..", "~nobody", "{}", "'\"",
    "[" * 5000, os.fsdecode(b"camera:/\xff"), os.fsdecode(b"video:\xff\xfe"), "frames:/dev/zero",
    ",", "a,b", "1,1 2,2 3,3 4,4", "nan,nan nan,nan nan,nan nan,nan",
)  # fmt: skip
"""A zero byte comes from no shell, but from a program that starts this one wrongly."""

CONTENTS = {
    "empty": b"",
    "deep.json": b'{"a":' + b"[" * 100_000,
    "deep.toml": b"a = " + b"[" * 5000,
    "text.json": b'"\xff\xfe"',
    "number.json": b'{"led_count": ' + b"9" * 5000 + b"}",
    "lens.json": b'{"size":[0,0],"focal":[0,0],"centre":[1e308,1e308],"bend":[1e308,0,0,0,0]}',
    "zeros": bytes(5000),
    "bytes": bytes(range(256)) * 20,
    "line.txt": b"(;" * 40_000,
    os.fsdecode(b"\xff\xfe"): bytes(5000),
}


def no_pico(arguments: Sequence[str]) -> str:
    raise PanelError("No Pico is here.")


def no_hall(*_: object) -> None:
    raise HubError("No hall is here.")


def commands(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it."""
    if isinstance(group, click.Group):
        for name, command in sorted(group.commands.items()):
            yield from commands(command, (*path, name))
    else:
        yield path, group


COMMANDS = dict(commands(main))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Files of every wrong kind, and what is no file; nothing is refereed for longer than its start, no Pico is written to."""
    folder = tmp_path_factory.mktemp("wicked")
    patched = pytest.MonkeyPatch()
    patched.chdir(folder)
    patched.setenv("XDG_STATE_HOME", str(folder / "state"))
    patched.setenv("HOME", str(folder))
    referee = build.run

    def stopped(table: Any, source: Any, outside: Any, *rest: Any) -> None:
        outside.stop.set()
        referee(table, source, outside, *rest)

    patched.setattr(build, "run", stopped)
    patched.setattr(services, "Hall", no_hall)
    patched.setitem(flash.flash.__kwdefaults__, "run", no_pico)
    patched.setitem(flash.flash.__kwdefaults__, "pause", lambda seconds: None)
    kept = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    for name, data in CONTENTS.items():
        (folder / name).write_bytes(data)
    cv2.imwrite("picture.png", np.full((64, 64, 3), 90, np.uint8))
    (folder / "folder").mkdir()
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        yield folder
    for number, handler in kept:
        signal.signal(number, handler)
    patched.undo()


FILES = (*CONTENTS, "picture.png", "folder", "pipe", "socket", "/dev/zero", "/dev/full", "none")


def plausible(parameter: click.Parameter) -> str:
    """Something that a parameter takes, where it must have something."""
    match parameter.type:
        case click.Choice(choices=choices):
            return str(next(iter(choices)))
        case click.IntRange(min=least) | click.FloatRange(min=least):
            return str(least or 1)
        case kind if kind in (click.INT, click.FLOAT):
            return "1"
    if parameter.name == "source":
        return "none"
    return "out.json" if "-o" in parameter.opts else "picture.png"


def wrong(command: click.Command) -> Iterator[list[str]]:
    """Arguments with one wicked value among what the command needs."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.opts == ["--help"]):
            continue
        needed = [other for other in command.params if other.required and other is not parameter]
        rest = [word for other in needed for word in given(other, plausible(other))]
        takes_files = parameter.type.name not in ("integer", "float", "integer range", "float range", "choice")
        for value in (*WORDS, *(FILES if takes_files else ()), *(f"@{name}" for name in FILES if takes_files)):
            yield [*given(parameter, value), *rest] if isinstance(parameter, click.Option) else [*rest, "--", value]


def given(parameter: click.Parameter, value: str) -> list[str]:
    return (
        [f"{parameter.opts[-1]}={value}"]
        if isinstance(parameter, click.Option) and parameter.opts[-1].startswith("--")
        else ([parameter.opts[0], value] if isinstance(parameter, click.Option) else [value])
    )


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_one_sentence_and_no_traceback(words: tuple[str, ...], folder: Path) -> None:
    for arguments in wrong(COMMANDS[words]):
        result = CliRunner().invoke(main, [*words, *arguments], input="y\n")
        assert_polite(result, [*words, *arguments])


def assert_polite(result: Result, arguments: list[str]) -> None:
    shown = [argument[:80] for argument in arguments]
    assert result.exit_code in (0, 1, 2), (shown, result.output[-2000:], result.exception)
    assert isinstance(result.exception, SystemExit | None), (shown, result.output[-2000:])
    assert "Traceback" not in result.output, (shown, result.output[-2000:])
    assert "a fault of its own" not in result.output, (shown, result.output[-2000:])
