"""What pip makes of the project: the whole program and nothing else, as setuptools gathers it, without packing it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
PACKAGES = [name.removesuffix("*") for name in SETTINGS["tool"]["setuptools"]["packages"]["find"]["include"]]

NOT_FOR_A_BOARD = ("vision/training/", "vision/weights/trained/", "firmware/PROTOCOL.md", "firmware/vectors.json")
"""What trains networks, and what only tests and people read."""


def names(folder: Path, files: Iterable[Path]) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in files if path.is_file() and "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of links, so that nothing is written into the real one: `built` has what would be packed, and the folder
    of setuptools says what else a source package would hold."""
    folder = tmp_path_factory.mktemp("checkout")
    for path in PROJECT.iterdir():
        if path.name[0] != "." and path.name != "build" and path.suffix != ".egg-info":
            (folder / path.name).symlink_to(path)
    command = [sys.executable, "-c", "import setuptools; setuptools.setup()", "-q", "build_py", "--build-lib", "built"]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    return folder


def test_the_whole_program_is_packed_and_nothing_else(gathered: Path) -> None:
    built = names(gathered / "built", (gathered / "built").rglob("*"))
    program = names(PROJECT, (path for package in PACKAGES for path in (PROJECT / package).rglob("*")))
    assert built == {name for name in program if not name.startswith(NOT_FOR_A_BOARD)}


def test_a_source_package_holds_no_part_of_the_tests(gathered: Path) -> None:
    sources = (gathered / "vrhcab.egg-info" / "SOURCES.txt").read_text("utf-8").split()
    assert "vision/weights/columns.onnx" in sources
    assert [name for name in sources if name.startswith(("tests/", "benchmarks/", "docs/"))] == []
