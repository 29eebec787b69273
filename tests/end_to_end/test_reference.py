"""The commands on the reference data beside the project: pictures, films' key frames and positions with known answers."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli.main import main
from controller.record.check import check
from controller.record.formats import read_record, write_record
from controller.record.from_events import record_of
from controller.record.journal import read_events
from controller.referee.events import decode
from tests.programs import running
from tests.record.gnubg_reader import gnubg_match, our_games, their_games
from tests.shared import shared

GAMES = ("dev1", "dev2")

CELLS_RIGHT = {"renders": 0.97, "photos": 0.93}
"""Floor of the cells read right, of all cells that a person can count."""
EVERY = {"renders": 2, "photos": 1}
"""Which of the pictures are read: benchmarks/accuracy.py reads them all."""


def vrhcab(*arguments: str | Path, stdin: str | None = None) -> str:
    """What the command prints; it must succeed."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def scored(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A scorer's answer; the scorers lie beside the reference data."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of a game's frames, and the folder with its records."""
    frames = shared(f"boards/games/{request.param}")
    records = tmp_path_factory.mktemp(request.param)
    corners = f"@{frames / 'truth.jsonl'}"
    said = vrhcab("transcribe", frames, "--corners", corners, "-o", records / "game.json")
    assert "turns" in said
    for ending in ("mat", "sgf"):
        vrhcab("convert", records / "game.json", records / f"game.{ending}")
    return frames, records


class TestTranscribe:
    def test_every_turn_and_every_double_is_right(self, game: tuple[Path, Path]) -> None:
        frames, records = game
        answer = scored(shared("boards/score_game.py"), frames / "game.json", records / "game.json")
        assert answer.returncode == 0, answer.stdout + answer.stderr

    @pytest.mark.parametrize("ending", ["mat", "sgf"])
    def test_gnu_backgammon_imports_it_without_a_complaint(self, game: tuple[Path, Path], ending: str) -> None:
        _, records = game
        match, printed = gnubg_match(records / f"game.{ending}")
        assert "warning" not in printed.lower()
        assert "error" not in printed.lower()
        assert their_games(match) == our_games(read_record(records / "game.json"))

    @pytest.mark.parametrize("ending", ["json", "mat", "sgf"])
    def test_check_finds_nothing_but_that_the_game_is_not_finished(self, game: tuple[Path, Path], ending: str) -> None:
        problems = check(read_record(game[1] / f"game.{ending}")).problems
        assert [problem for problem in problems if not problem.endswith("game 1 is not finished.")] == []


def test_run_referees_a_folder_of_frames_by_its_settings_and_once_only(tmp_path: Path) -> None:
    frames, looked_at = shared(f"boards/games/{GAMES[0]}"), tmp_path / "frames"
    looked_at.mkdir()
    for picture in frames.glob("*.jpg"):
        (looked_at / picture.name).symlink_to(picture)
    home = json.loads((frames / "game.json").read_text("utf-8"))["light_home"]
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[camera]\nsource = "frames:{looked_at}"\ncorners = "@{frames / "truth.jsonl"}"\nlight_home = "{home}"\n'
        '[journal]\npath = "games.sqlite3"\n[match]\nnames = ["Jana", "Petr"]\n',
        "utf-8",
    )
    _run_to_the_end(tmp_path, settings)
    for picture in sorted(looked_at.iterdir())[10:]:  # the game's beginning is enough to see it refereed twice
        picture.unlink()
    _run_to_the_end(tmp_path, settings)
    events = [decode(stored.version, stored.payload) for stored in read_events(tmp_path / "games.sqlite3")]
    write_record(record_of(events), tmp_path / "game.json")
    answer = scored(shared("boards/score_game.py"), frames / "game.json", tmp_path / "game.json")
    assert answer.returncode == 0, answer.stdout + answer.stderr


def _run_to_the_end(folder: Path, settings: Path) -> None:
    """Runs until all frames have been seen, and stops."""
    (folder / "output.txt").unlink(missing_ok=True)
    with running(folder, "run", "--config", str(settings)) as program:
        program.wait_until(lambda: "has ended after" in program.output)
        assert program.stop() == 0


@pytest.mark.parametrize("kind", CELLS_RIGHT)
def test_enough_cells_are_read_right(kind: str, tmp_path: Path) -> None:
    folder = shared(f"boards/{kind}")
    rows = (folder / "truth.jsonl").read_text("utf-8").splitlines()[:: EVERY[kind]]
    truth, pictures = tmp_path / "truth.jsonl", [folder / json.loads(row)["file"] for row in rows]
    truth.write_text("\n".join(rows), "utf-8")
    readings = tmp_path / "readings.jsonl"
    readings.write_text(vrhcab("read", *pictures, "--corners", f"@{truth}"), "utf-8")
    answer = scored(shared("boards/score.py"), truth, readings, "--json")
    tally: dict[str, Any] = json.loads(answer.stdout)
    assert tally["read"] == tally["pictures"] == len(pictures)
    assert tally["cells_right"] >= CELLS_RIGHT[kind] * tally["cells"], tally


def test_plays_answers_every_case_of_the_oracle() -> None:
    with gzip.open(shared("oracle/plays_dev.jsonl.gz"), "rt") as lines:
        cases = [json.loads(line) for line in lines]
    asked = "".join(json.dumps({"pid": case["pid"], "dice": case["dice"]}) + "\n" for case in cases)
    answers = [json.loads(line) for line in vrhcab("plays", "--batch", stdin=asked).splitlines()]
    assert [(answer["pid"], answer["dice"]) for answer in answers] == [(case["pid"], case["dice"]) for case in cases]
    wrong = [
        case["id"]
        for case, answer in zip(cases, answers, strict=True)
        if sorted(answer["results"]) != sorted(case["res"])
    ]
    assert wrong == []
    assert len(cases) == 4_000
