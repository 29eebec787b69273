"""Builds what the commands run out of settings: tables, sources and plans."""

from __future__ import annotations

import re
import threading
import zlib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec

from controller.app.board_place import AGAIN, BoardPlace, BoardPlaceError, place_path, saved_place
from controller.app.chosen_camera import ChosenCamera
from controller.app.learnt import learnt_path
from controller.app.match_journal import unfinished
from controller.app.table import Table
from controller.app.waits import waits_path
from controller.config import CameraConfig, Config, WebConfig, config_from, journal_path
from controller.errors import ControllerError
from controller.record.journal import Journal, KeptEvents
from controller.referee.clock_commands import check_clock
from controller.referee.coaching import check_coach
from controller.referee.session import MatchPlan
from controller.rules import MATCH, RuleSet, agreed_length, ruleset_from, ruleset_keys, seated
from controller.rules.ruleset import DeviceRules
from controller.run.loop import Source, run
from controller.run.settings import RunSettings, Tell
from controller.run.simulated_camera import SimulatedSource
from controller.simulation import Filming, SimulatedMatch, SimulatedTable
from controller.simulation.manners import Errors
from terms.board import Corner
from terms.role import Role
from vision.outside import named_path
from vision.pictures.files import CornersError, fixed_corners
from vision.sources import KINDS, CameraWishes, FrameSource, open_straight

NAMED_SOURCE = re.compile(r"picamera|(video|frames)\s*:\s*\S.*|camera\s*:\s*([0-9]{1,9}|/.*)", re.DOTALL)
"""What open_source may find one day; waiting for anything else would never end."""

RECORDED = ("video:", "frames:")
"""Sources that begin so are recordings."""


class StartError(ControllerError):
    """What is missing before the referee can start, in a sentence."""


def run_configured(config: Config, stop: threading.Event, tell: Tell) -> None:
    """`vrhcab run`. Raises the sentence of whatever can't be set up."""
    plan = plan_of(config)
    cap = config.journal.evidence_mb << 20
    settings = RunSettings(
        journal_path(config), config.web, config.panel, stop, tell, config.mqtt, config.hub, cap, config.analysis
    )
    text = config.camera.source
    if text == "simulator":
        _run_simulated(_table_for(plan, 1, "some", config.camera.fps or 10.0), plan, 1.0, settings)
        return
    if text == "none":
        run(Table(plan, None, config.camera.light_home), Source(), settings)
        return
    if not NAMED_SOURCE.fullmatch(text):
        raise StartError(
            f"{text!r} is no source of frames. Use {KINDS}; for a game on the simulated board, simulator; "
            "to keep a match by hand on the page, none."
        )
    if text.startswith(RECORDED):
        key_frames = text.startswith("frames:") and config.camera.fps is None
        run(
            table_of(config, plan, text),
            Source(partial(open_camera, config, text), live=False, key_frames=key_frames),
            settings,
        )
        return
    chosen = chosen_camera(config)
    run(table_of(config, plan, chosen.source), Source(chosen.open, chosen=chosen), settings)


def chosen_camera(config: Config) -> ChosenCamera:
    """The camera of the settings, or that which somebody has chosen in its place. Raises ConfigError."""
    text, file = config.camera.source, journal_path(config).with_name("camera.json")
    return ChosenCamera(text, file, partial(open_camera, config))


def open_camera(config: Config, text: str) -> FrameSource:
    """A source; straightened where it is the one for which the settings have a lens file. Raises SourceError."""
    camera = config.camera
    lens = named_path(camera.lens) if camera.lens is not None and text == camera.source else None
    return open_straight(text, lens, fps=camera.fps, size=camera.size, wishes=wishes_of(camera))


def wishes_of(camera: CameraConfig) -> CameraWishes:
    """What a camera is asked beside size and rate."""
    return CameraWishes(camera.mains_hz, camera.keep_focus)


def place_of(config: Config, source: str) -> BoardPlace | None:
    """Where the board lies in that source's pictures: as the settings say of their own source, else as a person has shown on the
    page; None: to be found in the picture. Raises BoardPlaceError where only what no board has says it."""
    if source in ("simulator", "none"):
        return None
    file = place_path(journal_path(config))
    try:
        corners = fixed_corners(config.camera.corners) if source == config.camera.source else None
    except CornersError as error:
        if (shown := saved_place(file, source)) is not None:
            return shown
        raise BoardPlaceError(error.sentence.followed_by(AGAIN)) from error
    return saved_place(file, source) if corners is None else BoardPlace(corners, config.camera.light_home)


def table_of(config: Config, plan: MatchPlan, source: str) -> Table:
    """The table in the pictures of that source.

    A place that no board has keeps nothing from starting: the page says so and asks for the set-up. What a recording teaches is not
    kept, in the place of what the camera's table has taught; nor is what waits, as a recording goes on from where the journal ends.
    """
    journal = journal_path(config)
    learnt, waits = (None, None) if source.startswith(RECORDED) else (learnt_path(journal), waits_path(journal))
    try:
        place, refused = place_of(config, source), ""
    except BoardPlaceError as error:
        place, refused = None, error.sentence
    corners, home, size = (place.corners, place.home, place.size) if place else (None, config.camera.light_home, None)
    camera = config.camera
    own = table_of(config, plan, camera.source) if camera.corners is not None and source != camera.source else None
    return Table(plan, corners, home, place_path(journal), size, refused, learnt, waits, source, own)


def plan_of(config: Config) -> MatchPlan:
    """The match that the settings ask for. Raises RulesError where their rules can't be played, CommandError where they contradict
    what else is asked."""
    rules, match = ruleset_from({"preset": config.rules.preset, **config.rules.keys}), config.match
    rules, length = seated(rules, (*match.names, *match.team)), agreed_length(rules, match.length)
    check_coach(rules.device.role, rules)
    if match.clock:
        check_clock(length)
    return MatchPlan(
        rules,
        length,
        match.names,
        clock=match.clock,
        event=match.event,
        place=match.place,
        round=match.round,
        team=match.team,
    )


@dataclass(frozen=True)
class Demo:
    """The choices of `vrhcab demo`. length None: 3 where points win a match, else as the rules have it; role: the device's, by
    default what shows what it could say, as at a tournament it is silent."""

    seed: int = 1
    speed: float = 1.0
    errors: Errors = "some"
    port: int = 8080
    host: str = "127.0.0.1"
    length: int | None = None
    rules: RuleSet = MATCH
    role: Role = "monitor"
    new: bool = False


DEMO_LENGTH = 3
"""Points that win the demo's match: long enough to see a cube turned, and over in half an hour."""

MANY_GAMES = 1000
"""Games of a simulated session without end."""


def run_demo(demo: Demo, stop: threading.Event, tell: Tell) -> None:
    """`vrhcab demo`: a match on the simulated board, with a journal of its own for each seed and rule set, which no hub hears of.

    Raises RulesError for a length that the rules don't have, CommandError for a role that they don't allow."""
    config = config_from({})
    speaking = replace(seated(demo.rules, ()), device=DeviceRules(role=demo.role))
    check_coach(demo.role, speaking)
    usual = agreed_length(speaking)
    length = agreed_length(speaking, demo.length) if demo.length is not None else min(usual, DEMO_LENGTH)
    journal = journal_path(config).parent / f"demo-{demo.seed}-{demo.errors}-{length}{_named(demo)}.sqlite3"
    if demo.new:
        Journal(journal).close()  # Raises where a demo that is running would lose its file.
        for old in journal.parent.glob(journal.name + "*"):
            old.unlink()
    web = WebConfig(host=demo.host, port=demo.port)
    settings = RunSettings(journal, web, config.panel, stop, tell, demo=True)
    plan = MatchPlan(speaking, length)
    _run_simulated(_table_for(plan, demo.seed, demo.errors), plan, demo.speed, settings)


def _named(demo: Demo) -> str:
    """What tells the journal of these rules and of this role from others'."""
    role = "" if demo.role == "monitor" else f"-{demo.role}"
    if demo.rules == MATCH:
        return role
    keys = msgspec.json.encode(ruleset_keys(demo.rules), order="sorted")
    return f"-{demo.rules.name.split(' ')[0]}-{zlib.crc32(keys):08x}{role}"


def _table_for(plan: MatchPlan, seed: int, errors: Errors, fps: float = 10.0) -> SimulatedTable:
    """Simulated players who play that match by its rules."""
    games = 0 if plan.length else plan.rules.match.games or MANY_GAMES
    return SimulatedTable(seed, SimulatedMatch(errors, plan.length, games=games, rules=plan.rules), Filming(fps=fps))


def _run_simulated(table: SimulatedTable, plan: MatchPlan, speed: float, settings: RunSettings) -> None:
    """The board stands where the journal left it: the simulated players wait while nobody referees them."""
    home: Corner = table.light_home  # type: ignore[assignment]  # a look's home is one of the corners
    source = SimulatedSource(table, speed, lambda: _left_at(settings.journal))
    run(Table(plan, table.corners, home), Source(lambda: source, once=True, act=source.act), settings)


def _left_at(path: Path) -> float:
    """The frame time of the last event of an unfinished match, s; 0 where there is none."""
    return unfinished(KeptEvents(path)).replayed.state.seconds
