"""The program is killed without warning, again and again, and goes on: no event is lost or doubled, and the page comes back."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

from controller.app.match_journal import matches_in
from controller.record.journal import Journal, StoredEvent, read_events
from controller.referee.events import Flagged, GameStarted, MatchStarted, Played, decode
from controller.referee.folding import fold
from controller.rules import Side, position_id
from controller.simulation import Filming, SimulatedMatch, SimulatedTable, TurnPlayed
from tests.programs import Running, running

ROUNDS = 3
"""Starts, each but the last ended by SIGKILL at a moment of its own."""

DEMO = ("demo", "--seed", "1", "--speed", "4", "--errors", "none")


def stored(journal: Path) -> list[StoredEvent]:
    return list(read_events(journal)) if journal.exists() else []


def after_some_more(program: Running, journal: Path, known: int, more: int) -> int:
    """Waits until the journal holds so many events more; how many it holds then."""
    return int(program.wait_until(lambda: (count := len(stored(journal))) >= known + more and count))


def test_a_killed_demo_goes_on_where_the_journal_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "vrhcab" / "demo-1-none-3.sqlite3"
    rng, before = Random(5), list[StoredEvent]()
    for turn in range(ROUNDS):
        with running(tmp_path, *DEMO) as program:
            view = program.wait_until(program.state)
            state = fold(decode(event.version, event.payload) for event in before)
            if before:
                # The page shows the game so far before the board has been looked at again.
                assert len(view["plays"]) >= len(state.turns)
                assert f"Going on with the match in {journal} after {len(before)} events." in program.output
            after_some_more(program, journal, len(before), 4)
            time.sleep(rng.uniform(0, 0.5))
            if turn < ROUNDS - 1:
                assert program.stop(signal.SIGKILL) == -signal.SIGKILL
            else:
                assert program.stop() == 0
                assert "Traceback" not in program.output
        now = stored(journal)
        assert now[: len(before)] == before
        assert [event.sequence for event in now] == list(range(1, len(now) + 1))
        before = now
    _is_one_unbroken_game(journal)


def _is_one_unbroken_game(path: Path) -> None:
    """The journal holds one match, which is the one that the simulated players played, turn by turn."""
    with Journal(path) as journal:
        ((_, events),) = matches_in(journal)
    assert sum(isinstance(event, MatchStarted) for event in events) == 1
    assert sum(isinstance(event, GameStarted) for event in events) == 1
    assert not [event.text for event in events if isinstance(event, Flagged)]
    plays = [(event.side, event.after) for event in events if isinstance(event, Played)]
    assert len(plays) >= ROUNDS
    assert plays == [(turn.side, position_id(turn.after, Side.LIGHT)) for turn in true_turns(len(plays))]


def true_turns(count: int) -> list[TurnPlayed]:
    """The first turns of the demo's table."""
    table = SimulatedTable(1, SimulatedMatch("none", 3), Filming(fps=1))
    for _ in table.scenes():
        turns = [event for event in table.truth if isinstance(event, TurnPlayed)]
        if len(turns) >= count:
            return turns[:count]
    raise AssertionError(f"The simulated match has fewer than {count} turns.")
