"""Films of the simulated table as people have them: begun late, cut, with titles, captions and replays, each by its name.

    film = SimulatedFilm(SimulatedTable(7), [Cut("title-card", 40.0, 3.0)], begin=25.0, end=180.0)
    for frame in film.frames(): ...             # seconds of the film; film.hidden and film.rests say what it has shown

What befalls the table itself (a hand that lies still on the board, a camera that is knocked) are faults.py's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

import cv2
import numpy as np

from controller.rules import Position, legal_plays
from controller.simulation.camera import Array
from controller.simulation.cards import (
    caption,
    diagram,
    face,
    flickering_by,
    laid_out,
    letterboxed,
    logo,
    score_board,
    swayed,
    title_card,
    with_diagram,
    zoomed,
)
from controller.simulation.renderer import Renderer
from controller.simulation.scene import HandThing, Scene, Thing
from controller.simulation.table import SimulatedTable
from controller.simulation.truth import GameBegun, TurnPlayed
from vision.frame import Frame

CutKind = Literal[
    "gap", "hard-cut", "fade", "title-card", "face", "score-board", "caption", "logo", "replay", "zoom", "letterbox",
    "sides-swapped", "by-hand", "flicker", "mirrored", "cameras", "broadcast", "diagram", "analysis",
]  # fmt: skip
AWAY: frozenset[CutKind] = frozenset({"face", "score-board", "analysis"})
"""The camera is elsewhere while the game goes on."""
THROUGHOUT: frozenset[CutKind] = frozenset(
    {"by-hand", "flicker", "mirrored", "cameras", "broadcast", "diagram", "analysis"}
)
"""How the whole film is taken, whatever else befalls it."""

AROUND_THE_TABLE = (0.0, 180.0, 90.0, -90.0)
"""Degrees by which the cameras that film in turn stand round the table from the first."""

SHOWN_FOR = (8.0, 30.0)
"""Seconds for which each is shown."""

SLOWER = 2
"""Times that each picture of a replay is shown."""
LONGEST_REPLAY = 8.0
"""Seconds of the game that can be shown again."""
FADE = 1.0
"""Seconds that the picture takes to go dark, and to come back."""
ZOOM = 1.15
"""How much nearer the picture is after a zoom."""
ZOOMING = 1.5
"""Seconds that it takes."""
TALKED_FOR, TALKED_AGAIN = (6.0, 15.0), (25.0, 50.0)
"""Seconds for which an analysis is shown, and after which there is another, from and to."""
OTHER_PLAY_EVERY = 25
"""Pictures for which a diagram of an analysis stands."""
DRAWN_AFTER = 4.0
"""Seconds after a turn at which it is drawn in the diagram."""
SETTLED = 0.5
"""Seconds without anything moving after which the board rests."""


@dataclass(frozen=True)
class Cut:
    """kind: what whoever made the film has done; at: seconds of the game; seconds: for how long.

    gap: that time is missing; hard-cut: only moments in which nothing moves are left of it; fade: the picture goes dark and comes
    back; title-card: a card is shown, the game waits; face, score-board: something else is shown, the game goes on; caption, logo:
    over a corner; replay: the last seconds once more, slowly, then the game goes on; zoom: from then on the picture is nearer;
    letterbox: the whole film has black bars; sides-swapped: from then on the board is seen from the other side; by-hand: the whole
    film is taken with a camera in somebody's hands; flicker: by a rolling shutter under a lamp that flickers; mirrored: left for
    right, as by a camera that faces its owner, so that everybody seems to throw to his left; cameras: now from one side of the
    table, now from another; broadcast: on a page beside both players' faces; diagram: on one beside the game as somebody draws it;
    analysis: now and then what else could have been played is shown instead of the board, in diagrams, and the game goes on.
    """

    kind: CutKind
    at: float = 0.0
    seconds: float = 4.0

    def holds(self, now: float) -> bool:
        """Whether it is on at that second of the game."""
        return self.at <= now < self.at + self.seconds


class SimulatedFilm:
    """A film of a table's match. begin, end: seconds of the game that it shows.

    hidden: what of the game it has not shown so far, seconds of the game from and until, with the second of the film at which the
    board is seen again; rests: seconds of the film at which the board had come to rest, or was seen again at rest.
    """

    def __init__(
        self, table: SimulatedTable, cuts: Sequence[Cut] = (), begin: float = 0.0, end: float = float("inf")
    ) -> None:
        talks = any(cut.kind == "analysis" for cut in cuts)
        cuts = [*(cut for cut in cuts if cut.kind != "analysis"), *(_analyses(table.seed, begin) if talks else ())]
        self.table, self._cuts = table, tuple(sorted(cuts, key=lambda cut: cut.at))
        self._begin, self._end = begin, end
        self.hidden: list[tuple[float, float, float]] = []
        self.rests: list[float] = []
        self._shown = 0

    @property
    def seconds(self) -> float:
        """Of the film so far."""
        return self._shown / self.table.fps

    def frames(self) -> Iterator[Frame]:
        """The film; seconds are its own, from 0."""
        self.hidden, self.rests, self._shown = [], [], 0
        waiting = deque(cut for cut in self._cuts if cut.kind in ("title-card", "replay"))
        several = self._is("cameras")
        cameras = _Cameras(self.table, AROUND_THE_TABLE if several else AROUND_THE_TABLE[:1])
        kept: deque[bytes] = deque(maxlen=round(LONGEST_REPLAY * self.table.fps))
        still = _TrueRests(round(SETTLED * self.table.fps))
        away = 0.0 if self._begin > 0 else None
        for number, scene in enumerate(self.table.scenes()):
            now = number / self.table.fps
            if now >= self._end:
                return
            rests = still.see(scene)
            if now < self._begin or self._is_left_out(scene, now):
                if now >= self._begin and self._on("gap", now) and away is None:
                    away = now
                continue
            elsewhere = next((cut for cut in self._cuts if cut.kind in AWAY and cut.holds(now)), None)
            if elsewhere is not None:
                away = now if away is None else away
                yield self._frame(self._laid_out(self._other(elsewhere, now), now))
                continue
            if away is not None:
                self.hidden.append((away, now, self.seconds))
                away, rests = None, still.rests
            if rests:
                self.rests.append(self.seconds)
            picture = cameras.draw(scene, now)
            if any(cut.kind == "replay" for cut in waiting):
                kept.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())
            yield self._frame(self._dressed(picture, now))
            while waiting and now >= waiting[0].at:
                for more in self._inserted(waiting.popleft(), kept):
                    yield self._frame(self._dressed(more, now))

    def _frame(self, picture: Array) -> Frame:
        self._shown += 1
        return Frame(picture, (self._shown - 1) / self.table.fps)

    def _is(self, kind: CutKind) -> bool:
        """Whether all of it is so."""
        return any(cut.kind == kind for cut in self._cuts)

    def _on(self, kind: CutKind, now: float) -> bool:
        return any(cut.kind == kind and cut.holds(now) for cut in self._cuts)

    def _is_left_out(self, scene: Scene, now: float) -> bool:
        moves = any(isinstance(thing, HandThing) for thing in scene.things)
        return self._on("gap", now) or (moves and self._on("hard-cut", now))

    def _other(self, cut: Cut, now: float) -> Array:
        """What is shown instead of the board: something that the camera sees, or a diagram."""
        size, seed = self.table.size, self.table.seed
        if cut.kind == "analysis":
            return self._other_play()
        return self._filmed(face(size, seed, self._shown) if cut.kind == "face" else score_board(size, seed), now)

    def _other_play(self) -> Array:
        """A diagram as large as the picture of another play than the last."""
        last = next((event for event in reversed(self.table.truth) if isinstance(event, TurnPlayed)), None)
        rng = Random(f"{self.table.seed} {self._shown // OTHER_PLAY_EVERY} analysis")
        shown = Position.start()
        if last is not None:
            shown = rng.choice(legal_plays(last.before, last.side, last.dice)).result
        return diagram(shown, self.table.size, self.table.seed)

    def _inserted(self, cut: Cut, kept: Sequence[bytes]) -> Iterator[Array]:
        """Pictures that stand between two of the game's."""
        if cut.kind == "title-card":
            for _ in range(round(cut.seconds * self.table.fps)):
                yield title_card(self.table.size, self.table.seed)
            return
        last = list(kept)[-round(cut.seconds * self.table.fps) :]
        for packed in last:
            picture = np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            for _ in range(SLOWER):
                yield caption(picture, "REPLAY")

    def _dressed(self, picture: Array, now: float) -> Array:
        """The picture as the film shows it at that second of the game."""
        return self._laid_out(self._filmed(picture, now), now)

    def _filmed(self, picture: Array, now: float) -> Array:
        """The picture as the camera takes it."""
        if self._is("mirrored"):
            picture = np.ascontiguousarray(picture[:, ::-1])
        if self._is("by-hand"):
            picture = swayed(picture, now, self.table.seed)
        if self._is("flicker"):
            picture = flickering_by(picture, now, self.table.seed)
        for cut in self._cuts:
            if cut.kind == "zoom" and now >= cut.at:
                picture = zoomed(picture, 1 + (ZOOM - 1) * min((now - cut.at) / ZOOMING, 1.0))
            elif cut.kind == "sides-swapped" and now >= cut.at:
                picture = np.ascontiguousarray(picture[::-1, ::-1])
        return picture

    def _laid_out(self, picture: Array, now: float) -> Array:
        """What is made of it afterwards."""
        for cut in self._cuts:
            if cut.kind == "fade" and cut.at - FADE < now < cut.at + FADE:
                picture = np.asarray(cv2.convertScaleAbs(picture, alpha=abs(now - cut.at) / FADE))
            elif cut.kind == "caption" and cut.holds(now):
                picture = caption(picture, "JANA - PETR  3 : 2")
            elif cut.kind == "logo" and cut.holds(now):
                picture = logo(picture)
        if self._is("letterbox"):
            picture = letterboxed(picture)
        if self._is("broadcast"):
            picture = laid_out(picture, self.table.seed, self._shown)
        if self._is("diagram"):
            picture = with_diagram(picture, self._drawn(now), self.table.seed, self._shown)
        return picture

    def _drawn(self, now: float) -> Position:
        """What the diagram shows at that second of the game."""
        drawn = Position.start()
        for event in self.table.truth:
            if isinstance(event, TurnPlayed | GameBegun) and event.seconds <= now - DRAWN_AFTER:
                drawn = event.after if isinstance(event, TurnPlayed) else Position.start()
        return drawn


def _analyses(seed: int, begin: float) -> list[Cut]:
    """When a film that begins then shows analyses: for two hours."""
    rng, cuts, at = Random(f"{seed} analyses"), list[Cut](), begin
    while at < begin + 7200:
        at += rng.uniform(*TALKED_AGAIN)
        seconds = rng.uniform(*TALKED_FOR)
        cuts.append(Cut("analysis", at, seconds))
        at += seconds
    return cuts


class _Cameras:
    """Cameras that stand round the table by so many degrees each, shown in turn; the first alone is always shown."""

    def __init__(self, table: SimulatedTable, around: Sequence[float]) -> None:
        self._table, self._around = table, around
        self._rng = Random(f"{table.seed} cameras")
        self._renderers: dict[float, Renderer] = {}
        self._now, self._until = around[0], self._rng.uniform(*SHOWN_FOR) if len(around) > 1 else float("inf")

    def draw(self, scene: Scene, now: float) -> Array:
        """The scene as the camera takes it whose turn it is at that second."""
        while now >= self._until:
            self._now = self._rng.choice([degrees for degrees in self._around if degrees != self._now])
            self._until += self._rng.uniform(*SHOWN_FOR)
        if self._now not in self._renderers:
            self._renderers[self._now] = self._table.renderer(around=self._now)
        return self._renderers[self._now].draw(scene)


class _TrueRests:
    """Says when the board truly comes to rest, of what is drawn: `MotionGate`, which sees pictures, is measured by it."""

    def __init__(self, frames: int) -> None:
        self._frames = frames
        self._things: frozenset[Thing] = frozenset()
        self._quiet = 0

    def see(self, scene: Scene) -> bool:
        """Whether with this scene nothing has moved for just so many frames."""
        things = frozenset(scene.things)
        moves = things != self._things or any(isinstance(thing, HandThing) for thing in things)
        self._things, self._quiet = things, 0 if moves else self._quiet + 1
        return self._quiet == self._frames

    @property
    def rests(self) -> bool:
        """Whether nothing has moved for so long, or longer."""
        return self._quiet >= self._frames
