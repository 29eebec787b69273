"""Games of key frames as worse cameras take them: turns right, turns invented, and what is named as the picture's fault.

    python benchmarks/worse.py ../shared/boards [--only dark] [--only dark+jpeg] [--game dev1] [--out benchmarks/worse.csv]

BOARDS holds `degrade.py`, `score_turns.py` and games/. Each way of `degrade.py` is measured and more of our own (noise, warm and
blue light, flicker, a lens that bends, and what else cameras do), each transcribed as `vrhcab transcribe` does it, the board found.
Ways joined by "+" are what befalls a picture one after the other. A way and game is a row:
turns right, of how many, turns invented, those of them that nothing marks as doubtful, and in how many of the frames each fault is
named.
"""

from __future__ import annotations

import json
import runpy
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.altered import ACTION_CAMERA, WIDE, through_lens
from benchmarks.rows import add_row, stamp
from controller.errors import ControllerError
from controller.rules import MATCH
from controller.run.transcription import Transcription, run_transcription
from controller.simulation.cards import flickering
from vision.board.weaknesses import weaknesses
from vision.errors import VisionError
from vision.frame import Image

NOISE = 14.0
"""Grey levels of a small sensor's noise at high gain."""
CAMERA_HZ = 29.97
NIGHT = 5.0
"""Photons that a white pixel takes of a room's dim light in one frame of a small sensor."""
AMPLIFIED = 0.58
"""Share of the brightness of a good picture that a camera makes of them."""
BANDS, DEPTH = 3.3, 0.45
"""Bands a picture, and the share of light by which they differ."""
BEND = -0.16
"""Radial distortion of a wide lens: k1, by half the picture's width."""
TWICE_AS_LARGE = 2
"""What a digital zoom makes of a small picture."""
HAZE = 0.45
"""Share of the light that comes from elsewhere, through a dirty lens or off a varnish."""
BURNT = 1.7
"""Times the light that a camera takes which measures the dark room around a lit board."""
LEFT_IN_THE_DARK = 0.25
"""Share of the light at one side of the picture, where the lamp stands at the other."""
SHARPENED = 2.5
"""Times that a phone's program makes edges stand out."""
HLG_WHITE = 0.265
"""Share of the most light that a phone's HDR film gives to a white sheet (ITU-R BT.2408)."""
HLG = (0.17883277, 0.28466892, 0.55991073)
"""a, b and c of its curve (ITU-R BT.2100)."""
TO_WIDE = ((0.6274, 0.3293, 0.0433), (0.0691, 0.9195, 0.0114), (0.0164, 0.0880, 0.8956))
"""Linear red, green, blue of BT.709 in BT.2020's primaries."""
FRINGE = 0.004
"""How much larger a cheap lens makes what is red than what is blue."""
HELD = 0.06
"""Share of the picture by which a hand holds the camera elsewhere."""
Way = Callable[[Image, int], Image]
"""What a worse camera makes of a picture and its number."""


def plain(image: Image, _: int) -> Image:
    """A camera as good as the picture."""
    return image


def noise(image: Image, number: int) -> Image:
    rng = np.random.default_rng([11, number])
    return _levels(image + rng.normal(0, NOISE, image.shape))


def night(image: Image, number: int) -> Image:
    """Little light, made bright again: other grain in each frame, where one alone shows hardly a die's pips."""
    rng, photons = np.random.default_rng([13, number]), image * np.float32(NIGHT / 255)
    counted = photons + np.sqrt(photons) * rng.standard_normal(image.shape, np.float32)
    return _levels(counted * (255 * AMPLIFIED / NIGHT))


def tinted(*gains: float) -> Way:
    """Light of another colour, to which the camera's white balance was not set. gains: blue, green, red."""
    return lambda image, _: _levels(image * np.array(gains))


def flicker(image: Image, number: int) -> Image:
    return flickering(image, number / CAMERA_HZ, BANDS, DEPTH)


def lens(image: Image, _: int) -> Image:
    """Straight edges bend outwards: barrel distortion."""
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    across, down = (x - width / 2) / (width / 2), (y - height / 2) / (width / 2)
    stretch = 1 / (1 + BEND * (across**2 + down**2))
    from_x, from_y = across * stretch * width / 2 + width / 2, down * stretch * width / 2 + height / 2
    bent = cv2.remap(image, from_x.astype(np.float32), from_y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(bent, np.uint8)


def zoomed(image: Image, _: int) -> Image:
    """A coarse picture made large again: 25 px and fewer a checker, whatever the picture's size says."""
    height, width = image.shape[:2]
    small = cv2.resize(image, (width // TWICE_AS_LARGE, height // TWICE_AS_LARGE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def haze(image: Image, _: int) -> Image:
    return _levels(image * (1 - HAZE) + 255 * HAZE * 0.8)


def burnt(image: Image, _: int) -> Image:
    return _levels(image.astype(np.float64) * BURNT)


def one_lamp(image: Image, _: int) -> Image:
    """The light falls off across the picture."""
    across = np.linspace(1.0, LEFT_IN_THE_DARK, image.shape[1])[None, :, None]
    return _levels(image * across)


def sharpened(image: Image, _: int) -> Image:
    soft = cv2.GaussianBlur(image, (0, 0), 2.0).astype(np.float64)
    return _levels(soft + SHARPENED * (image - soft))


def fringed(image: Image, _: int) -> Image:
    """Colours that a lens does not bring together away from the middle."""
    height, width = image.shape[:2]
    planes = []
    for plane, larger in zip(cv2.split(image), (1 - FRINGE, 1.0, 1 + FRINGE), strict=True):
        about = cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, larger)
        planes.append(cv2.warpAffine(plane, about, (width, height), borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(cv2.merge(planes), np.uint8)


def hdr(image: Image, _: int) -> Image:
    """A phone's HDR film (hybrid log-gamma, wide primaries) whose values are taken for an ordinary one's: flat and pale."""
    light = (image[:, :, ::-1] / 255.0) ** 2.2 @ np.array(TO_WIDE).T * HLG_WHITE
    a, b, c = HLG
    coded = np.where(light <= 1 / 12, np.sqrt(3 * light), a * np.log(np.maximum(12 * light - b, 1e-9)) + c)
    return _levels(coded[:, :, ::-1] * 255)


def grey(image: Image, _: int) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def held(image: Image, number: int) -> Image:
    """Each picture taken by hand from somewhere else, about half of them from across the table. What faults are named says little
    then: they are measured where the board lay before."""
    rng, (height, width) = np.random.default_rng([12, number]), image.shape[:2]
    if number == 0:
        return image
    size = np.array([width, height], np.float32)
    edges = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size
    moved = edges + (rng.uniform(-HELD, HELD, (4, 2)) + rng.uniform(-HELD, HELD, 2)) * size
    matrix = cv2.getPerspectiveTransform(edges, np.roll(moved, 2 * int(rng.integers(2)), axis=0).astype(np.float32))
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _levels(image: Any) -> Image:
    return np.asarray(np.clip(image, 0, 255), np.uint8)


OURS: dict[str, Way] = {
    "plain": plain,
    "noise": noise,
    "night": night,
    "warm": tinted(0.5, 0.85, 1.15),
    "blue": tinted(1.2, 0.95, 0.55),
    "flicker": flicker,
    "lens": lens,
    "wide lens": lambda image, _: through_lens(image, WIDE),
    "action camera": lambda image, _: through_lens(image, ACTION_CAMERA),
    "zoomed": zoomed,
    "haze": haze,
    "burnt": burnt,
    "one-lamp": one_lamp,
    "sharpened": sharpened,
    "fringed": fringed,
    "grey": grey,
    "hdr": hdr,
    "held": held,
}


def ways(boards: Path | None) -> dict[str, Way]:
    """All of them: those of the boards' own script first, where there are boards."""
    given = runpy.run_path(str(boards / "degrade.py"))["WAYS"] if boards else {}
    return {name: lambda image, _, way=way: way(image) for name, way in given.items()} | OURS


def joined(name: str, known: dict[str, Way]) -> Way:
    """The way of that name, or several joined by "+". Raises click.UsageError for one that is not known."""
    if unknown := [part for part in name.split("+") if part not in known]:
        raise click.UsageError(f"There is no way {unknown[0]!r}. Choose of {', '.join(known)}.")

    def all_of_them(image: Image, number: int) -> Image:
        for part in name.split("+"):
            image = known[part](image, number)
        return image

    return all_of_them


def made_worse(game: Path, out: Path, way: Way) -> Counter[str]:
    """The game's pictures as such a camera takes them; how many frames each fault is named in."""
    out.mkdir()
    named: Counter[str] = Counter()
    for number, line in enumerate((game / "truth.jsonl").read_text(encoding="utf-8").splitlines()):
        truth = json.loads(line)
        image = np.asarray(cv2.imread(str(game / truth["file"])), np.uint8)
        worse = way(image, number)
        cv2.imwrite(str(out / truth["file"]), worse, [cv2.IMWRITE_JPEG_QUALITY, 92])
        corners = np.asarray(truth["corners"], np.float32) * worse.shape[1] / image.shape[1]
        named.update({fault.code for fault in weaknesses(worse, corners)} or {"none"})
    return named


def measured(game: Path, way: Way, scorer: dict[str, Any], room: Path) -> dict[str, Any]:
    """A row of one game seen by one kind of camera."""
    named = made_worse(game, room / "frames", way)
    return transcribed(game, room / "frames", scorer, room / "record.json") | {
        "frames": sum(1 for _ in (room / "frames").glob("*.jpg")),
        "named": " ".join(f"{code}:{count}" for code, count in sorted(named.items())),
    }


def transcribed(game: Path, source: Path, scorer: dict[str, Any], record: Path) -> dict[str, int]:
    """What comes of pictures of a game: turns, and how many of them are right, how many invented, how many of those unmarked.

    source: a folder of pictures or a film; scorer: the names of the boards' own score_turns.py; record: where the record goes.
    """
    transcribe(source, record)
    return compared(game / "game.json", record, scorer)


def transcribe(source: Path, record: Path) -> None:
    """Does what `vrhcab transcribe SOURCE -o RECORD` does; where nothing can be transcribed it says why, and no record is there."""
    try:
        run_transcription(Transcription(str(source), record, MATCH), lambda at, whole: None, lambda: False)
    except (ControllerError, VisionError) as error:
        click.echo(str(error))


def compared(truth: Path, record: Path, scorer: dict[str, Any]) -> dict[str, int]:
    """A record's turns beside the true ones: how many there are, are right, are invented, and are invented and unmarked."""
    want = json.loads(truth.read_text(encoding="utf-8"))["turns"]
    right = [(turn["player"], tuple(sorted(turn["dice"])), turn["after"]) for turn in want if turn.get("after")]
    plays: list[dict[str, Any]] = []
    got = []
    if record.exists():
        made = json.loads(record.read_text(encoding="utf-8"))
        plays = [act for one in made["games"] for act in one["actions"] if act["type"] == "play"]
        sides = [player["color"] for player in made["players"]]
        got = [(sides[play["player"]], tuple(sorted(play["dice"])), play["after"]) for play in plays]
    matched = scorer["common"](right, got)
    others = [play for number, play in enumerate(plays) if number not in {had for _, had in matched}]
    unmarked = [p for p in others if p.get("confidence") is None and not p.get("flags") and not p.get("inferred")]
    return {"turns": len(right), "right": len(matched), "invented": len(others), "unmarked": len(unmarked)}


@click.command(help=__doc__)
@click.argument("boards", type=click.Path(path_type=Path, exists=True))
@click.option("--only", multiple=True, help="Measure only these ways; again for more.")
@click.option("--game", "games", multiple=True, help="Only these games of BOARDS/games.")
@click.option("--out", type=click.Path(path_type=Path), help="CSV that the rows are added to.")
def main(boards: Path, only: tuple[str, ...], games: tuple[str, ...], out: Path | None) -> None:
    """Measures and prints one line a way and game."""
    cv2.setNumThreads(1)
    scorer = runpy.run_path(str(boards / "score_turns.py"))
    known = ways(boards)
    for name in only or known:
        way = joined(name, known)
        for game in sorted((boards / "games").iterdir()):
            if games and game.name not in games:
                continue
            with tempfile.TemporaryDirectory() as room:
                row = stamp() | {"way": name, "game": game.name} | measured(game, way, scorer, Path(room))
            click.echo("  ".join(str(value) for value in list(row.values())[2:]))
            if out is not None:
                add_row(out, row)


if __name__ == "__main__":
    main()
