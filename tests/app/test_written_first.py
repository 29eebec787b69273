"""Nothing is so before it is written down: an evening whose disk fills up, or whose journal is taken away, and comes back."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.app.board_place import save_place
from controller.app.match_journal import NOT_DONE, NOTICE_S, matches_in, unfinished
from controller.app.referee import Outlets, Referee
from controller.app.table import Table
from controller.panel.virtual import VirtualPanel
from controller.record.analysis import is_over
from controller.record.journal import RETRY, Journal, JournalError
from controller.record.of_journal import records_of
from controller.record.replay import add_score
from controller.referee.commands import (
    AnyCommand,
    CommandError,
    NewMatch,
    OfferDouble,
    Pass,
    Pause,
    PlayTurn,
    Resign,
    Resume,
    Roll,
    SetCube,
    SetTable,
    Take,
    Undo,
)
from controller.referee.events import Played
from controller.referee.folding import fold
from controller.referee.session import MatchPlan
from controller.referee.state import Phase
from controller.rules import MATCH, Side
from terms.board import Corner
from tests.referee.table import after_moves
from tests.tracking.eyes import Eyes, thrown
from vision.frame import Frame
from vision.watching.watcher import Watcher
from web.hub import ViewHub

LIGHT = Side.LIGHT
OPENING = Roll(dice=(3, 1), side=LIGHT)
POINT_FIVE = PlayTurn(notation="8/5 6/5")


class Evening:
    """A match that is kept by hand, with its page and lamps."""

    def __init__(self, folder: Path, key_frames: bool = False) -> None:
        self.journal = Journal(folder / "journal.sqlite3")
        self.hub, self.panel, self.told = ViewHub(), VirtualPanel(), list[str]()
        table = Table(MatchPlan(MATCH, 5, ("Jana", "Petr")), None, "bottom-right")
        self.referee = Referee(
            table, self.journal, Outlets(self.hub, self.panel, self.told.append), key_frames=key_frames
        )

    @property
    def page(self) -> dict[str, object]:
        """What every viewer sees now."""
        latest = self.hub.latest
        assert latest is not None
        shown: dict[str, object] = json.loads(latest.body)
        return shown

    def after_a_restart(self) -> object:
        """The state that a start would find on the disk."""
        events = unfinished(self.journal).held
        return fold(events)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    one = Evening(tmp_path)
    with one.journal:
        yield one


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets the time between two tries pass."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def pass_by() -> None:
        now[0] += RETRY

    return pass_by


@contextmanager
def full_disk(journal: Journal) -> Iterator[None]:
    """As SQLite tells it: the transaction is begun, and its commit finds no room."""

    def refuse(events: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    usual = journal._insert, journal._try_writing
    journal._insert = journal._try_writing = lambda *_: refuse(None)  # type: ignore[method-assign]
    try:
        yield
    finally:
        journal._insert, journal._try_writing = usual  # type: ignore[method-assign]


def test_a_full_disk_refuses_the_word_of_the_desk_and_nobody_ever_sees_it(
    evening: Evening, later: Callable[[], None]
) -> None:
    referee = evening.referee
    before = evening.page
    with full_disk(evening.journal):
        with pytest.raises(CommandError, match=f"is full.*{NOT_DONE}"):
            referee.obey(OPENING)
        assert referee.state.phase is Phase.OPENING
        assert (evening.page["turn"], evening.page["dice"]) == (before["turn"], before["dice"]) == (None, [])
        assert evening.page["stopped"] is True
        assert "is full" in str(evening.page["journal"])
        assert "error" in evening.panel.words()
        later()
        referee.idle(1.0)
        assert evening.page["stopped"] is True
    later()
    referee.idle(1.0)
    assert (evening.page["stopped"], evening.page["journal"]) == (False, "")
    assert "error" not in evening.panel.words()
    referee.obey(OPENING)
    assert evening.page["dice"] == [3, 1]
    assert referee.state == evening.after_a_restart()
    assert evening.told.count("The journal takes events again: play goes on.") == 1


WORDS: tuple[AnyCommand, ...] = (
    OPENING,
    POINT_FIVE,
    Roll(dice=(6, 2)),
    PlayTurn(notation="24/18 13/11"),
    PlayTurn(moves=((6, 1),), stands=True),
    OfferDouble(),
    Take(),
    Pass(),
    Undo(),
    Pause(),
    Resume(),
    SetCube(value=4, owner=LIGHT),
    Resign(side=LIGHT),
    NewMatch(length=3, light="Eva", dark="Jan"),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(WORDS), st.booleans()), max_size=25))
def test_whatever_is_said_on_a_disk_that_comes_and_goes_page_and_journal_agree(
    said: list[tuple[AnyCommand, bool]],
) -> None:
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=memory) as folder:
        evening = Evening(Path(folder))
        with evening.journal:
            for command, full in said:
                stored, state = len(list(evening.journal.events())), evening.referee.state
                try:
                    if full:
                        with full_disk(evening.journal):
                            done = evening.referee.obey(command)
                    else:
                        done = evening.referee.obey(command)
                except CommandError:
                    assert evening.referee.state == state
                    done = ()
                assert len(list(evening.journal.events())) == stored + len(done)
                assert evening.referee.state == _last_match(evening.journal)
                assert evening.page["dice"] == list(evening.referee.state.dice or ())
                assert _listed(evening) == _recorded(evening)


def _listed(evening: Evening) -> list[tuple[object, ...]]:
    """The lines of the matches as they are kept."""
    rows = evening.referee.status.matches.lines()
    return [(r.id, r.light, r.dark, r.length, list(r.score), r.games, r.over, r.date) for r in rows]


def _recorded(evening: Evening) -> list[tuple[object, ...]]:
    """The same told from the records, which are made of the whole journal."""
    rows = []
    for r in records_of(evening.journal.events(), "j"):
        last = r.games[-1]
        names = (player.name for player in r.players)
        score = list(add_score(last.score, last))
        rows.append((r.match_id, *names, r.length, score, len(r.games), is_over(r), r.date))
    return rows[::-1]


def _last_match(journal: Journal) -> object:
    return fold([events for _, events in matches_in(journal)][-1])


def test_what_the_camera_sees_meanwhile_does_not_count_and_the_next_rest_does(
    tmp_path: Path, later: Callable[[], None]
) -> None:
    evening = Evening(tmp_path, key_frames=True)
    referee, eyes = evening.referee, Eyes()
    start = referee.state.position
    after = after_moves(start, LIGHT, (3, 1), (8, 5), (6, 5))
    opening = [(3, LIGHT), (1, Side.DARK)]

    def look(position: object, dice: object) -> None:
        for _ in range(2):
            seen = eyes.look(position, dice)  # type: ignore[arg-type]
            referee._camera.watcher.look = lambda frame, seen=seen: seen  # type: ignore[method-assign]
            referee.take(Frame(np.zeros((48, 64, 3), np.uint8), seen.seconds))

    with evening.journal:
        with full_disk(evening.journal):
            look(start, opening)
            assert referee.state.phase is Phase.OPENING
            assert evening.page["stopped"] is True
        later()
        look(start, opening)
        assert referee.state.phase is Phase.TO_PLAY
        with full_disk(evening.journal):
            look(after, opening)
            look(after, ())
            assert referee.state.turns == ()
        later()
        look(after, ())
        look(after, thrown(Side.DARK, 6, 2))
        (turn,) = referee.state.turns
        assert isinstance(turn, Played)
        assert turn.notation == "8/5 6/5"
        assert referee.state == evening.after_a_restart()


def test_after_an_undo_the_next_of_single_pictures_counts(tmp_path: Path) -> None:
    evening = Evening(tmp_path, key_frames=True)
    referee, eyes = evening.referee, Eyes()
    start, opening = referee.state.position, [(3, LIGHT), (1, Side.DARK)]
    ways = [after_moves(start, LIGHT, (3, 1), *moves) for moves in (((24, 23), (13, 10)), ((8, 5), (6, 5)))]
    with evening.journal:
        referee.obey(OPENING)
        for after, dice in ((start, opening), (ways[0], opening), (ways[0], ()), (ways[1], opening), (ways[1], ())):
            seen = eyes.look(after, dice)  # type: ignore[arg-type]
            referee._camera.watcher.look = lambda _, seen=seen: seen  # type: ignore[method-assign]
            referee.take(Frame(np.zeros((48, 64, 3), np.uint8), seen.seconds))
            if (after, dice) == (ways[0], ()):
                assert len(referee.state.turns) == 1
                referee.obey(Undo())
        assert [turn.notation for turn in referee.state.turns if isinstance(turn, Played)] == ["8/5 6/5"]


def test_a_practice_game_needs_no_disk_and_the_match_comes_back_when_it_can_be_written(
    tmp_path: Path, later: Callable[[], None]
) -> None:
    plan = MatchPlan(MATCH, 5, clock=True)
    with Journal(tmp_path / "j.db") as journal:
        referee = Referee(Table(plan, None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel()))
        referee.obey(OPENING)
        with full_disk(journal):
            referee.begin_practice()
            referee.idle(1.0)
            # The clock was running: that it stands now has to be written down.
            with pytest.raises(CommandError, match="is full"):
                referee.end_practice()
            assert referee.practising
        later()
        referee.end_practice()
        assert not referee.practising
        assert referee.state.dice == (3, 1)


def test_a_new_match_has_a_clock_as_the_one_before_had_also_after_a_restart(tmp_path: Path) -> None:
    """Until 29 November it had one as the settings of the program have it then."""
    said = NewMatch(light="Jana", dark="Petr", length=5)
    with Journal(tmp_path / "j.db") as journal:
        for before in (
            msgspec.structs.replace(said, clock=True),
            said,
            NewMatch(light="Jana", dark="Petr", rules="money"),
        ):
            referee = Referee(
                Table(MatchPlan(MATCH, 5), None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel())
            )
            referee.obey(before)
        referee.obey(msgspec.structs.replace(said, rules="match"))
        assert referee.state.clock is not None


def open_in_doubt(one: Evening, monkeypatch: pytest.MonkeyPatch, dice: int) -> None:
    """Light opens with 3-1, of which so many dice are seen; two lie there still. Nothing is written of the play."""
    start, eyes, draw = one.referee.state.start, Eyes(), [(3, LIGHT), (1, Side.DARK)][:dice]
    looks = [(start, ()), (start, draw), (after_moves(start, LIGHT, (3, 1), (8, 5), (6, 5)), draw[: 2 * (dice - 1)])]
    for number, (stands, lies) in enumerate(looks):
        seen = [eyes.look(stands, lies)]
        monkeypatch.setattr(Watcher, "look", lambda *_, seen=seen: seen[0])
        one.referee.take(Frame(np.zeros((90, 160, 3), np.uint8), float(number)))
    assert not any(isinstance(event, Played) for event in unfinished(one.journal).held)


def dark_plays_on(one: Evening, monkeypatch: pytest.MonkeyPatch, home: Corner, size: tuple[int, int]) -> None:
    """After that 3-1 dark plays a 6-2, in pictures of so many rows and columns that show light's home there."""
    eyes = Eyes(light_home=home)
    eyes.now = 10.0
    opened = after_moves(one.referee.state.start, LIGHT, (3, 1), (8, 5), (6, 5))
    played = after_moves(opened, Side.DARK, (6, 2), (24, 18), (13, 11))
    for stands, lies in ((opened, thrown(Side.DARK, 6, 2)), (played, ())):
        seen = [eyes.look(stands, lies)]
        monkeypatch.setattr(Watcher, "look", lambda *_, seen=seen: seen[0])
        one.referee.take(Frame(np.zeros((*size, 3), np.uint8), eyes.now))


def turns_of(one: Evening) -> list[tuple[Side, tuple[int, int] | None]]:
    """Who has thrown what in the turns that are written."""
    return [(line.side, line.dice) for line in one.referee.state.turns if isinstance(line, Played)]


@pytest.mark.parametrize("dice", [1, 2])
def test_a_turn_that_waits_to_be_written_is_written_before_another_match_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: int
) -> None:
    """A first turn of whose draw one die was seen; or one whose dice lie there still."""
    one = Evening(tmp_path, key_frames=True)
    with one.journal:
        open_in_doubt(one, monkeypatch, dice)
        one.referee.obey(NewMatch(length=3, light="Eva", dark="Jan"))
        left, begun = (fold(events) for _, events in matches_in(one.journal))
        assert [(line.side, line.dice, line.sure < 0.95) for line in left.turns] == [(LIGHT, (3, 1), True)]  # type: ignore[union-attr]
        assert [flag.code for flag in left.standing] == ["R22"]
        assert (begun.names, begun.turns, begun.flags) == (("Eva", "Jan"), (), ())


@pytest.mark.parametrize(("dice", "written"), [(1, [(3, 1)]), (2, [])])
def test_a_turn_that_waits_to_be_written_is_written_before_the_set_up_takes_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dice: int, written: list[tuple[int, int]]
) -> None:
    """Until 30 November 2026 it was forgotten. Where its dice lie there still, he may think on afterwards: the roll is known."""
    one = Evening(tmp_path, key_frames=True)
    with one.journal:
        open_in_doubt(one, monkeypatch, dice)
        for _ in range(2):
            one.referee.begin_practice()
        assert one.referee.state.turns == ()
        one.referee.end_practice()
        state = one.referee.state
        assert [line.dice for line in state.turns if isinstance(line, Played)] == written
        assert state == one.after_a_restart()
        assert (state.turn, state.dice) == ((Side.DARK, None) if written else (LIGHT, (3, 1)))


@pytest.mark.parametrize("home", ["bottom-right", "top-left"])
def test_a_turn_that_waits_to_be_written_waits_on_while_another_camera_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Corner
) -> None:
    """It may look from across the table, as was shown in its picture. Until 30 November 2026 the turn became a gap."""
    one = Evening(tmp_path, key_frames=True)
    file = tmp_path / "table.json"
    save_place(file, "60,40 580,40 580,440 60,440", home, None, "camera:/b")
    table = Table(MatchPlan(MATCH, 5, ("Jana", "Petr")), None, "bottom-right", file, source="camera:/a")
    with one.journal:
        one.referee = Referee(table, one.journal, Outlets(one.hub, one.panel), key_frames=True)
        open_in_doubt(one, monkeypatch, 1)
        one.referee.other_camera("camera:/b")
        dark_plays_on(one, monkeypatch, home, (480, 640))
        assert turns_of(one) == [(LIGHT, (3, 1)), (Side.DARK, (6, 2))]


@pytest.mark.parametrize(("home", "dice"), [("bottom-right", 1), ("top-left", 1), ("bottom-right", 2)])
def test_a_turn_that_waits_to_be_written_waits_on_while_somebody_shows_the_corners_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Corner, dice: int
) -> None:
    """The camera was moved, perhaps to the table's other side. Until 30 November 2026 the turn became a gap."""
    one = Evening(tmp_path, key_frames=True)
    with one.journal:
        open_in_doubt(one, monkeypatch, dice)
        one.referee.obey(SetTable(corners="15,10 145,10 145,80 15,80", home=home))
        dark_plays_on(one, monkeypatch, home, (90, 160))
        assert turns_of(one) == [(LIGHT, (3, 1)), (Side.DARK, (6, 2))]


def test_the_way_round_that_the_board_itself_has_told_holds_when_its_camera_is_chosen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The direction that was shown was wrong: in mid-game nothing but the plays would tell so again."""
    one = Evening(tmp_path, key_frames=True)
    table = Table(MatchPlan(MATCH, 5), None, "bottom-right", tmp_path / "table.json", source="camera:/a")
    with one.journal:
        one.referee = Referee(table, one.journal, Outlets(one.hub, one.panel), key_frames=True)
        one.referee.obey(SetTable(corners="60,40 580,40 580,440 60,440", home="bottom-right"))
        start = [Eyes(light_home="top-left").look(one.referee.state.start)]
        monkeypatch.setattr(Watcher, "look", lambda *_: start[0])
        one.referee.take(Frame(np.zeros((480, 640, 3), np.uint8), 1.0))
        assert one.referee.status.light_home == "top-left"
        for source in ("camera:/b", "camera:/a"):
            one.referee.other_camera(source)
        assert one.referee.status.corners is not None
        assert one.referee.status.light_home == "top-left"


def test_a_camera_that_works_again_is_not_said_to_fail_while_nothing_can_be_written(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes, picture = Eyes(), Frame(np.zeros((90, 160, 3), np.uint8), 0.0)
    monkeypatch.setattr(Watcher, "look", lambda *_: eyes.look(evening.referee.state.start))
    with full_disk(evening.journal):
        with pytest.raises(CommandError, match="is full"):
            evening.referee.obey(OPENING)
        evening.referee.camera_failed("The camera was unplugged.")
        assert (evening.page["camera"], evening.page["stopped"]) == ("The camera was unplugged.", True)
        evening.referee.take(picture)
        assert (evening.page["camera"], evening.page["stopped"]) == ("ok", True)


def test_the_end_of_a_recording_waits_for_the_disk(evening: Evening, later: Callable[[], None]) -> None:
    referee = evening.referee
    referee.obey(OPENING)
    referee.begin_practice()
    with full_disk(evening.journal):
        referee.recording_ended("The recording has ended.")
        referee.idle(1.0)
    later()
    referee.idle(1.0)
    assert not referee.practising
    assert referee.state == evening.after_a_restart()


def test_a_deleted_journal_is_said_and_written_back_though_nobody_plays(evening: Evening) -> None:
    evening.referee.obey(OPENING)
    for file in evening.journal.path.parent.glob("journal.sqlite3*"):
        file.unlink()
    evening.referee.idle(0.1)
    assert "was deleted or moved" in str(evening.page["journal"])
    assert evening.page["stopped"] is False
    evening.referee.obey(POINT_FIVE)
    assert evening.referee.state == evening.after_a_restart()
    evening.referee.idle(NOTICE_S)
    assert evening.page["journal"] == ""


def test_a_replaced_journal_stops_play_until_its_place_is_free(evening: Evening, later: Callable[[], None]) -> None:
    evening.referee.obey(OPENING)
    path = evening.journal.path
    with Journal(path.with_name("other.db")):
        pass
    path.with_name("other.db").rename(path)
    evening.referee.idle(0.1)
    assert evening.page["stopped"] is True
    assert "Another file lies in the place" in str(evening.page["journal"])
    assert "error" in evening.panel.words()
    with pytest.raises(CommandError, match="Another file"):
        evening.referee.obey(POINT_FIVE)
    path.unlink()
    later()
    evening.referee.idle(0.1)
    assert evening.page["stopped"] is False
    evening.referee.obey(POINT_FIVE)
    assert evening.referee.state == evening.after_a_restart()


@pytest.mark.parametrize("limit", [40_000, 60_000, 120_000])
def test_a_disk_that_is_really_full(tmp_path: Path, limit: int) -> None:
    """The file may not grow any more, told by the system itself; then it may."""
    script = """
import json, resource, signal, sys, time
from pathlib import Path
from controller.referee.commands import CommandError, SetCube
from tests.app.test_written_first import OPENING, Evening
from controller.rules import Side
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
evening, limit = Evening(Path(sys.argv[1])), int(sys.argv[2])
evening.referee.obey(OPENING)
usual = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, usual[1]))
done = refused = 0
while refused < 3:
    try:
        evening.referee.obey(SetCube(value=2 << done % 5, owner=Side.LIGHT))
        done += 1
    except CommandError as error:
        refused += 1
        assert evening.page["stopped"], error
    assert evening.referee.state == evening.after_a_restart()
    assert evening.page["cube"]["value"] == evening.referee.state.cube
resource.setrlimit(resource.RLIMIT_FSIZE, usual)
time.sleep(1.1)
evening.referee.idle(1.1)
assert not evening.page["stopped"]
evening.referee.obey(SetCube(value=2, owner=None))
assert evening.referee.state == evening.after_a_restart()
print(done + 4)
import os
os.kill(os.getpid(), signal.SIGKILL)
"""
    command = [sys.executable, "-c", script, str(tmp_path), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert len(list(journal.events())) == int(done.stdout)


def test_a_journal_that_fails_at_the_start_says_so(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal, full_disk(journal), pytest.raises(JournalError, match="is full"):
        Referee(Table(MatchPlan(MATCH), None, "bottom-right"), journal, Outlets(ViewHub(), VirtualPanel()))
