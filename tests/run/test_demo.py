"""`vrhcab demo` by any rules: the simulated players play by those that the referee goes by, each in a journal of their own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from controller.cli.main import main
from controller.config import HubConfig, config_from, evidence_path
from controller.record.evidence import EvidenceFolder
from controller.record.journal import read_events
from controller.record.of_journal import records_in
from controller.referee.events import MatchStarted, decode
from controller.referee.session import MatchPlan
from controller.rules import MATCH, RulesError, RuleSet, Side, parse_ruleset, preset_named
from controller.run import loop
from controller.run.build import Demo, _table_for, run_demo
from controller.run.joining import JoinedHub, save_joined
from controller.run.settings import Tell
from tests.programs import free_port
from web.app import create_app
from web.hub import ViewHub

HYPER = parse_ruleset("text-002", ["variant=hypergammon"])
MONEY = parse_ruleset("text-004", ["stake.point=5 Kč"])


def begun(folder: Path, rules: RuleSet, length: int | None = None) -> list[Path]:
    """The journals after a demo that is stopped as soon as it runs."""
    stop = threading.Event()
    stop.set()
    run_demo(Demo(rules=rules, length=length, port=free_port()), stop, lambda sentence: None)
    return sorted((folder / "vrhcab").glob("demo-*.sqlite3"))


def test_each_rule_set_has_its_own_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found = {}
    for rules in (MATCH, HYPER, MONEY):
        before = set((tmp_path / "vrhcab").glob("demo-*.sqlite3"))
        (new,) = set(begun(tmp_path, rules)) - before
        (record,) = records_in(new)
        found[rules.name] = record.length, record.variation, record.rules.split(" ")[0]
    assert found == {
        "match": (3, "standard", "match"),
        "text-002 with changes": (3, "hypergammon", "text-002"),
        "text-004 with changes": (0, "standard", "text-004"),
    }
    with pytest.raises(RulesError, match="without end"):
        begun(tmp_path, MONEY, 5)


@pytest.mark.parametrize(
    ("name", "journal"),
    [
        ("match", "demo-1-some-3"),
        ("text-002", "demo-1-some-3-text-002-1596bc41"),
        ("money", "demo-1-some-0-money-42d821bf"),
    ],
)
def test_a_demo_goes_on_in_the_journal_that_its_rules_had_before_a_role_could_be_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, journal: str
) -> None:
    """Also where only the device's role tells the rules from those of a match."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert [path.stem for path in begun(tmp_path, preset_named(name))] == [journal]


def test_the_hub_that_the_board_has_joined_hears_nothing_of_a_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    hub = HubConfig(address="127.0.0.1:9", name="board-7", password="not a word of this", tls=False)
    save_joined(tmp_path / "vrhcab" / "hub.json", JoinedHub(hub, "k" * 40))
    opened: list[object] = []
    monkeypatch.setattr(loop, "_outbox", lambda *asked: opened.append(asked))
    begun(tmp_path, MATCH)
    assert opened == []


def test_a_demos_page_says_that_it_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    said: list[bool] = []

    def made(*args: Any, demo: bool, **keywords: Any) -> Flask:
        said.append(demo)
        return create_app(*args, demo=demo, **keywords)

    monkeypatch.setattr(loop, "create_app", made)
    begun(tmp_path, MATCH)
    assert said == [True]
    assert create_app(ViewHub(), demo=True).test_client().get("/healthz").json["demo"] is True


def test_a_demos_pictures_take_no_room_from_those_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folders: list[Path] = []

    def opened(folder: Path, cap: int, tell: Tell) -> EvidenceFolder:
        folders.append(folder)
        return EvidenceFolder(folder, cap, tell)

    monkeypatch.setattr(loop, "EvidenceFolder", opened)
    begun(tmp_path, MATCH)
    assert folders
    assert evidence_path(config_from({})) not in folders


def test_the_simulated_players_play_that_game() -> None:
    table = _table_for(MatchPlan(HYPER, 3), 1, "none")
    scene = next(table.scenes())
    assert [sum(getattr(thing, "side", None) is side for thing in scene.things) for side in Side] == [3, 3]
    endless = _table_for(MatchPlan(MONEY, 0), 1, "none")
    assert next(endless.scenes())


@pytest.mark.parametrize(
    ("keys", "role"),
    [([], "monitor"), (["--set", "device.role=recorder"], "recorder"), (["--set", "device=coach"], "coach")],
)
def test_the_device_of_a_demo_does_what_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: list[str], role: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    stop = threading.Event()
    stop.set()
    monkeypatch.setattr("controller.cli.main.stop_on_signals", lambda: stop)
    assert CliRunner().invoke(main, ["demo", "--port", str(free_port()), *keys]).exit_code == 0
    (path,) = (tmp_path / "vrhcab").glob("demo-*.sqlite3")
    first = next(event for event in read_events(path) if event.kind == "match")
    begun_as = decode(first.version, first.payload)
    assert isinstance(begun_as, MatchStarted)
    assert begun_as.keys["device.role"] == role
    refused = CliRunner().invoke(main, ["demo", "--rules", "money", "--set", "device.role=coach"])
    assert (refused.exit_code, "Nobody is coached in a match for stakes" in refused.output) == (1, True)
