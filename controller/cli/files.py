"""Files that commands are told of: how people name them, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click


class FilePath(click.Path):
    """A file or a folder; who can't read it says so himself. No name at all would stand for the folder that the program runs in,
    which nobody means."""

    def __init__(self, path_type: type[Path] | type[str] = Path, *, file_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, readable=False, path_type=path_type)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty name; for the folder that you are in write a dot.", param, ctx)
        return super().convert(value, param, ctx)


FILE = FilePath()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A file that can't be written is named as the person named it. Raises ClickException."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(
            f"{path} can't be written: {error.strerror}. Choose another place, or make room on the disk."
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """The whole new content, or what was there before. Raises ClickException."""
    from controller.record.owners import replace_file

    with writing(path):
        replace_file(path, data)


def shown_name(path: Path) -> str:
    """A file's name as text, which a name on the disk need not be."""
    return path.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
