"""Makes the weights that read checkers: `python -m vision.training.columns --help`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import numpy.typing as npt
import onnx
import torch
import torch.nn.functional as F

from vision.board.geometry import CANONICAL_HEIGHT, CANONICAL_WIDTH
from vision.network import SPREAD_FLOOR
from vision.reading.checkers import DETAIL, VIEWS
from vision.training.columns_data import STRIDE, Samples, drawn_samples, labelled_samples, load, save
from vision.training.columns_net import COUNTS, ColumnsNet, LiteColumnsNet, parameters
from vision.training.course import run_course
from vision.training.expose import exposed
from vision.training.folded import folded
from vision.training.roughen import roughened
from vision.training.texture import Rng
from vision.training.thaw import gone_on

Tensor = Any
BATCH = 16
PEAK_RATE = 2e-3
PART = 400
"""Boards a file of a sample set."""
EQUAL_LUMINANCE = 40.0
"""Two sides closer than this in luminance (0-255) have no lighter one: either name is right, if used everywhere."""
HIDDEN_WEIGHT = 0.3
"""How much a column under a hand counts: its likeliest count is mostly none, and a guess must not be more than that."""
VISIBLE_WEIGHT = 1.0
BAR_WEIGHT = 0.35
PEAK_CELLS = 1.25
"""Deviation of a checker's peak in the heat map, cells; a checker is about four cells wide."""
LUMINANCE = np.array([0.114, 0.587, 0.299], np.float32)


@dataclass
class ColumnsBatch:
    """One training step's tensors."""

    picture: Tensor
    heat: Tensor
    side_map: Tensor
    side_weight: Tensor
    count: Tensor
    side: Tensor
    bar: Tensor
    hidden: Tensor
    swappable: Tensor
    drawn: Tensor


def stamped(checkers: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], ...]:
    """From (B, n, 3) checkers the maps (B, 48, 56): peaks, side (1 the lighter), and where the side is known."""
    height, width = CANONICAL_HEIGHT // STRIDE, CANONICAL_WIDTH // STRIDE
    heat, side, weight = (np.zeros((len(checkers), height, width), np.float32) for _ in range(3))
    for index, rows in enumerate(checkers):
        for x, y, which in rows[rows[:, 2] >= 0]:
            x0, x1 = max(int(x) - 4, 0), min(int(x) + 6, width)
            y0, y1 = max(int(y) - 4, 0), min(int(y) + 6, height)
            if x0 >= x1 or y0 >= y1:
                continue
            gap = (np.arange(y0, y1) - y)[:, None] ** 2 + (np.arange(x0, x1) - x) ** 2
            peak = np.exp(-gap / (2 * PEAK_CELLS**2))
            heat[index, y0:y1, x0:x1] = np.maximum(heat[index, y0:y1, x0:x1], peak)
            core = peak > 0.5
            side[index, y0:y1, x0:x1][core] = 1 - which
            weight[index, y0:y1, x0:x1][core] = 1
    return heat, side, weight


def _flipped(samples: Samples, rng: Rng) -> tuple[npt.NDArray[Any], ...]:
    """Pictures, counts, hidden and checkers of the samples, the board mirrored at random."""
    picture, counts = samples.canonical, samples.counts
    hidden, checkers = samples.hidden, samples.checkers.copy()
    if rng.random() < 0.5:
        order = np.r_[np.arange(12)[::-1], np.arange(12, 24)[::-1], 24]
        picture, counts, hidden = picture[:, :, ::-1], counts[:, order], hidden[:, order]
        checkers[..., 0] = CANONICAL_WIDTH // STRIDE - 1 - checkers[..., 0]
    if rng.random() < 0.5:
        order = np.r_[np.arange(12, 24), np.arange(12), 24]
        picture, counts, hidden = picture[:, ::-1], counts[:, order], hidden[:, order]
        checkers[..., 1] = CANONICAL_HEIGHT // STRIDE - 1 - checkers[..., 1]
    return picture, counts, hidden, checkers


def _recoloured(picture: Tensor, colours: npt.NDArray[np.float32], rng: Rng) -> tuple[Tensor, npt.NDArray[np.float32]]:
    """Channels swapped and mixed, the same for a picture (B, H, W, 3) and its two checker colours (B, 2, 3)."""
    mix = np.tile(np.eye(3, dtype=np.float32), (len(colours), 1, 1))
    if rng.random() < 0.45:
        mix = mix[:, rng.permutation(3)]
    if rng.random() < 0.5:
        mix = mix + rng.normal(0, 0.2, mix.shape).astype(np.float32)
    turned = torch.from_numpy(mix).transpose(1, 2)
    flat = picture.reshape(len(colours), -1, 3)
    return torch.bmm(flat, turned).reshape(picture.shape), np.einsum("bnc,bdc->bnd", colours, mix)


def _exposed(picture: Tensor, rng: Rng) -> Tensor:
    """(B, 3, H, W) from (B, H, W, 3) as `vision.network.network_input` makes it, with other light and contrast."""
    mean, spread = picture.mean((1, 2, 3), keepdim=True), picture.std((1, 2, 3), keepdim=True)
    shape = (len(picture), 1, 1, 1)
    gain = (1 + 0.12 * rng.standard_normal(shape)).astype(np.float32)
    offset = (0.15 * rng.standard_normal(shape) + 0.08 * rng.standard_normal((len(picture), 1, 1, 3))).astype(
        np.float32
    )
    values = (picture - mean) / (spread + SPREAD_FLOOR) * torch.from_numpy(gain) + torch.from_numpy(offset)
    return values.permute(0, 3, 1, 2)


def make_batch(samples: Samples, rng: Rng, *, spoil: bool = False) -> ColumnsBatch:
    """A batch of all these samples: mirrored, recoloured, with other light. spoil: blurred, coarse, dark at random as well."""
    picture, counts, hidden, checkers = _flipped(samples, rng)
    if spoil:
        picture = np.stack([roughened(np.ascontiguousarray(one), rng) for one in picture])
    pixels, colours = _recoloured(torch.from_numpy(np.ascontiguousarray(picture)).float(), samples.colours, rng)
    brightness = colours @ LUMINANCE
    turned = (brightness[:, 0] < brightness[:, 1]) & samples.drawn
    counts = np.where(turned[:, None, None], counts[..., ::-1], counts)
    real = checkers[..., 2] >= 0
    checkers[..., 2] = np.where(turned[:, None] & real, 1 - checkers[..., 2], checkers[..., 2])
    heat, side_map, side_weight = stamped(checkers)
    points = counts[:, :24]
    return ColumnsBatch(
        picture=_exposed(pixels, rng),
        heat=torch.from_numpy(heat),
        side_map=torch.from_numpy(side_map),
        side_weight=torch.from_numpy(side_weight),
        count=torch.from_numpy(np.minimum(points.sum(2), COUNTS - 1).astype(np.int64)),
        side=torch.from_numpy((points[..., 0] > 0).astype(np.float32)),
        bar=torch.from_numpy(np.minimum(counts[:, 24], COUNTS - 1).astype(np.int64)),
        hidden=torch.from_numpy(hidden.astype(np.float32)),
        swappable=torch.from_numpy((np.abs(brightness[:, 0] - brightness[:, 1]) < EQUAL_LUMINANCE) | ~samples.drawn),
        drawn=torch.from_numpy(samples.drawn.astype(np.float32)),
    )


def loss_of(outputs: tuple[Tensor, Tensor, Tensor], batch: ColumnsBatch) -> Tensor:
    """One number to lower: counts, sides, the bar, what can be seen, and the heat map."""
    heat, points, bar = (output.float() for output in outputs)
    seen = 1 - batch.hidden
    sight = seen + HIDDEN_WEIGHT * batch.hidden
    count = (F.cross_entropy(points[:, :COUNTS], batch.count, reduction="none") * sight[:, :24]).mean(1)
    visible = F.binary_cross_entropy_with_logits(
        torch.cat([points[:, COUNTS + 1], bar[:, -1:]], 1), seen, reduction="none"
    ).mean(1)
    peak = F.binary_cross_entropy_with_logits(heat[:, 0], batch.heat, reduction="none") * (1 + 8 * batch.heat)

    def of_side(column_side: Tensor, map_side: Tensor, bar_counts: Tensor) -> Tensor:
        at_columns = F.binary_cross_entropy_with_logits(points[:, COUNTS], column_side, reduction="none")
        on_map = F.binary_cross_entropy_with_logits(heat[:, 1], map_side, reduction="none") * batch.side_weight
        on_bar = F.cross_entropy(bar[:, :COUNTS], bar_counts[:, 0], reduction="none")
        on_bar = on_bar + F.cross_entropy(bar[:, COUNTS:-1], bar_counts[:, 1], reduction="none")
        occupied = (batch.count > 0).float() * seen[:, :24]
        return (
            0.5 * (at_columns * occupied).mean(1) + on_map.sum((1, 2)) / 2700 * 3 + BAR_WEIGHT * on_bar * sight[:, 24]
        )

    straight = of_side(batch.side, batch.side_map, batch.bar)
    crossed = of_side(1 - batch.side, 1 - batch.side_map, batch.bar.flip(1))
    sides = torch.where(batch.swappable & (crossed < straight), crossed, straight)
    return (count + sides + VISIBLE_WEIGHT * visible + 5 * peak.mean((1, 2)) * batch.drawn).mean()


def trained(samples: Samples, net: Any, steps: int, seed: int, rate: float, weights: Path, *, spoil: bool) -> None:
    """Trains for so many steps; `run_course` says what it keeps. spoil: roughen the pictures at random."""

    def loss_of_step(learner: Any, step: int) -> Tensor:
        rng = np.random.default_rng([seed, step])
        batch = make_batch(_chosen(samples, seed, step), rng, spoil=spoil)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = learner(batch.picture)
        return loss_of(outputs, batch)

    run_course(net, loss_of_step, steps, rate, weights)


def _chosen(samples: Samples, seed: int, step: int) -> Samples:
    """The batch of this step: every sample comes once before any comes again."""
    a_round = len(samples) // BATCH
    order = np.random.default_rng([seed, 1 << 20, step // a_round]).permutation(len(samples))
    start = step % a_round * BATCH
    return samples.picked(order[start : start + BATCH])


def export(net: Any, path: Path) -> None:
    """Writes the network as ONNX for a batch of the reader's views; the larger one for one view at a time, to need less memory."""
    views = 1 if isinstance(net, LiteColumnsNet) else VIEWS
    net = net.float().to(memory_format=torch.contiguous_format).eval()
    picture = torch.zeros(views, 3, DETAIL * CANONICAL_HEIGHT, DETAIL * CANONICAL_WIDTH)
    names = ["heat", "points", "bar"]
    torch.onnx.export(
        net, (picture,), str(path), input_names=["picture"], output_names=names, opset_version=13, dynamo=False
    )
    path.write_bytes(folded(exposed(onnx.load(str(path)))).SerializeToString(deterministic=True))


@click.group(help=__doc__)
def main() -> None:
    """Commands to draw samples, train on them and export the weights."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--boards", default=8000, show_default=True)
@click.option("--seed", default=100_000, show_default=True, help="Seed of the first board; the next ones count up.")
@click.option("--strange", is_flag=True, help="Boards as unlike the usual ones as real ones can be.")
@click.option("--traced", is_flag=True, help="Boards lit by rays, which takes two to three times as long.")
@click.option("--beyond", is_flag=True, help="Boards made or taken as few are (vision.training.beyond).")
@click.option("--standing", is_flag=True, help="Things where checkers would come next (vision.training.standing).")
def draw(folder: Path, boards: int, seed: int, strange: bool, traced: bool, beyond: bool, standing: bool) -> None:
    """Draws boards into FOLDER."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(seed, seed + boards, PART):
        seeds = range(first, min(first + PART, seed + boards))
        samples = drawn_samples(seeds, strange=strange, traced=traced, beyond=beyond, standing=standing)
        save(samples, folder / f"{first:08d}.npz")
        click.echo(f"{first + PART - seed}/{boards}")


@main.command()
@click.argument("truth", type=click.Path(path_type=Path, exists=True))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--group", "groups", multiple=True, required=True, help="A board to take; again for more.")
@click.option(
    "--bars", required=True, type=click.Path(path_type=Path, exists=True), help='JSON: {"group": [left, right]}.'
)
@click.option("--copies", default=8, show_default=True, help="Samples a picture, each with other corners.")
@click.option("--seed", default=1, show_default=True)
def label(truth: Path, folder: Path, groups: tuple[str, ...], bars: Path, copies: int, seed: int) -> None:
    """Makes samples in FOLDER of the labelled pictures in TRUTH (truth.jsonl), of chosen boards only."""
    folder.mkdir(parents=True, exist_ok=True)
    edges = {name: (float(left), float(right)) for name, (left, right) in json.loads(bars.read_text()).items()}
    samples = labelled_samples(truth, groups, edges, copies, seed)
    save(samples, folder / f"{truth.parent.name}-{'-'.join(groups)}.npz")
    click.echo(f"{len(samples)} samples")


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True),
    help="Go on from this .pt or .onnx instead of from nothing.",
)
@click.option("--steps", default=4000, show_default=True)
@click.option("--rate", default=PEAK_RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--spoil", is_flag=True, help="Blur, sharpen, darken, coarsen pictures at random.")
def train(
    folders: tuple[Path, ...], weights: Path, start: Path | None, steps: int, rate: float, seed: int, spoil: bool
) -> None:
    """Trains on the sample sets in FOLDERS; the same command again goes on where it was broken off."""
    torch.manual_seed(seed)
    net = ColumnsNet()
    click.echo(f"{parameters(net)} parameters")
    samples = load(folders)
    net = gone_on(
        net, start, lambda: make_batch(_chosen(samples, seed, 0), np.random.default_rng(seed), spoil=spoil).picture
    )
    trained(samples, net, steps, seed, rate, weights, spoil=spoil)


@main.command()
@click.argument("weights", type=click.Path(path_type=Path))
@click.option(
    "--part",
    "parts",
    type=(float, click.Path(path_type=Path, exists=True)),
    multiple=True,
    required=True,
    help="A share and the .pt that has it; again for more. The shares add up to 1.",
)
def mix(weights: Path, parts: tuple[tuple[float, Path], ...]) -> None:
    """Averages networks that were trained on from one another into WEIGHTS: what one forgot another knows."""
    if abs(sum(share for share, _ in parts) - 1) > 1e-6:
        raise click.UsageError("The shares must add up to 1.")
    states = [(share, torch.load(path)) for share, path in parts]
    mixed = {
        name: sum(share * state[name] for share, state in states) if value.is_floating_point() else value
        for name, value in states[0][1].items()
    }
    torch.save(mixed, weights)


@main.command("export")
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("onnx", type=click.Path(path_type=Path))
@click.option("--lite", is_flag=True, help="It is the network on a pretrained trunk.")
def export_command(weights: Path, onnx: Path, lite: bool) -> None:
    """Writes WEIGHTS (.pt) as ONNX."""
    net = LiteColumnsNet() if lite else ColumnsNet()
    net.load_state_dict(torch.load(weights))
    export(net, onnx)


if __name__ == "__main__":
    main()
