"""Files from outside: what is no file is refused at once, what is too large is refused unread."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.outside import FileRefused, check_target, named_path, read_regular


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_regular(tmp_path / "a", 5) == b"12345"
    with pytest.raises(FileRefused, match="larger than"):
        read_regular(tmp_path / "a", 4)


def test_a_file_that_says_it_is_empty_is_bounded_all_the_same() -> None:
    with pytest.raises(FileRefused, match="larger than"):
        read_regular(Path("/proc/self/maps"), 10)


@pytest.mark.parametrize(
    ("name", "why"), [("/dev/zero", "device"), (".", "folder"), ("/none", "No such file"), ("a\0", "zero")]
)
def test_what_is_no_file_is_refused(name: str, why: str) -> None:
    with pytest.raises(FileRefused, match=why):
        read_regular(Path(name), 10)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileRefused, match="pipe"):
        read_regular(tmp_path / "pipe", 10)
    with pytest.raises(FileRefused, match="pipe"):
        check_target(tmp_path / "pipe")


def test_a_home_folder_is_known_or_refused() -> None:
    assert named_path("~/a") == Path.home() / "a"
    assert named_path("a/~") == Path("a/~")
    with pytest.raises(FileRefused, match="home folder"):
        named_path("~nobodyx/a")
