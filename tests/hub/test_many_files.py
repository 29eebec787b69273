"""A hub and a board with more files open than select() knows, as with two thousand viewers."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.hub.services import Hall
from tests.hub.table import eventually, hub, kept, table

SELECTS = 1024
"""FD_SETSIZE: the first file that select() does not know."""


@pytest.fixture
def many_files() -> Iterator[ExitStack]:
    """Files may be opened on it, as many as that takes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * SELECTS:
        pytest.skip("This machine lets nobody open so many files.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * SELECTS), hard))
    with ExitStack() as stack:
        yield stack
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_hub_and_a_board_hear_each_other_beyond_the_files_of_select(
    hall: Hall, tmp_path: Path, many_files: ExitStack
) -> None:
    while (file := os.open(os.devnull, os.O_RDONLY)) <= SELECTS:
        many_files.callback(os.close, file)
    many_files.callback(os.close, file)
    with table(hall.board("board-19"), tmp_path) as board, hub(hall):
        board.play(10)
        eventually(lambda: board.is_confirmed)
        assert kept(hall, "board-19") == list(board.board.journal.events())
        # And come back to a broker that was away.
        hall.broker.stop()
        board.play(1)
        hall.broker.start()
        eventually(lambda: board.is_confirmed)
