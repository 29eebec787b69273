"""Slow and greedy clients against a page that 500 honest viewers follow: one siege of greedy.py after the other."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from benchmarks.attacking.findings import Finding, Ground, Run, attack, judged
from benchmarks.attacking.greedy import KINDS
from benchmarks.attacking.program import SPEAKING, Board
from benchmarks.attacking.siege import EACH, FILES, besiege, findings
from controller.record.rates import Rates
from web.operator import PlayerAnalysis

EVENTS = 100_000
LIST_S = 0.050


def _siege(kind: str, seconds: float = 30.0, files: int = FILES) -> Run:
    def run(ground: Ground) -> Iterator[Finding]:
        # Against hundreds of strangers' addresses only a phone's own address tells it from them.
        measured = besiege(ground, (kind,), seconds=seconds, files=files, each=1 if "many" in kind else EACH)
        told, more = measured.attacker, []
        if kind == "big-bodies":
            most, code = int(told.get("most sent, MB", 0)), told.get("answered 413", 0)
            more.append(
                judged(
                    "taken of one body without a PIN",
                    f"{most} MB, 413 said {code} times",
                    "at most 2 MB",
                    held=most <= 2,
                )
            )
        if kind in ("slow-header", "slow-header-many", "slow-body", "idle"):
            held = int(told.get("longest held, s", 0))
            more.append(
                judged("longest that one was borne with", f"{held} s", "at most 20 s", held=held <= 20 or ground.quick)
            )
        yield from findings(measured, more=more)

    run.__doc__ = f"Against a page that 500 follow, {KINDS[kind][1]} clients: {(KINDS[kind][0].__doc__ or '').strip()}"
    return run


for _kind in KINDS:
    if _kind not in ("lists", "records"):
        # Clients that are only slow need their time to be found out.
        attack(f"siege-{_kind}")(
            _siege(
                _kind,
                45.0
                if _kind in ("slow-header", "slow-body", "idle", "never-read", "never-read-many", "slow-read")
                else 25.0,
            )
        )


def long_journal(path: Path, events: int) -> None:
    """A journal of a long season by the program's own writer: many matches by hand, played in turn."""
    from controller.record.journal import write_events

    if path.exists():
        return
    draft = path.with_name("draft.sqlite3")
    write_events(draft, season(path.with_name("template"), events))
    draft.rename(path)


def season(folder: Path, events: int) -> Iterator[object]:
    """The events of matches that were played by hand at a desk, over and over under other names until there are enough."""

    from controller.record.journal import StoredEvent, read_events

    board = Board(folder, SPEAKING)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        for number in range(25):
            side = {} if number else {"side": "light"}
            operator.say("roll", dice=[3, 1] if number % 2 else [2, 1], **side)
            plays = (operator.get("/api/legal").json or {}).get("plays") or [{"notation": ""}]
            operator.say("play", notation=plays[0]["notation"])
        operator.say("names", light="Jana", dark="Petr")
        program.stop()
    played = list(read_events(board.journal))
    sequence = match = 0
    while sequence < events:
        match += 1
        for one in played:
            sequence += 1
            yield StoredEvent(**{**_fields(one), "sequence": sequence, "match": f"season-{match:05d}"})


def _fields(event: object) -> dict[str, object]:
    from dataclasses import fields

    return {one.name: getattr(event, one.name) for one in fields(event)}  # type: ignore[arg-type]


def _with_season(ground: Ground) -> Path:
    journal = ground.folder / "state" / "journal.sqlite3"
    journal.parent.mkdir(parents=True)
    kept = ground.cache / f"season-named-{EVENTS}.sqlite3"
    long_journal(kept, ground.count(EVENTS, 5000))
    journal.write_bytes(kept.read_bytes())
    return journal


def _judge_all(journal: Path) -> None:
    """Error rates of every match, as GNU Backgammon's verdicts leave them."""
    rates = Rates(journal.with_name("analyses") / "rates.jsonl")
    with closing(sqlite3.connect(journal)) as connection:
        last = connection.execute('SELECT "match", max(sequence) FROM events WHERE "match" != \'\' GROUP BY "match"')
        for number, (match, sequence) in enumerate(last):
            light, dark = (PlayerAnalysis(name, number % 17 + 0.5, 80, 0.1) for name in ("Light", "Dark"))
            rates.add(match, sequence, (light, dark))


@attack("lists-of-a-long-season")
def lists_alone(ground: Ground) -> Iterator[Finding]:
    """Every list and record, one at a time, with a journal of 100,000 events and nobody else about."""
    journal = _with_season(ground)
    _judge_all(journal)
    board = Board(ground.folder, SPEAKING, journal=journal)
    began = time.monotonic()
    with board.running() as program:
        program.wait_page()
        yield judged("start to page", f"{time.monotonic() - began:.1f} s", "30 s", held=time.monotonic() - began <= 30)
        operator = board.operator(program)
        listed = operator.get("/api/matches")
        identity = (listed.json or [{"id": "none"}])[0]["id"] if isinstance(listed.json, list) else "none"
        players = operator.get("/api/players").json or [{"name": "none"}]
        player = f"/api/played?player={quote(players[0]['name'])}"
        matches = ("/api/matches", f"/api/matches/{identity}", f"/api/matches/{identity}/export.mat")
        for what in (*matches, "/api/legal", "/api/players", player):
            replies = [operator.get(what) for _ in range(ground.count(7, 3))]
            middle = sorted(reply.seconds for reply in replies)[len(replies) // 2]
            what = what.replace(identity, "ID")
            shown = f"{middle * 1000:.0f} ms (median), status {replies[0].status}, {len(replies[0].body) / 1e3:.0f} kB"
            yield judged(what, shown, f"{LIST_S * 1000:.0f} ms", held=middle <= LIST_S and replies[0].status == 200)
        yield judged("resident memory", f"{program.resident():.0f} MB", "600 MB", held=program.resident() <= 600)


@attack("siege-lists")
def lists(ground: Ground) -> Iterator[Finding]:
    """Ten strangers ask for the list of matches all the time, with a journal of 100,000 events; 500 follow the page."""
    yield from findings(besiege(ground, ("lists",), seconds=25, journal=_with_season(ground)))


@attack("siege-records")
def records(ground: Ground) -> Iterator[Finding]:
    """Ten strangers ask for records and exports all the time, with a journal of 100,000 events; 500 follow the page."""
    yield from findings(besiege(ground, ("records",), seconds=25, journal=_with_season(ground)))


@attack("page-unit-files")
def unit_files(ground: Ground) -> Iterator[Finding]:
    """The unit asks systemd for enough open files."""
    unit = (Path(__file__).resolve().parents[2] / "install" / "vrhcab.service").read_text("utf-8")
    found = [line.partition("=")[2] for line in unit.splitlines() if line.startswith("LimitNOFILE=")]
    held = bool(found) and int(found[0].split(":")[0]) >= 4096
    yield judged("LimitNOFILE in install/vrhcab.service", ", ".join(found) or "none", "4096 or more", held=held)
    del ground
