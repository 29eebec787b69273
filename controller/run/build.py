"""Builds what the commands run out of settings: tables, sources and plans."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from controller.app.board_place import BoardPlaceError, saved_place
from controller.app.match_journal import unfinished
from controller.app.table import Table
from controller.config import Config, MatchConfig, WebConfig, config_from, journal_path
from controller.errors import ControllerError
from controller.record.formats import WRITTEN, write_record
from controller.record.journal import Journal, KeptEvents
from controller.record.model import Play
from controller.referee.session import MatchPlan
from controller.referee.state import fold
from controller.rules import MATCH, RuleSet, agreed_length, ruleset_from
from controller.rules.ruleset import DeviceRules
from controller.run.loop import Source, run
from controller.run.settings import RunSettings, Tell
from controller.run.simulated_camera import SimulatedSource
from controller.simulation import SimulatedTable
from controller.simulation.script import Errors
from controller.tracking.orientation import Corner
from controller.transcript.report import TranscriptNotes, check_report, write_report
from controller.transcript.transcribe import Job, TranscribeError, transcribe
from vision.frame import Corners
from vision.pictures.files import load_corners_file, parse_corners
from vision.sources import KINDS, FrameSource, open_straight

NAMED_SOURCE = re.compile(r"picamera|(video|frames)\s*:\s*\S.*|camera\s*:\s*([0-9]+|/.*)", re.DOTALL)
"""What open_source may find one day; waiting for anything else would never end."""


class StartError(ControllerError):
    """What is missing before the referee can start, in a sentence."""


def run_configured(config: Config, stop: threading.Event, tell: Tell) -> None:
    """`vrhcab run`. Raises the sentence of whatever can't be set up."""
    rules = ruleset_from({"preset": config.rules.preset, **config.rules.keys})
    plan = _plan(rules, config.match)
    cap = config.journal.evidence_mb << 20
    settings = RunSettings(journal_path(config), config.web, config.panel, stop, tell, config.mqtt, cap)
    text = config.camera.source.strip()
    if text == "simulator":
        table = SimulatedTable(seed=1, match_length=max(plan.length, 1), fps=config.camera.fps or 10.0)
        _run_simulated(table, plan, 1.0, settings)
        return
    if text == "none":
        run(Table(plan, None, config.camera.light_home), Source(), settings)
        return
    if not NAMED_SOURCE.fullmatch(text):
        raise StartError(
            f"{text!r} is no source of frames. Use {KINDS}; for a game on the simulated board, simulator; "
            "to keep a match by hand on the page, none."
        )
    source: Callable[[], FrameSource] = partial(
        open_straight, text, _path(config.camera.lens), fps=config.camera.fps, size=config.camera.size
    )
    key_frames = text.startswith("frames:") and config.camera.fps is None
    live = not text.startswith(("video:", "frames:"))
    run(table_of(config, plan), Source(source, live, key_frames=key_frames), settings)


def table_of(config: Config, plan: MatchPlan) -> Table:
    """Where the board lies: as the settings say, else as a person has shown on the page, else to be found in the picture."""
    file = journal_path(config).with_name("table.json")
    corners, home = _fixed_corners(config.camera.corners), config.camera.light_home
    if corners is not None:
        return Table(plan, corners, home, file)
    try:
        shown = saved_place(file)
    except BoardPlaceError as error:
        return Table(plan, None, home, file, refused=str(error))
    if shown is None:
        return Table(plan, None, home, file)
    return Table(plan, shown.corners, shown.home, file, shown.size)


def _plan(rules: RuleSet, match: MatchConfig) -> MatchPlan:
    length = agreed_length(rules, match.length)
    return MatchPlan(
        rules, length, match.names, clock=match.clock, event=match.event, place=match.place, round=match.round
    )


@dataclass(frozen=True)
class Demo:
    """The choices of `vrhcab demo`."""

    seed: int = 1
    speed: float = 1.0
    errors: Errors = "some"
    port: int = 8080
    host: str = "127.0.0.1"
    length: int = 3
    new: bool = False


def run_demo(demo: Demo, stop: threading.Event, tell: Tell) -> None:
    """`vrhcab demo`: a match on the simulated board, with a journal of its own for each seed."""
    config = config_from({})
    journal = journal_path(config).parent / f"demo-{demo.seed}-{demo.errors}-{demo.length}.sqlite3"
    if demo.new:
        Journal(journal).close()  # Raises where a demo that is running would lose its file.
        for old in journal.parent.glob(journal.name + "*"):
            old.unlink()
    table = SimulatedTable(demo.seed, demo.errors, demo.length)
    settings = RunSettings(journal, WebConfig(host=demo.host, port=demo.port), config.panel, stop, tell)
    # At a tournament a device is silent; a demo shows what it could say.
    speaking = replace(MATCH, device=DeviceRules(role="monitor"))
    _run_simulated(table, MatchPlan(speaking, demo.length), demo.speed, settings)


def _run_simulated(table: SimulatedTable, plan: MatchPlan, speed: float, settings: RunSettings) -> None:
    """The board stands where the journal left it: the simulated players wait while nobody referees them."""
    home: Corner = table.light_home  # type: ignore[assignment]  # a look's home is one of the corners
    source = SimulatedSource(table, speed, lambda: _left_at(settings.journal))
    run(Table(plan, table.corners, home), Source(lambda: source, once=True, act=source.act), settings)


def _left_at(path: Path) -> float:
    """The frame time of the last event of an unfinished match, s; 0 where there is none."""
    _, events = unfinished(KeptEvents(path))
    return fold(events).seconds


def _path(text: str | None) -> Path | None:
    return Path(text).expanduser() if text else None


def _fixed_corners(text: str | None) -> Corners | None:
    """The corners of a fixed camera: the ones given, or a file's first; None where the board is to be found."""
    if text is None:
        return None
    if not text.startswith("@"):
        return parse_corners(text)
    found = list(load_corners_file(Path(text[1:])).values())
    if not found:
        raise StartError(f"{text[1:]} has no corners in it.")
    return found[0]


@dataclass(frozen=True)
class Transcription:
    """The choices of `vrhcab transcribe`. length None: as the rules have it; names: "LIGHT,DARK"."""

    source: str
    output: Path
    rules: RuleSet
    corners: str | None = None
    home: Corner | None = None
    length: int | None = None
    names: str = "Light,Dark"
    fps: float | None = None
    lens: Path | None = None
    report: Path | None = None


def run_transcription(chosen: Transcription, progress: Callable[[Iterable[Any], int | None], Iterator[Any]]) -> str:
    """`vrhcab transcribe`; says in words what was found. progress: wraps the frames to show how far it is."""
    light, _, dark = chosen.names.partition(",")
    if not light.strip() or not dark.strip():
        raise TranscribeError("Give both names with a comma between them, for example --names Anna,Boris.")
    plan = MatchPlan(chosen.rules, agreed_length(chosen.rules, chosen.length), (light.strip(), dark.strip()))
    _check_output(chosen.output)
    if chosen.report is not None:
        check_report(chosen.report)
    notes = TranscriptNotes()
    path = Path(chosen.source)
    folder, named = path.is_dir(), ":" in chosen.source and not path.exists()
    source = chosen.source if named else f"{'frames' if folder else 'video'}:{chosen.source}"
    opened = open_straight(source, chosen.lens, fps=chosen.fps)
    try:
        if opened.live:
            raise TranscribeError(
                f"{chosen.source!r} never ends. Transcribe a video file or a folder; for a camera: vrhcab run."
            )
        key_frames = folder and chosen.fps is None
        job = Job(plan, _fixed_corners(chosen.corners), chosen.home, key_frames=key_frames)
        record = transcribe(progress(opened.frames(), opened.total), job, notes)
    finally:
        opened.close()
    write_record(record, chosen.output)
    if chosen.report is not None:
        write_report(notes.turns(), chosen.report, path.name)
    turns = sum(isinstance(action, Play) for game in record.games for action in game.actions)
    return f"{len(record.games)} game(s), {turns} turns"


def _check_output(path: Path) -> None:
    """Says before the work, not after it, that its result could not be written."""
    if not path.name.lower().endswith(WRITTEN):
        raise TranscribeError(f"{path}: choose a name that ends with one of {', '.join(WRITTEN)}.")
    if not path.parent.is_dir():
        raise TranscribeError(f"{path} can't be written: there is no folder {path.parent}. Make it, or choose another.")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise TranscribeError(f"{path} can't be written. Choose a file name in a folder of your own.")
