"""The archive finds, tags, exports and forgets matches, and stays quick with thousands of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Never

import msgspec
import pytest
from click.testing import CliRunner, Result

from controller.cli.archive import line
from controller.cli.main import main
from controller.hub.archivist import line_of
from controller.record.amended import amendment
from controller.record.archive import Archive, ArchiveError, plain
from controller.record.formats import read_record
from controller.record.journal import Journal
from controller.record.model import Record, TeamGame
from controller.record.retention import prune
from controller.referee.events import (
    AMENDED,
    VERSION,
    Flagged,
    GameEnded,
    GameStarted,
    MatchStarted,
    Played,
    Rewritten,
    encode,
    kind,
)
from controller.rules import Side
from tests.record.examples import CRAWFORD, ILLEGAL, MONEY, record, save


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive(tmp_path / "archive.db") as archive:
        yield archive


def named(number: int) -> Record:
    read = record(CRAWFORD)
    player = msgspec.structs.replace(read.players[0], name=f"Hráč {number:04d}")
    return msgspec.structs.replace(
        read, games=read.games[:1], players=(player, read.players[1]), date=f"2026-{number % 12 + 1:02d}-01"
    )


def test_a_record_comes_back_as_it_was_added(archive: Archive) -> None:
    for text in (CRAWFORD, MONEY, ILLEGAL):
        assert archive.get(archive.add(record(text))) == record(text)
    entry = archive.search("dvorakova")[0]
    assert (entry.players, entry.score, entry.length, entry.games) == (("Jan Novák", "Eva Dvořáková"), (3, 2), 3, 3)


def test_the_same_match_is_kept_once(archive: Archive) -> None:
    first = archive.add(msgspec.structs.replace(record(CRAWFORD), file="a.mat"), ["x"])
    assert archive.add(msgspec.structs.replace(record(CRAWFORD), file="b.sgf"), ["y"]) == first
    assert archive.count() == 1
    assert archive.search()[0].tags == ("x", "y")


def test_a_journals_match_is_kept_once_wherever_the_clock_stands(archive: Archive) -> None:
    """Half past eleven in the evening is tomorrow in the next time zone, and a record has its day as it is here."""
    match = msgspec.structs.replace(record(CRAWFORD), match_id="m-1", date="2026-12-31", time="23:30")
    first = archive.add(match, ["x"], renew=True)
    later = msgspec.structs.replace(match, date="2027-01-01", time="00:30")
    assert archive.add(later, renew=True) == first
    assert archive.add(match, renew=True) == first
    assert [(entry.date, entry.tags) for entry in archive.search()] == [("2026-12-31", ("x",))]
    other = msgspec.structs.replace(match, match_id="m-2")
    undated = msgspec.structs.replace(match, date="", time="")
    assert len({first, archive.add(other, renew=True), archive.add(undated, renew=True)}) == 3


def test_search_needs_every_word_and_no_accents(archive: Archive) -> None:
    archive.add(record(CRAWFORD))
    archive.add(record(MONEY))
    assert len(archive.search("JAN")) == 2
    assert len(archive.search("jan praha 2026-11")) == 1
    assert archive.search("jan paris") == ()
    assert archive.search("%") == archive.search("' OR 1=1") == ()


def test_every_player_of_a_chouette_is_found(archive: Archive) -> None:
    read = record(MONEY)
    team = TeamGame((read.players[0].name, read.players[1].name, "Cyril Šťastný"))
    read = msgspec.structs.replace(read, games=(msgspec.structs.replace(read.games[0], team=team), *read.games[1:]))
    number = archive.add(read)
    assert [entry.number for entry in archive.search("stastny")] == [number]
    assert plain("Šťastný") in line_of(read).words


def test_a_chouette_is_listed_with_what_its_first_box_has_won_of_the_others(archive: Archive) -> None:
    read = record(MONEY)
    names = (read.players[0].name, read.players[1].name, "Cyril")
    shares: dict[str, int] = dict(zip(names, (-4, 2, 2), strict=True))
    game = msgspec.structs.replace(read.games[0], score=(0, 0), team=TeamGame(names, shares=shares))
    then = msgspec.structs.replace(game, team=TeamGame((*names[1:], names[0]), shares={**shares, names[0]: 1}))
    read = msgspec.structs.replace(read, games=(game, then))
    archive.add(read)
    entry = archive.search()[0]
    assert (entry.players, entry.score) == ((names[0], f"{names[1]}, Cyril"), (-3, 3))
    assert "  -3 : 3 (money)" in line(entry)
    there = line_of(read)
    assert ((there.light, there.dark), there.score) == (entry.players, entry.score)


def test_tags_come_and_go(archive: Archive) -> None:
    number = archive.add(record(CRAWFORD), ["final", "  two   words "])
    assert [entry.number for entry in archive.search(tag="two words")] == [number]
    archive.untag(number, ["final"])
    assert archive.search(tag="final") == ()
    archive.delete([number])
    assert archive.search(tag="two words") == ()
    with pytest.raises(ArchiveError, match="no match"):
        archive.tag(number, ["x"])


def test_many_matches_are_listed_page_by_page_newest_first(archive: Archive) -> None:
    """How long that takes with 2,000: benchmarks/archive.py."""
    archive._connection.execute("PRAGMA synchronous = OFF")
    for number in range(250):
        archive.add(named(number))
    pages = [archive.search(limit=100, offset=offset) for offset in (0, 100, 200)]
    assert [len(page) for page in pages] == [100, 100, 50]
    dates = [entry.date for page in pages for entry in page]
    assert dates == sorted(dates, reverse=True)
    assert [entry.players[0] for entry in archive.search("hrac 0234")] == ["Hráč 0234"]


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE contacts (name)")
    connection.close()
    with pytest.raises(ArchiveError, match="some other program"):
        Archive(tmp_path / "other.db")
    (tmp_path / "text").write_text("hello " * 100)
    with pytest.raises(ArchiveError, match="can't be used"):
        Archive(tmp_path / "text")
    with sqlite3.connect(tmp_path / "new.db") as connection:
        connection.executescript("CREATE TABLE t (x); PRAGMA application_id = 1448233025; PRAGMA user_version = 9")
    connection.close()
    with pytest.raises(ArchiveError, match="newer vrhcab"):
        Archive(tmp_path / "new.db")


def test_a_damaged_record_is_named(archive: Archive) -> None:
    number = archive.add(record(CRAWFORD))
    archive._connection.execute("UPDATE matches SET record = x'00'")
    with pytest.raises(ArchiveError, match=f"Match {number} .* is damaged"):
        archive.get(number)


def test_the_commands(tmp_path: Path) -> None:
    def run(*arguments: object, answer: str = "") -> tuple[int, str]:
        words = ["--archive", str(tmp_path / "a.db"), *map(str, arguments)]
        result = CliRunner().invoke(main, ["archive", *words], input=answer)
        return result.exit_code, result.stdout

    good, bad = save(tmp_path, "good.mat", CRAWFORD), save(tmp_path, "bad.mat", "nothing")
    code, said = run("import", good, good, bad, "--tag", "final")
    assert (code, said.splitlines()[-1]) == (1, "1 added, 2 read, 1 refused.")
    code, said = run("list", "novak")
    assert code == 0
    assert "Jan Novák - Eva Dvořáková  3 : 2 (to 3)  Open  [final]" in said
    code, said = run("export", "--to", tmp_path, "--as", ".sgf")
    assert read_record(said.strip()).length == 3
    assert run("tag", 1, "x")[0] == run("tag", 1, "x", "--remove")[0] == 0
    assert run("tag", 99, "x")[0] == 1
    assert run("delete", 1, answer="n\n")[0] == 1
    assert "Jan" in run("list")[1]
    assert run("delete", 1, answer="y\n")[1].endswith("1 deleted.\n")
    assert run("list")[1] == ""


def test_the_archive_lies_beside_the_journal_and_only_an_import_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for words in (["import", "--help"], ["list"], ["tag", "1", "x"], ["--archive", str(tmp_path / "none.db"), "list"]):
        result = CliRunner().invoke(main, ["archive", *words])
        assert (result.exit_code, "no archive" in result.output) == ((0, False) if "--help" in words else (1, True))
    assert list(tmp_path.iterdir()) == []
    good = save(tmp_path, "good.mat", CRAWFORD)
    assert CliRunner().invoke(main, ["archive", "import", str(good)]).exit_code == 0
    assert (tmp_path / "state" / "vrhcab" / "archive.sqlite3").exists()
    assert "Novák" in CliRunner().invoke(main, ["archive", "list"]).output


def test_a_folder_is_imported_whole_and_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.archive.PROGRESS_EACH", 10)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    for number in range(21):
        save(tmp_path / "in" / "deep", f"{number}.mat", CRAWFORD.replace("Jan Novák", f"Jan {number:03}"))
    for name in (".hidden.mat", "notes.doc", "archive.db"):
        save(tmp_path / "in", name, "no record")
    result = CliRunner().invoke(main, ["archive", "--archive", str(tmp_path / "a.db"), "import", str(tmp_path / "in")])
    assert result.exit_code == 0
    assert result.stderr == "Importing: 10 of 21 files\nImporting: 20 of 21 files\n"
    assert result.stdout == "21 added, 21 read, 0 refused.\n"


@pytest.mark.parametrize("folder", ["evidence", "demo-evidence"])
def test_the_finished_matches_of_a_journal_are_imported_with_their_pictures(tmp_path: Path, folder: str) -> None:
    start = MatchStarted(length=1, light="Jana", dark="Petr", rules="match", position="4HPwATDgc/ABMA")
    played = Played(side=Side.LIGHT, dice=(3, 1), before="4HPwATDgc/ABMA", after="sGfwATDgc/ABMA", moves=(), notation="",
                    legal=False)  # fmt: skip
    flag = Flagged(number=1, code="R05", side=Side.LIGHT, text="Illegal.")
    won = GameEnded(winner=Side.LIGHT, level=1, points=1)
    with Journal(tmp_path / "j.db") as journal:
        for match, events in (("a1", [start, GameStarted(number=1), played, flag, won]), ("b2", [start])):
            for event in events:
                journal.append(kind(event), VERSION, encode(event), "board-1", match, 1)
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "a1-0001-clip.webm").write_bytes(b"film")
    result = CliRunner().invoke(
        main, ["archive", "--archive", str(tmp_path / "a.db"), "import", str(tmp_path / "j.db")]
    )
    assert (result.exit_code, result.stdout) == (0, "1 added, 1 read, 0 refused.\n")
    with Archive(tmp_path / "a.db") as archive:
        action = archive.get(1).games[0].actions[0]
    assert (action.evidence, action.flagged[0].text) == (("a1-0001-clip.webm",), "Illegal.")


def test_a_journal_whose_match_is_still_on_says_why_nothing_is_taken(tmp_path: Path) -> None:
    start = MatchStarted(length=1, light="Jana", dark="Petr", rules="match", position="4HPwATDgc/ABMA")
    with Journal(tmp_path / "j.db") as journal:
        journal.append(kind(start), VERSION, encode(start), "board-1", "a1", 1)
    result = archived("import", tmp_path / "j.db", folder=tmp_path)
    assert (result.exit_code, result.stdout) == (0, "0 added, 0 read, 0 refused.\n")
    assert "j.db: no match in this journal is over yet." in result.stderr


def test_a_match_put_right_in_its_journal_takes_the_place_of_what_it_was(tmp_path: Path) -> None:
    start = MatchStarted(length=1, light="Jana", dark="Petr", rules="match", position="4HPwATDgc/ABMA")
    won = GameEnded(winner=Side.LIGHT, level=1, points=1)
    archive, path = tmp_path / "a.db", tmp_path / "j.db"

    def imported() -> str:
        words = ["archive", "--archive", str(archive), "import", str(path), "--tag", "club"]
        return CliRunner().invoke(main, words).stdout

    with Journal(path) as journal:
        for match in ("a1", "b2"):
            for event in (start, GameStarted(number=1), won):
                journal.append(kind(event), VERSION, encode(event), "board-1", match, 1)
        assert imported() == "2 added, 2 read, 0 refused.\n"
        lost = GameEnded(winner=Side.DARK, level=1, points=1)
        journal.append(AMENDED, VERSION, amendment("a1", (Rewritten(to=2, given=1), lost)), "board-1", "", 1)
    assert imported() == imported() == "0 added, 2 read, 0 refused.\n"
    with Archive(archive) as kept:
        assert [kept.get(number).games[0].winner for number in (1, 2)] == [1, 0]
        assert [entry.tags for entry in kept.search()] == [("club",)] * 2


def test_the_oldest_frames_go(tmp_path: Path) -> None:
    for age, name in enumerate(["d.jpg", "c.jpg", "b.jpg", "a.jpg"]):
        (tmp_path / name).write_bytes(b"x" * 100)
        os.utime(tmp_path / name, (age, age))
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "d.jpg")
    prune(tmp_path, 250)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jpg", "b.jpg", "folder", "link"]


def test_a_frame_that_vanishes_while_the_folder_is_looked_through_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        (tmp_path / name).write_bytes(b"x" * 100)
    found = [*tmp_path.iterdir()]
    (tmp_path / "b.jpg").unlink()
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(found))
    prune(tmp_path, 200)
    assert [path.name for path in sorted(found) if path.exists()] == ["a.jpg", "c.jpg"]


def archived(*arguments: object, folder: Path, answer: str = "") -> Result:
    """What the command says; the archive lies in that folder."""
    words = ["--archive", str(folder / "a.db"), *map(str, arguments)]
    return CliRunner().invoke(main, ["archive", *words], input=answer)


def test_an_export_goes_on_after_a_match_that_cannot_be_written_and_names_it(tmp_path: Path) -> None:
    doubled = msgspec.structs.replace(record(MONEY).games[0], cube=2)
    with Archive(tmp_path / "a.db") as archive:
        for one in (record(CRAWFORD), msgspec.structs.replace(record(MONEY), games=(doubled,)), record(ILLEGAL)):
            archive.add(one)
    result = archived("export", 1, 2, 3, "--to", tmp_path / "out", folder=tmp_path)
    assert result.exit_code == 1
    assert [Path(line).name[:5] for line in result.stdout.splitlines()] == ["00001", "00003"]
    assert "Match 2: Game 1 begins with the cube at 2" in result.stderr
    assert result.stderr.endswith("Error: 2 of 3 matches written.\n")


@pytest.mark.parametrize("words", [("import", ""), ("export", "--to", "")])
def test_an_empty_name_is_not_the_folder_one_is_in(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As "archive import $FILES" says it where FILES was never set."""
    with Archive(tmp_path / "a.db") as archive:
        archive.add(record(CRAWFORD))
    (tmp_path / "here").mkdir()
    save(tmp_path / "here", "good.mat", MONEY)
    monkeypatch.chdir(tmp_path / "here")
    result = archived(*words, folder=tmp_path)
    assert (result.exit_code, "an empty name" in result.output) == (2, True)
    assert archived("list", folder=tmp_path).output.count("\n") == len(list((tmp_path / "here").iterdir())) == 1
    assert archived("import", ".", folder=tmp_path).output == "1 added, 1 read, 0 refused.\n"


def test_a_place_that_cannot_be_looked_at_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, long = save(tmp_path, "good.mat", CRAWFORD), tmp_path / ("a" * 300)
    result = archived("import", long, good, folder=tmp_path)
    assert (result.exit_code, result.stderr) == (1, f"{long} can't be read: File name too long.\n")
    assert result.stdout == "1 added, 1 read, 1 refused.\n"
    (tmp_path / "closed").mkdir()

    def refuse(path: object) -> Never:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("os.scandir", refuse)
    result = archived("import", tmp_path / "closed", good, folder=tmp_path)
    assert (result.exit_code, result.stderr) == (1, f"{tmp_path / 'closed'} can't be read: Permission denied.\n")
    assert result.stdout == "0 added, 1 read, 1 refused.\n"


def test_a_report_is_no_record_and_is_told_so(tmp_path: Path) -> None:
    report = save(tmp_path, "rep.json", '{"format": "vrhcab-report-1", "clips": []}')
    result = archived("import", report, folder=tmp_path)
    assert "This file has the format 'vrhcab-report-1', which is no record" in result.stderr
    assert "enum" not in result.stderr


@pytest.mark.parametrize("words", [("delete", "1", "99"), ("tag", "99", "x", "--remove")])
def test_a_number_that_no_match_has_is_refused_before_anybody_is_asked(words: tuple[str, ...], tmp_path: Path) -> None:
    with Archive(tmp_path / "a.db") as archive:
        archive.add(record(CRAWFORD))
    result = archived(*words, folder=tmp_path, answer="y\n")
    assert (result.exit_code, "There is no match 99" in result.output, "for good?" in result.output) == (1, True, False)
    assert "Jan" in archived("list", folder=tmp_path).output
