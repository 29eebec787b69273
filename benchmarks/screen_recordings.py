"""Games that a program of somebody else shows, AnkiGammon, recorded from the screen and transcribed: nothing was built on it.

    python benchmarks/screen_recordings.py run --seeds 1-14        a row for each in screen_recordings.csv
    python benchmarks/screen_recordings.py sum                     the figures of the newest commit's rows

Each seed is the first game of a simulated match without errors, in one of its seven designs, with the darker colour above or below
and the bearing off to the right or the left. Piles of more than five are drawn as five with a number on the last. Needs the
packages ankigammon (without what it depends on) and resvg-py, and DejaVu Sans or Liberation Sans.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import av
import click
import cv2
import numpy as np
import resvg_py
from ankigammon.models import CubeState, Player
from ankigammon.models import Position as Drawn
from ankigammon.renderer import color_schemes
from ankigammon.renderer.svg_board_renderer import SVGBoardRenderer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.referee_tally import aligned
from benchmarks.rows import add_row, read_rows, stamp
from benchmarks.seeds import seeds_in
from controller.referee import events
from controller.referee.session import MatchPlan
from controller.rules import MATCH, Position, Side, position_id
from controller.simulation import Doubled, GameWon, SimulatedMatch, SimulatedTable, Taken, TruthEvent, TurnPlayed
from controller.transcript.transcribe import Job, TranscribeError, Transcriber
from vision.frame import Image
from vision.sources.video import VideoSource

RESULTS = Path(__file__).parent / "screen_recordings.csv"
LENGTH = 5
FPS = 10
WIDTH = 1280
"""px of the recording."""
DESIGNS = ("CLASSIC", "FOREST", "OCEAN", "DESERT", "SUNSET", "MIDNIGHT", "MONOCHROME")
FONTS = "Liberation Sans, DejaVu Sans"
OWNERS = {None: CubeState.CENTERED, Side.LIGHT: CubeState.O_OWNS, Side.DARK: CubeState.X_OWNS}


@dataclass(frozen=True)
class Screen:
    """What the program shows. offered: the cube is, at its value."""

    position: Position
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Side | None = None
    offered: bool = False


def played(seed: int) -> list[TruthEvent]:
    """What happens in the first game."""
    table, found = SimulatedTable(seed, SimulatedMatch("none", LENGTH)), list[TruthEvent]()
    for _ in table.scenes():
        found = table.truth
        if any(isinstance(event, GameWon) for event in found):
            break
    ends = next(i for i, event in enumerate(found) if isinstance(event, GameWon))
    return list(found[: ends + 1])


def screens(course: list[TruthEvent], rng: Random) -> Iterator[tuple[Screen, float]]:
    """What is shown, and for how many seconds."""
    shown = Screen(Position.start())
    yield shown, 4.0
    for event in course:
        match event:
            case TurnPlayed():
                first, second = event.dice
                yield replace(shown, dice=(first, second)), rng.uniform(1.5, 4.0)
                shown = replace(shown, position=event.after)
                yield replace(shown, dice=(first, second)), rng.uniform(1.0, 2.5)
                yield shown, rng.uniform(1.0, 2.0)
            case Doubled():
                yield replace(shown, cube=event.value, owner=None, offered=True), rng.uniform(2.0, 4.0)
            case Taken():
                shown = replace(shown, cube=event.value, owner=event.side)
                yield shown, rng.uniform(1.0, 2.0)
            case _:
                pass


class Program:
    """AnkiGammon in one of its designs."""

    def __init__(self, seed: int) -> None:
        design = getattr(color_schemes, DESIGNS[seed % len(DESIGNS)])
        self.swapped = bool(seed // len(DESIGNS) % 2)
        self.name = f"{design.name}{', exchanged' if self.swapped else ''}"
        around = "clockwise" if seed % 3 == 0 else "counter-clockwise"
        self._renderer = SVGBoardRenderer(
            color_scheme=design.with_swapped_checkers() if self.swapped else design, orientation=around
        )
        self.draw = cache(self._draw)

    def _draw(self, screen: Screen) -> Image:
        light, dark = screen.position.light, screen.position.dark
        points = [dark[24], *(dark[23 - point] - light[point] for point in range(24)), -light[24]]
        svg = self._renderer.render_svg(
            Drawn(points=points, x_off=screen.position.off(Side.DARK), o_off=screen.position.off(Side.LIGHT)),
            on_roll=Player.O,
            dice=screen.dice,
            cube_value=screen.cube,
            cube_owner=OWNERS[screen.owner],
            cube_offered=screen.offered,
            show_pip_count=True,
        )
        svg = svg.replace("Arial, sans-serif", FONTS)
        png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH))
        picture = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        return picture[: picture.shape[0] // 2 * 2]


def recorded(path: Path, shown: Iterator[tuple[Screen, float]], program: Program) -> None:
    """The film, packed as such programs do."""
    with av.open(str(path), "w") as container:
        stream: Any = None
        for screen, seconds in shown:
            picture = program.draw(screen)
            if stream is None:
                stream = container.add_stream("libx264", rate=FPS, options={"crf": "28"})
                stream.width, stream.height, stream.pix_fmt = picture.shape[1], picture.shape[0], "yuv420p"
            for _ in range(round(seconds * FPS)):
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode(None))


def transcribed(path: Path) -> tuple[events.AnyEvent, ...]:
    """What holds of it in the end."""
    work = Transcriber(Job(MatchPlan(MATCH, LENGTH), None))
    for frame in VideoSource(path, float(FPS), news_only=True).frames():
        work.look(frame)
    try:
        return work.ended().held
    except TranscribeError as error:
        click.echo(str(error))
        return ()


def figures(seed: int) -> dict[str, Any]:
    """One recording's row. What is called light is whatever looks lighter."""
    course, program = played(seed), Program(seed)
    with tempfile.TemporaryDirectory() as room:
        film = Path(room) / "screen.mp4"
        recorded(film, screens(course, Random(seed)), program)
        held = transcribed(film)
    turns = [event for event in course if isinstance(event, TurnPlayed)]
    side = Side.DARK if program.swapped else Side.LIGHT
    true = [(tuple(sorted(turn.dice, reverse=True)), position_id(turn.after, side)) for turn in turns]
    found = [(event.dice, event.after) for event in held if isinstance(event, events.Played)]
    tall = [turn for turn in turns if max(*turn.after.light, *turn.after.dark) > 5]
    return {
        "seed": seed,
        "design": program.name,
        "turns": len(true),
        "right": len(aligned(true, found)),
        "invented": sum(one not in true for one in found),
        "turns_with_numbers": len(tall),
        "doubles": sum(isinstance(event, Doubled) for event in course),
        "doubles_written": sum(isinstance(event, events.Doubled) for event in held),
        "takes": sum(isinstance(event, Taken) for event in course),
        "takes_written": sum(isinstance(event, events.Taken) for event in held),
    }


@click.group(help=__doc__)
def main() -> None:
    """What to do."""


@main.command()
@click.option("--seeds", required=True)
def run(seeds: str) -> None:
    """Records and transcribes them."""
    for seed in seeds_in(seeds):
        row = stamp() | figures(seed)
        add_row(RESULTS, row)
        click.echo(row)


@main.command("sum")
def total() -> None:
    """Of the newest commit."""
    rows = read_rows(RESULTS)
    rows = [row for row in rows if row["commit"] == rows[-1]["commit"]]
    for name in [name for name in rows[0] if name not in ("date", "commit", "seed", "design")]:
        click.echo(f"{name}: {sum(int(row[name]) for row in rows)}")


if __name__ == "__main__":
    main()
