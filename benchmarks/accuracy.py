"""How well labelled pictures are read, board by board, by the pictures' own scorer; whether "sure" means it; every failure drawn.

    python benchmarks/accuracy.py ../shared/boards/photos ../shared/boards/renders --out RESULTS [--diagram docs/reliability.svg]

Each folder holds `truth.jsonl` (the form of `vrhcab read`, with true corners and cells) and the pictures it names; the scorer,
`score.py`, lies beside the folder or above. Everything is read twice: with the corners given, and with the board found.
"""

from __future__ import annotations

import math
import resource
import runpy
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import cv2
import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.rows import stamp, write_rows
from controller.cli.read import Read, read_one
from vision.errors import VisionError
from vision.pictures.files import load_picture
from vision.reading.overlay import drawn_over
from vision.reading.reader import BoardReader
from vision.training.reliability import ReliabilityBin, calibration_error, reliability

Row = dict[str, Any]
SAME_PLACE = 0.04
"""Board widths by which a read die may lie from a true one to be the same: the largest dice on the boards are 4.6 %."""
KINDS = ("columns", "dice", "cube", "picture")
HOWS = ("given", "found")
COUNTED: tuple[str, ...] = (
    "cells",
    "cells_right",
    "cells_claimed_wrong",
    "pictures_countable",
    "pictures_right",
    "corners_within_2pct",
)
COUNTED += ("dice_pictures", "dice_right", "false_dice", "cubes", "cubes_right", "sure", "sure_wrong")


@dataclass
class Claims:
    """What was said with which probability, and whether it was so."""

    claimed: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    true: dict[str, list[bool]] = field(default_factory=lambda: {kind: [] for kind in KINDS})

    def add(self, kind: str, claimed: float, *, true: bool) -> None:
        self.claimed[kind].append(claimed)
        self.true[kind].append(true)

    def table(self, kind: str) -> list[ReliabilityBin]:
        return reliability(self.claimed[kind], self.true[kind])


def scorer_of(folder: Path) -> dict[str, Any]:
    """The functions of the nearest score.py above the folder's pictures."""
    for parent in folder.resolve().parents:
        if (parent / "score.py").exists():
            return runpy.run_path(str(parent / "score.py"))
    raise click.UsageError(f"There is no score.py above {folder}.")


def read_all(
    folder: Path, truths: dict[str, Row], how: str, reader: BoardReader
) -> Iterator[tuple[str, Read | None, Row]]:
    """Each picture's reading, None where it was refused, and what the scorer takes."""
    for name, truth in truths.items():
        corners = np.array(truth["corners"], np.float32) if how == "given" else None
        try:
            read = read_one(reader, folder / name, corners, load_picture)
            yield name, read, msgspec.json.decode(msgspec.json.encode(read.reading))  # lists, as the scorer compares
        except VisionError as error:
            yield name, None, {"file": name, "error": str(error)}


def claim(claims: Claims, scorer: dict[str, Any], truth: Row, read: Read, row: Row) -> None:
    """Adds what one reading said. Columns that it could not see make no claim."""
    view = scorer["best_view"](truth, row)
    turned = view["top"] != row["top"] and view["top"] != [c and c[::-1] for c in row["top"]]
    sureness = [*read.sureness[:24][::-1], read.sureness[24]] if turned else read.sureness
    pairs = list(zip(scorer["cells"](truth), scorer["cells"](view), sureness, strict=True))
    for want, got, sure in pairs:
        if want is not None and got is not None:
            claims.add("columns", min(sure, 1.0), true=want == list(got))
    if all(want is not None for want, _, _ in pairs):
        claims.add("picture", row["confidence"], true=all(want == list(got or ()) for want, got, _ in pairs))
    near = SAME_PLACE * read.geometry.width_px
    true_dice = scorer["readable_dice"](truth)
    for die in row["dice"] if true_dice is not None else []:
        # Where nobody noted a die's place, its value alone must do.
        same = [d for d in true_dice if not d.get("px") or math.dist(d["px"], die["px"]) < near]
        claims.add("dice", die["confidence"], true=any(d["value"] == die["value"] for d in same))
    if row["cube"] and truth.get("cube"):
        claims.add("cube", row["cube"]["confidence"], true=row["cube"]["shown"] == truth["cube"]["shown"])


def measure(
    folder: Path,
    how: str,
    reader: BoardReader,
    claims: Claims,
    failures: Path | None,
    scorer: dict[str, Any] | None = None,
) -> list[Row]:
    """One row a board and one for the folder. scorer: another than the one above the folder."""
    scorer = scorer or scorer_of(folder)
    truths: dict[str, Row] = scorer["load"](folder / "truth.jsonl")
    readings: dict[str, Row] = {}
    for name, read, row in read_all(folder, truths, how, reader):
        readings[name] = row
        if read is not None:
            claim(claims, scorer, truths[name], read, row)
            if failures is not None and _failed(scorer, truths[name], row):
                shown = drawn_over(read.picture, read.reading, read.geometry, read.sureness)
                cv2.imwrite(str(failures / f"{folder.name}-{Path(name).stem}-{how}.jpg"), shown)
    rows = []
    for group in [*dict.fromkeys(str(t["group"]) for t in truths.values()), "all"]:
        chosen = {name: t for name, t in truths.items() if group in (t["group"], "all")}
        tally, _ = scorer["score"](chosen, readings)
        doubt = blind([(t, readings[name]) for name, t in chosen.items()])
        seconds = [readings[name]["seconds"] for name in chosen if "seconds" in readings[name]]
        rows.append(
            {"folder": folder.name, "corners": how, "board": group, "n": len(chosen), "read": tally["read"]}
            | {key: tally[key] for key in COUNTED}
            | doubt
            | {"seconds": round(statistics.median(seconds), 3) if seconds else ""}
        )
    return rows


def blind(pairs: list[tuple[Row, Row]]) -> Row:
    """Columns that nobody could count, those of them that were claimed all the same, and sides with more than 15 claimed."""
    hidden = claimed = over = 0
    for truth, row in pairs:
        cells = [*truth["top"], *truth["bottom"]]
        got = [*row.get("top", [None] * 12), *row.get("bottom", [None] * 12)]
        if row.get("corners") and math.dist(row["corners"][0], truth["corners"][0]) > math.dist(
            row["corners"][2], truth["corners"][0]
        ):
            got = got[::-1]
        hidden += cells.count(None)
        claimed += sum(want is None and one is not None for want, one in zip(cells, got, strict=True))
        totals = [sum(one[side] for one in [*got, row.get("bar")] if one is not None) for side in (0, 1)]
        over += sum(total > 15 for total in totals)
    return {"hidden": hidden, "hidden_claimed": claimed, "more_than_15": over}


def _failed(scorer: dict[str, Any], truth: Row, row: Row) -> bool:
    tally, wrong = scorer["score"]({row["file"]: truth}, {row["file"]: row})
    dice = tally["dice_right"] < tally["dice_pictures"]
    return bool(wrong or dice or tally["cubes_right"] < tally["cubes"])


def diagram(claims: Claims) -> str:
    """SVG: for columns, dice, cube and whole pictures, what was said (across) against what was so (up)."""
    side, gap, left = 180, 44, 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + len(KINDS) * (side + gap)}" height="{side + 90}" '
        'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
    ]
    for number, kind in enumerate(KINDS):
        x, y = left + number * (side + gap), 30
        table = claims.table(kind)
        parts.append(f'<text x="{x}" y="20" font-size="13">{kind}, n = {len(claims.claimed[kind])}</text>')
        parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="#f6f6f2" stroke="#888"/>')
        parts.append(f'<path d="M{x} {y + side}L{x + side} {y}" stroke="#888" stroke-dasharray="4 4"/>')
        for entry in table:
            cx, cy = x + entry.claimed * side, y + (1 - entry.true) * side
            radius = 2 + 2 * math.log10(1 + entry.claims)
            parts.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{radius:.1f}" fill="#1b6e53" fill-opacity="0.7"/>')
        parts += [
            f'<text x="{x + shift}" y="{y + side + 14}" text-anchor="middle">{text}</text>'
            for shift, text in ((0, "0"), (side / 2, "said"), (side, "1"))
        ]
        parts.append(f'<text x="{x - 6}" y="{y + 10}" text-anchor="end">1</text>')
        parts.append(f'<text x="{x - 6}" y="{y + side / 2}" text-anchor="end">true</text>')
    note = (
        "On the dashed line probabilities mean what they say; above it they are too modest. A larger dot: more claims."
    )
    return "\n".join([*parts, f'<text x="{left}" y="{side + 75}">{note}</text>', "</svg>", ""])


@click.command(help=__doc__)
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for accuracy.csv, reliability.csv and the failures' pictures.",
)
@click.option("--diagram", "svg", type=click.Path(path_type=Path), help="The reliability diagram to write.")
def main(folders: tuple[Path, ...], out: Path | None, svg: Path | None) -> None:
    """Prints the tables and writes them."""
    cv2.setNumThreads(1)
    if out is not None:
        (out / "failures").mkdir(parents=True, exist_ok=True)
    reader, claims, rows = BoardReader(), Claims(), []
    for how in HOWS:
        for folder in folders:
            for row in measure(folder, how, reader, claims, out / "failures" if out is not None else None):
                rows.append(stamp() | row)
                click.echo("  ".join(str(value) for value in row.values()))
    bins = []
    for kind in KINDS:
        table = claims.table(kind)
        click.echo(f"{kind}: calibration error {calibration_error(table):.3f}")
        bins += [stamp() | {"kind": kind} | msgspec.to_builtins(entry) for entry in table]
    for entry in bins:
        click.echo("  ".join(f"{v:.3f}" if isinstance(v, float) else str(v) for v in entry.values()))
    click.echo(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if out is not None:
        write_rows(out / "accuracy.csv", rows)
        write_rows(out / "reliability.csv", bins)
    if svg is not None:
        svg.write_text(diagram(claims), encoding="utf-8")


if __name__ == "__main__":
    main()
