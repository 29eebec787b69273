"""The commands say what a person needs, on the right stream, with the right exit."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.cli.main import main
from controller.config import places
from controller.record.archive import Archive
from controller.record.formats import _WRITERS, READ, WRITTEN, parse_record, read_record
from controller.record.journal import Journal, read_events
from controller.referee.events import VERSION, MatchStarted, encode, kind
from tests.record.examples import CRAWFORD, ILLEGAL, record, save
from web.security import PinKeeper


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_check_names_what_is_wrong_and_exits_1(tmp_path: Path) -> None:
    good, bad = save(tmp_path, "good.mat", CRAWFORD), save(tmp_path, "bad.mat", ILLEGAL)
    result = run("check", good)
    assert (result.exit_code, result.output) == (0, f"{good}: 3 games, nothing wrong.\n")
    result = run("check", good, bad, tmp_path / "none.mat")
    assert result.exit_code == 1
    assert (
        f"{bad}: line 6: game 1, Jan played 13/7 24/22 with 52, which is not legal: no die was left for 13/7."
        in result.output
    )
    assert "none.mat can't be read" in result.output


def test_check_json_prints_one_record_a_line_whatever_the_file(tmp_path: Path) -> None:
    good, bad = save(tmp_path, "good.mat", CRAWFORD), save(tmp_path, "bad.mat", "nothing")
    result = run("check", "--json", good, bad)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in lines] == [str(good), str(bad)]
    assert [bool(line["problems"]) for line in lines] == [False, True]
    assert all(line["format"] == "vrhcab-record-1" for line in lines)


def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xe8esk\xfd.mat")
    Path(odd).write_text(CRAWFORD)
    result = run("check", "--json", odd)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["file"].endswith("/?esk?.mat")
    for ending in WRITTEN:
        assert run("convert", odd, tmp_path / f"out{ending}").exit_code == 0
    with Archive(tmp_path / "a.db") as archive:
        assert archive.get(archive.add(read_record(odd))).file == "?esk?.mat"


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z", "C"]), max_size=320))
@example("a\x00\x1a")
def test_no_name_breaks_any_format(name: str) -> None:
    before = record(CRAWFORD)
    odd = msgspec.structs.replace(before.players[0], name=name)
    named = msgspec.structs.replace(
        before, players=(odd, before.players[1]), event=name, round=name, place=name, transcriber=name, comment=name
    )
    for ending, write in _WRITERS.items():
        written = write(named)
        if ending not in READ:
            continue
        after = parse_record(written)
        assert [game.winner for game in after.games] == [1, 0, 0], ending
        if ending == ".json" and name.isprintable():
            assert after == named


def test_convert_by_the_ending(tmp_path: Path) -> None:
    source = save(tmp_path, "m.mat", CRAWFORD)
    assert run("convert", source, tmp_path / "m.json").exit_code == 0
    assert json.loads((tmp_path / "m.json").read_text())["length"] == 3
    result = run("convert", source, tmp_path / "m.doc")
    assert result.exit_code == 1
    assert "choose a name that ends with" in result.output
    assert run("convert", source).exit_code == 2


def test_no_record_is_lost_under_what_is_made_of_it(tmp_path: Path) -> None:
    source = save(tmp_path, "m.mat", f'; [Site "Klub"]\n{CRAWFORD}')
    before, link = source.read_bytes(), tmp_path / "other.sgf"
    link.symlink_to(source)
    for command in (("convert", source, source), ("convert", source, link), ("analyse", source, "--graph", link)):
        result = run(*command)
        assert (result.exit_code, "is the record itself" in result.output) == (1, True)
        assert (source.read_bytes(), link.is_symlink()) == (before, True)


def test_backup_and_restore(tmp_path: Path) -> None:
    journal = tmp_path / "j.db"
    with Journal(journal) as owner:
        owner.append("play", 1, "{}", "b", "m", 1)
    assert run("backup", tmp_path / "b.zip", "--journal", journal).exit_code == 0
    assert run("restore", tmp_path / "b.zip", "--to", tmp_path / "fresh").exit_code == 0
    assert list(read_events(tmp_path / "fresh" / "journal.db")) == list(read_events(journal))
    result = run("restore", tmp_path / "b.zip", "--to", tmp_path / "fresh")
    assert result.exit_code == 1
    assert "nothing was restored" in result.output


def test_everything_moves_to_a_fresh_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journal, archive, pictures and settings, from where they are kept to where they are kept."""
    settings = save(tmp_path, "club.toml", "[match]\nlength = 5\n")
    for machine in ("old", "new"):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / machine))
        home = tmp_path / machine / "vrhcab"
        if machine == "old":
            with Journal(home / "journal.sqlite3") as owner, Archive(home / "archive.sqlite3") as archive:
                owner.append("play", 1, "{}", "b", "m", 1)
                archive.add(record(CRAWFORD))
                (home / "hub.json").write_text('{"hub": {}}')
                (home / "evidence").mkdir()
                (home / "evidence" / "m-0001-before.jpg").write_bytes(b"picture")
                result = run("backup", tmp_path / "b.zip", "--config", settings)
            assert result.output.endswith(
                "journal.db, archive.sqlite3, hub.json, club.toml, 1 picture and clips, verified.\n"
            )
            assert run("backup", tmp_path / "small.zip", "--no-pictures").exit_code == 0
        else:
            assert run("restore", tmp_path / "b.zip", "--with-settings").exit_code == 0
        assert len(list(read_events(home / "journal.sqlite3"))) == 1
        with Archive(home / "archive.sqlite3") as archive:
            assert archive.get(1) == record(CRAWFORD)
        assert (home / "evidence" / "m-0001-before.jpg").read_bytes() == b"picture"
    assert (home / "club.toml").read_text() == settings.read_text()
    assert (home / "hub.json").read_text() == '{"hub": {}}'
    assert (home / "hub.json").stat().st_mode & 0o777 == 0o600
    careful = tmp_path / "careful"
    assert run("restore", tmp_path / "b.zip", "--to", careful).exit_code == 0
    assert not [path for path in careful.iterdir() if path.suffix in (".json", ".toml")]
    result = run("restore", tmp_path / "b.zip")
    assert result.exit_code == 1
    assert "nothing was restored" in result.output


def test_an_administrator_means_the_service_without_naming_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "vrhcab.toml"
    installed.write_text('[camera]\nsource = "none"\n[journal]\npath = "elsewhere/games.sqlite3"\n', "utf-8")
    monkeypatch.setattr(places, "SERVICE_STATE", tmp_path)
    monkeypatch.setattr(places, "INSTALLED_SETTINGS", installed)
    (tmp_path / "elsewhere").mkdir()
    with Journal(tmp_path / "elsewhere" / "games.sqlite3") as kept:
        kept.append("note", 1, "{}", "board-1", "one", 1)
    result = run("backup", tmp_path / "b.zip")
    assert (result.exit_code, "vrhcab.toml" in result.output) == (0, True)
    with Journal(tmp_path / "own.sqlite3"):
        result = run("backup", tmp_path / "own.zip", "--journal", tmp_path / "own.sqlite3")
    assert (result.exit_code, "vrhcab.toml" in result.output) == (0, False)
    assert f"There is no archive at {tmp_path}/elsewhere/archive.sqlite3" in run("archive", "list").output
    assert "The settings use no camera" in run("doctor").output


def test_a_list_without_matches_says_so_to_people_and_is_empty_to_programs(tmp_path: Path) -> None:
    archive = ("archive", "--archive", tmp_path / "a.db")
    with Archive(tmp_path / "a.db"):
        nothing = run(*archive, "list")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "The archive holds no matches yet.\n")
    run(*archive, "import", save(tmp_path, "good.mat", CRAWFORD))
    assert (run(*archive, "list", "jan").stdout.count("\n"), run(*archive, "list", "jan").stderr) == (1, "")
    for asked, what in (
        (("Quirin", "2019"), "'Quirin 2019' in names, event, place, date or file"),
        (("--tag", "club"), "the tag 'club'"),
        (("jan", "--tag", "club"), "'jan' in names, event, place, date or file and the tag 'club'"),
    ):
        found = run(*archive, "list", *asked)
        assert (found.exit_code, found.stdout) == (0, "")
        assert found.stderr == f"No match has {what}. vrhcab archive list shows all 1.\n"


def test_a_backup_is_not_unpacked_into_the_folder_one_is_in_for_an_empty_name(tmp_path: Path) -> None:
    result = run("restore", tmp_path / "b.zip", "--to", "")
    assert (result.exit_code, "an empty name" in result.output) == (2, True)


def test_settings_that_are_none_are_named(tmp_path: Path) -> None:
    result = run("backup", tmp_path / "b.zip", "--config", tmp_path / "none.toml")
    assert result.exit_code == 1
    assert "can't be read" in result.output


def test_nothing_is_analysed_while_the_referee_writes_a_match(tmp_path: Path) -> None:
    begun = MatchStarted(length=7, light="Jana", dark="Petr", rules="match", position="4HPwATDgc/ABMA")
    source = save(tmp_path, "m.mat", CRAWFORD)
    with Journal(tmp_path / "j.db") as owner:
        owner.append(kind(begun), VERSION, encode(begun), "b", "m", 1)
        result = run("analyse", source, "--journal", tmp_path / "j.db")
    assert result.exit_code == 1
    assert "A match to 7 is being played on this board" in result.output


def test_a_backup_that_was_cut_off_is_no_damaged_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        journal.append("play", 1, "{}", "b", "m", 1)
    assert run("backup", tmp_path / "b.zip", "--journal", tmp_path / "journal.sqlite3").exit_code == 0
    (tmp_path / "b.zip").write_bytes((tmp_path / "b.zip").read_bytes()[:-100])
    result = run("restore", tmp_path / "b.zip", "--to", tmp_path / "fresh")
    assert result.exit_code == 1
    assert "b.zip is no backup, or it is damaged" in result.output


def test_restore_saves_a_damaged_journal(tmp_path: Path) -> None:
    journal = tmp_path / "j.db"
    with Journal(journal) as owner:
        for _ in range(3):
            owner.append("play", 1, "{}", "b", "m", 1)
    journal.write_bytes(b"\x00" * 100 + journal.read_bytes()[100:])
    result = run("restore", journal)
    assert result.exit_code == 0
    assert "3 events saved" in result.output
    assert len(list(read_events(tmp_path / "j-saved.db"))) == 3


def test_restore_takes_no_pipe_no_device_and_nothing_endless(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as large:
        large.truncate(3 << 30)
    for source, sentence in (
        (tmp_path / "pipe", "no file that could be restored"),
        (Path("/dev/zero"), "no file that could be restored"),
        (tmp_path / "large", "too large to be a journal"),
    ):
        result = run("restore", source, "--to", tmp_path / "saved.db")
        assert (result.exit_code, sentence in result.output) == (1, True), result.output
    assert not (tmp_path / "saved.db").exists()


@pytest.mark.parametrize("before", [None, 0o640])
def test_a_new_pin_belongs_to_whom_the_old_one_did(tmp_path: Path, before: int | None) -> None:
    """As the administrator makes it, for a service that runs as somebody else."""
    state, root = tmp_path / "state", os.geteuid() == 0
    state.mkdir()
    owner = (12345, 12346) if root else (os.geteuid(), os.getegid())
    os.chown(state, *owner)
    if before is not None:
        (state / "desk.json").write_text("{}")
        (state / "desk.json").chmod(before)
        os.chown(state / "desk.json", *owner)
    settings = save(tmp_path, "club.toml", f'[journal]\npath = "{state / "journal.sqlite3"}"\n')
    result = CliRunner().invoke(main, ["pin", "--reset", "--config", str(settings)])
    assert result.exit_code == 0, result.output
    made = (state / "desk.json").stat()
    assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (*owner, before or 0o600)


def test_a_new_pin_goes_beside_the_journal_that_the_program_was_started_with(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["pin", "--reset", "--journal", str(tmp_path / "club" / "games.sqlite3")])
    pin = result.output.split(" is now ")[1][:6]
    assert PinKeeper(tmp_path / "club" / "desk.json").check(pin, "127.0.0.1") is True


@pytest.mark.parametrize("path", ["", ".", "/", "a\\u0000b"])
def test_a_journal_without_a_name_is_named(tmp_path: Path, path: str) -> None:
    settings = save(tmp_path, "club.toml", f'[journal]\npath = "{path}"\n')
    result = run("backup", tmp_path / "b.zip", "--config", settings)
    assert result.exit_code == 1
    assert not isinstance(result.exception, ValueError)
