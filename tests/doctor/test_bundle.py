"""The zip for a report holds what helps, and nobody's name, address or password."""

from __future__ import annotations

import getpass
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.main import main
from controller.config import HubConfig, config_from
from controller.doctor.bundle import redacted, without_secrets, write_bundle
from controller.doctor.finding import Finding
from controller.doctor.machine import Machine
from controller.record.journal import Journal
from controller.referee.events import VERSION, Drawn, MatchStarted, Named, Rewritten, encode, kind
from controller.run.joining import JoinedHub, joined_path, save_joined
from tests.programs import free_port

LOG = """2026-11-21T18:00:01 board vrhcab[77]: match  length 7 light Jana dark Petr Novák rules match
2026-11-21T18:00:02 board vrhcab[77]: The page: http://192.168.1.23:8080, also fe80::ba27:ebff:fe12:3456
2026-11-21T18:00:03 board vrhcab[77]: The panel on /dev/serial/by-id/usb-MicroPython_e6614c311b7e6f35-if00 is connected.
2026-11-21T18:00:04 board vrhcab[77]: mqtt://lamp:hush@10.0.0.2 refused; ask jana@example.org; b8:27:eb:12:34:56; /home/jana/games
2026-11-21T18:00:04 board vrhcab[77]: match place Praha with Bohumila
2026-11-21T18:00:04 board vrhcab[77]:   names  light Květa dark Petr Novák, then Ludmila
2026-11-21T18:00:05 board vrhcab[77]: The PIN of the operator's desk: 402917. It is told only now; /desk asks for it.
2026-11-21T18:00:05 board vrhcab[77]: Hub: hub.klub-plzen.example port 8883: does not answer.
2026-11-21T18:00:06 board vrhcab[77]: GET /overlay/board?key=Zx81spectrum&lang=cs
"""
PRIVATE = (
    "Xylophone-17",
    "klub-brno",
    "klub-plzen",
    "Horymír",
    "Bohumila",
    "Květa",
    "Ludmila",
    "lamps.",
    "Praha",
    "402917",
    "spectrum",
    "Jana",
    "Petr Novák",
    "192.168.1.23",
    "fe80",
    "e6614c311b7e6f35",
    "hush",
    "10.0.0.2",
    "example.org",
    "b8:27:eb",
)


class Logged(Machine):
    def output_of(self, *command: str) -> str | None:
        return LOG if command[0] == "journalctl" else None


def test_nothing_private_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        started = MatchStarted(
            length=7,
            light="Jana",
            dark="Petr Novák",
            rules="match",
            position="4HPwATDgc/ABMA",
            place="Praha",
            team=("Bohumila",),
        )
        renamed = Named(light="Květa", dark="Petr Novák")
        then = (Drawn(light=5, dark=3), Named(light="Ludmila", dark="Petr Novák"))
        put_right = Rewritten(to=1, given=0, then=then, act="corrected")
        for number, event in enumerate((started, renamed, put_right), start=1):
            journal.append(kind(event), VERSION, encode(event), "board-1", "m1", number)
    save_joined(joined_path(path), JoinedHub(HubConfig(address="hub.klub-plzen.example:8883", name="board-2"), "key"))
    config = config_from(
        {
            "journal": {"path": str(path)},
            "web": {
                "overlay_key": "Xylophone-17",
                "names": ["board.klub-brno.example"],
                "overlay_frames": ["https://studio.klub-brno.example:8000"],
            },
            "match": {"team": ["Horymír"], "length": 5},
            "mqtt": {"host": "lamps.jana.example", "username": "lamp"},
            "camera": {"corners": "10,20 600,20 600,400 10,400"},
        }
    )
    write_bundle(
        tmp_path / "b.zip", config, [Finding("network", "ok", "Phones find http://192.168.1.23:8080.")], Logged()
    )
    assert (tmp_path / "b.zip").stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        pages = {name: bundle.read(name).decode() for name in bundle.namelist()}
    for name, text in pages.items():
        for private in PRIVATE:
            assert private.lower() not in text.lower(), (name, private)
    assert "length 7 light <name> dark <name>" in pages["log.txt"]
    assert json.loads(pages["journal.json"])["kinds"] == {"match": 1, "names": 1, "rewrite": 1}
    assert json.loads(pages["settings.json"])["camera"]["corners"] == "10,20 600,20 600,400 10,400"
    assert json.loads(pages["settings.json"])["match"]["length"] == 5
    assert json.loads(pages["versions.json"])["opencv-python-headless"][0].isdigit()


def test_a_user_without_a_name_is_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 54321")

    monkeypatch.setattr(getpass, "getuser", nameless)
    write_bundle(tmp_path / "b.zip", config_from({"journal": {"path": str(tmp_path / "none.sqlite3")}}), [], Logged())
    assert zipfile.is_zipfile(tmp_path / "b.zip")


def test_passwords_in_settings_go_whatever_the_section() -> None:
    kept = without_secrets(
        {"mqtt": {"password": "hush", "username": "lamp", "port": 1883}, "pins": {"undo": 4}, "pin": 1}
    )
    assert kept == {
        "mqtt": {"password": "<removed>", "username": "<removed>", "port": 1883},
        "pins": {"undo": 4},
        "pin": "<removed>",
    }


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=8), max_size=3))
def test_any_text_and_any_name_can_be_redacted(text: str, names: list[str]) -> None:
    assert isinstance(redacted(text, names), str)


def test_the_command_prints_json_and_writes_the_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = tmp_path / "vrhcab.toml"
    settings.write_text(f'[camera]\nsource = "simulator"\n[web]\nport = {free_port()}\n', "utf-8")
    asked = ["doctor", "--config", str(settings), "--json", "--bundle", str(tmp_path / "b.zip")]
    result = CliRunner().invoke(main, asked)
    found = {line["check"]: line for line in json.loads(result.stdout)}
    expected = {"camera", "temperature", "throttling", "disk", "serial", "firmware", "gpio", "clock", "network"}
    assert set(found) == expected
    assert result.exit_code == int(any(line["level"] == "problem" for line in found.values()))
    assert zipfile.is_zipfile(tmp_path / "b.zip")


def test_a_missing_camera_is_exit_one_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    settings = tmp_path / "vrhcab.toml"
    # A port of its own: a referee that runs on the usual one would answer for its camera.
    settings.write_text(
        f'[camera]\nsource = "camera:/dev/v4l/by-id/no-such-camera"\n[web]\nport = {free_port()}\n', "utf-8"
    )
    result = CliRunner().invoke(main, ["doctor", "--config", str(settings)])
    assert result.exit_code == 1
    assert "[FAIL] camera" in result.output


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("game.mat", "game.mat exists already; choose a new name."), ("none/b.zip", "there is no folder")],
)
def test_a_bundle_that_can_not_be_or_takes_another_files_place_is_refused_before_the_looks(
    tmp_path: Path, name: str, sentence: str
) -> None:
    (tmp_path / "game.mat").write_text("mine", "utf-8")
    result = CliRunner().invoke(main, ["doctor", "--bundle", str(tmp_path / name)])
    assert (result.exit_code, result.stdout) == (1, "")
    assert sentence in result.stderr
    assert (tmp_path / "game.mat").read_text("utf-8") == "mine"


def test_there_is_a_bundle_of_settings_whose_journal_can_be_none(tmp_path: Path) -> None:
    settings = config_from({"camera": {"source": "none"}, "journal": {"path": str(tmp_path)}})
    write_bundle(tmp_path / "b.zip", settings, ())
    with zipfile.ZipFile(tmp_path / "b.zip") as bundle:
        assert "can't be the journal" in json.loads(bundle.read("journal.json"))["problem"]
