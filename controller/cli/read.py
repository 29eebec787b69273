"""`vrhcab read`: the position in still pictures, as JSON lines, a board in the terminal, an XGID, a picture drawn over."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from controller.cli.files import FILE, shown_name, write_whole
from controller.cli.options import CORNERS_HELP, LENS_HELP
from terms.board import CORNERS
from vision.errors import VisionError

if TYPE_CHECKING:
    from controller.stills.position import Asked
    from vision.board.geometry import BoardGeometry
    from vision.finding import BoardLocation
    from vision.frame import Corners, Image
    from vision.observation import Observation
    from vision.reading.reader import BoardReader
    from vision.reading.report import Reading

OutputForm = Literal["json", "table", "xgid"]
Load = Callable[[Path], "Image"]


@dataclass(frozen=True)
class Read:
    """One picture as read. geometry has the bar's place; sureness: (25,) probability of each column's answer, the bar's last."""

    picture: Image
    reading: Reading
    geometry: BoardGeometry
    sureness: tuple[float, ...]


@click.command("read")
@click.argument("images", nargs=-1, required=True, type=FILE)
@click.option("--corners", help=CORNERS_HELP + " Without it the board is found in the picture.")
@click.option("--table", "shown", flag_value="table", help="Draw the board in the terminal instead of JSON.")
@click.option(
    "--xgid", "shown", flag_value="xgid", help="Print the position's XGID, for analysis programs, instead of JSON."
)
@click.option(
    "--overlay",
    type=FILE,
    help="Picture to write with everything that was read drawn on it; a folder where several are read.",
)
@click.option("--home", type=click.Choice(CORNERS), help="Where light bears off; guessed where it is not said.")
@click.option(
    "--turn", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="Who is on roll."
)
@click.option("--lens", type=FILE, help=LENS_HELP)
@click.option("--same-camera", is_flag=True, help="One fixed camera took all pictures: they may teach each other.")
def read_command(
    images: tuple[Path, ...],
    corners: str | None,
    shown: OutputForm | None,
    overlay: Path | None,
    home: str | None,
    turn: str,
    lens: Path | None,
    same_camera: bool,
) -> None:
    """Print the position in still pictures, one JSON line each."""
    from controller.rules import Side
    from controller.stills.position import Asked

    asked = Asked(Side(turn), home)  # type: ignore[arg-type]  # click lets only homes through
    given = _given_corners(corners)
    overlays = _overlays(overlay, images)
    failed = 0
    for path, result in _all_read(images, given, _loader(lens), same_camera=same_camera):
        if isinstance(result, Exception):
            failed += 1
            click.echo(f"Error: {result}", err=True)
            if shown in (None, "json"):
                click.echo(json.dumps({"file": shown_name(path), "error": str(result)}, ensure_ascii=False))
            continue
        failed += _show(result, shown or "json", asked)
        if overlays:
            _write_overlay(result, overlays[path])
    if shown in ("table", "xgid") and home is None and failed < len(images):
        click.echo("Where light bears off elsewhere, say so with --home.", err=True)
    sys.exit(1 if failed else 0)


def _loader(lens: Path | None) -> Load:
    """What loads a picture: straightened where a lens is given. Raises LensError."""
    from vision.pictures.files import load_picture
    from vision.sources.lens import load_lens

    if lens is None:
        return load_picture
    bent = load_lens(lens)
    return lambda path: bent.straightened(load_picture(path))


def _all_read(
    images: Sequence[Path], given: Mapping[str, Corners] | Corners | None, load: Load, *, same_camera: bool
) -> Iterator[tuple[Path, Read | Exception]]:
    """Every picture with what was read in it, or why it can't be, in the order given."""
    from vision.reading.reader import BoardReader

    reader = BoardReader()
    if same_camera:
        yield from _read_together(reader, images, given, load)
        return
    with click.progressbar(images, label="Reading", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        for path in bar:
            try:
                yield path, read_one(reader, path, given, load)
            except VisionError as error:
                yield path, error


def read_one(reader: BoardReader, path: Path, given: Mapping[str, Corners] | Corners | None, load: Load) -> Read:
    """One picture read. Raises PictureError, CornersError, GeometryError, LensError or BoardNotFound with a sentence."""
    from vision.frame import Frame

    picture = load(path)
    started = time.perf_counter()
    place = place_of(path, picture, given)
    geometry = reader.place(picture, place.corners)
    observation = reader.read(Frame(picture, 0.0, shown_name(path)), geometry, alone=True)
    return _read_of(path, picture, geometry, observation, time.perf_counter() - started, placed=place.confidence)


def _read_of(
    path: Path,
    picture: Image,
    geometry: BoardGeometry,
    observation: Observation,
    seconds: float,
    checkers: int | None = None,
    placed: float = 1.0,
) -> Read:
    import msgspec

    from vision.board.weaknesses import weaknesses
    from vision.reading.report import reading_of, sureness_of

    reading = reading_of(shown_name(path), observation, geometry, seconds, checkers, placed)
    reading = msgspec.structs.replace(reading, weak=weaknesses(picture, geometry.corners))
    return Read(picture, reading, geometry, sureness_of(observation, checkers))


def _read_together(
    reader: BoardReader, images: Sequence[Path], given: Mapping[str, Corners] | Corners | None, load: Load
) -> Iterator[tuple[Path, Read | Exception]]:
    """Pictures of one fixed camera."""
    from vision.frame import Frame
    from vision.reading.batch import common_bar, read_all
    from vision.reading.reader import geometry_for

    results: dict[Path, Read | Exception] = {}
    good = {}
    for path, picture in _loaded(images, load):
        if isinstance(picture, Exception):
            results[path] = picture
        else:
            good[path] = picture
    started = time.perf_counter()
    try:
        if good:
            frames = [Frame(picture, 0.0, shown_name(path)) for path, picture in good.items()]
            place = _common_place(good, given)
            placed = common_bar(frames, geometry_for(frames[0].image, place.corners), reader.columns)
            together = read_all(frames, placed, reader)
            each = (time.perf_counter() - started) / len(good)
            for (path, picture), seen in zip(good.items(), together.observations, strict=True):
                results[path] = _read_of(path, picture, placed, seen, each, together.checkers, place.confidence)
    except VisionError as error:
        results |= dict.fromkeys(good, error)
    for path in images:
        yield path, results[path]


def _loaded(images: Sequence[Path], load: Load) -> Iterator[tuple[Path, Image | Exception]]:
    """The pictures; one of another size than the first can't be of the same camera, and is refused."""
    from vision.pictures.files import PictureError

    size: tuple[int, ...] | None = None
    for path in images:
        try:
            picture = load(path)
        except VisionError as error:
            yield path, error
            continue
        size = size or picture.shape
        if picture.shape == size:
            yield path, picture
        else:
            yield (
                path,
                PictureError(
                    f"{shown_name(path)} has another size than the first picture: it is not of the same camera."
                ),
            )


def _common_place(pictures: Mapping[Path, Image], given: Mapping[str, Corners] | Corners | None) -> BoardLocation:
    """The corners given for the first of the pictures, or found in all of them. Raises CornersError or BoardNotFound."""
    from vision.finding import BoardNotFound, NotFound
    from vision.finding.together import find_together

    if given is not None:
        first = next(iter(pictures))
        return place_of(first, pictures[first], given)
    found = find_together(list(pictures.values()))
    if isinstance(found, NotFound):
        raise BoardNotFound(found.reason)
    return found


def place_of(path: Path, picture: Image, given: Mapping[str, Corners] | Corners | None) -> BoardLocation:
    """The corners given for this picture, which are right, or found in it. Raises CornersError or BoardNotFound."""
    from vision.finding import BoardLocation, found_or_refused
    from vision.pictures.files import CornersError

    if given is None:
        return found_or_refused(picture, shown_name(path))
    if not isinstance(given, Mapping):
        return BoardLocation(given, 1.0)
    if path.name not in given:
        raise CornersError(
            f"The corners file has no line for {shown_name(path)}. Add one with its `file` and `corners`."
        )
    return BoardLocation(given[path.name], 1.0)


def _given_corners(text: str | None) -> Mapping[str, Corners] | Corners | None:
    from vision.pictures.files import load_corners_file, parse_corners

    if text is None:
        return None
    return load_corners_file(Path(text[1:])) if text.startswith("@") else parse_corners(text)


def _show(read: Read, shown: OutputForm, asked: Asked) -> int:
    """Prints one reading; 1 where it can't be shown that way."""
    import msgspec

    from controller.stills.position import StillError, still_of
    from controller.stills.terminal import board_in_words

    if shown == "json":
        click.echo(msgspec.json.encode(read.reading).decode())
        return 0
    try:
        if shown == "table":
            click.echo(board_in_words(read.reading, asked))
            return 0
        still = still_of(read.reading, asked)
    except StillError as error:
        click.echo(f"Error: {error}", err=True)
        return 1
    click.echo(still.xgid)
    for note in still.notes:
        click.echo(f"{read.reading.file}: {note}", err=True)
    return 0


def _overlays(overlay: Path | None, images: Sequence[Path]) -> Mapping[Path, Path]:
    """Where each picture is written with what was read drawn over it; none without --overlay. Raises UsageError for a name of no
    picture, and where one picture would be lost under another."""
    if overlay is None:
        return {}
    if len(images) > 1 or overlay.is_dir():
        overlays = {path: overlay / f"{path.stem}.png" for path in images}
    elif overlay.suffix.lower() in (".png", ".jpg", ".jpeg"):
        overlays = dict.fromkeys(images, overlay)
    else:
        raise click.UsageError(f"--overlay {overlay}: choose a name that ends with .png or .jpg.")
    sources, often = {path.resolve() for path in images}, Counter(overlays.values())
    for path, target in overlays.items():
        if target.resolve() in sources:
            raise click.UsageError(f"--overlay {overlay}: {target} is one of the pictures. Choose another place.")
        if often[target] > 1:
            raise click.UsageError(
                f"Two pictures are called {path.stem}: their overlays would be one file. Rename one of them."
            )
    if len(images) > 1:
        overlay.mkdir(parents=True, exist_ok=True)
    return overlays


def _write_overlay(read: Read, target: Path) -> None:
    import cv2

    from vision.reading.overlay import drawn_over

    done, data = cv2.imencode(target.suffix, drawn_over(read.picture, read.reading, read.geometry, read.sureness))
    if done:
        write_whole(target, data.tobytes())
