"""Makes the weights that find the board: `python -m vision.training.finding --help`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch

from vision.finding import edges, strips, whole
from vision.training.columns_net import parameters
from vision.training.course import run_course
from vision.training.finding_data import FindingBatch, edge_batch, finder_batch
from vision.training.finding_losses import edge_loss, finder_loss
from vision.training.finding_net import NETS, EdgeNet, FinderNet, StripNet, sort_of
from vision.training.finding_pictures import LABELLED_PX, Pictures, joined, labelled, load, packed
from vision.training.finding_scene import SceneMaker
from vision.training.finding_strips import strip_batch, strip_loss
from vision.training.texture import Rng
from vision.training.thaw import thawed

Tensor = Any
BATCH = 24
PEAK_RATE = 2e-3


MAKERS = {
    "finder": (FinderNet, finder_batch, finder_loss),
    "edges": (EdgeNet, edge_batch, edge_loss),
    "strips": (StripNet, strip_batch, strip_loss),
}
INPUTS = {"finder": (1, 3, whole.SIDE, whole.SIDE), "edges": (1, 3, edges.SIDE, edges.SIDE)}
INPUTS["strips"] = (4, 3, strips.ACROSS, strips.ALONG)
BATCHES = {"finder": BATCH, "edges": BATCH, "strips": BATCH // 2}
LONGEST = {"strips": 1280}
"""px of labelled pictures, where it is not LABELLED_PX."""


@dataclass(frozen=True)
class FindingCourse:
    """What a network is trained by, as the command's options say it."""

    weights: Path
    start: Path | None
    steps: int
    rate: float
    seed: int
    truth: tuple[Path, ...]
    groups: str
    share: float

    def sets(self, name: str, drawn: tuple[Path, ...]) -> list[tuple[Pictures, float]]:
        """Pictures and their share of each batch."""
        sets = [(joined([load(path) for path in drawn]), 1.0 - (self.share if self.truth else 0.0))]
        if self.truth:
            groups = self.groups.split(",") if self.groups else ()
            sets.append((labelled(self.truth, groups, LONGEST.get(name, LABELLED_PX)), self.share))
        return sets


def trained(name: str, net: Any, sets: list[tuple[Pictures, float]], course: FindingCourse) -> None:
    """Trains for so many steps; sets: pictures and their share of each batch. `run_course` says what it keeps."""
    _, make, loss_of = MAKERS[name]
    shares = np.array([share for _, share in sets])

    def loss_of_step(learner: Any, step: int) -> Tensor:
        rng = np.random.default_rng([course.seed, step])
        batch = _batch(make, sets, rng.multinomial(BATCHES[name], shares / shares.sum()), rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = learner(batch.picture.contiguous(memory_format=torch.channels_last))
        return loss_of(outputs, batch)

    run_course(net, loss_of_step, course.steps, course.rate, course.weights, warm_up=0.08)


def _batch(make: Any, sets: list[tuple[Pictures, float]], counts: Any, rng: Rng) -> FindingBatch:
    """So many pictures of each set."""
    parts = [make(held, rng.integers(len(held), size=n), rng) for (held, _), n in zip(sets, counts, strict=True) if n]
    return FindingBatch(
        *(torch.cat([getattr(part, key) for part in parts]) for key in FindingBatch.__dataclass_fields__)
    )


@click.group(help=__doc__)
def main() -> None:
    """Commands to draw, train and export."""
    torch.set_num_threads(1)


@main.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--pictures", default=1000, show_default=True)
@click.option("--seed", default=500, show_default=True)
@click.option("--finer", default=1.0, show_default=True, help="Times the usual size: 1.5 for `strips`.")
@click.option("--strange", is_flag=True, help="Most boards as unlike the usual ones as real ones can be.")
def draw(output: Path, pictures: int, seed: int, finer: float, strange: bool) -> None:
    """Draws scenes into OUTPUT (.npz)."""
    maker = SceneMaker(seed, finer, strange=strange)
    packed((maker.make() for _ in range(pictures)), "drawn").save(output)


@main.command()
@click.argument("name", type=click.Choice(list(MAKERS)))
@click.argument("drawn", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option("--start", type=click.Path(path_type=Path, exists=True), help="Go on from this .pt or .onnx.")
@click.option("--steps", default=2000, show_default=True)
@click.option("--rate", default=PEAK_RATE, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--truth", multiple=True, type=click.Path(path_type=Path, exists=True), help="Labelled pictures as well.")
@click.option("--groups", default="", help="Only these groups of them, with commas.")
@click.option("--share", default=0.3, show_default=True, help="Share of labelled pictures in a batch.")
def train(name: str, drawn: tuple[Path, ...], **options: Any) -> None:
    """Trains the network NAME on the sets DRAWN."""
    course = FindingCourse(**options)
    start = course.start
    torch.manual_seed(course.seed)
    net = MAKERS[name][0]()
    click.echo(f"{parameters(net)} parameters")
    if start is not None and start.suffix == ".pt":
        net.load_state_dict(torch.load(start))
    sets = course.sets(name, drawn)
    click.echo(", ".join(f"{len(held)} pictures" for held, _ in sets))
    if start is not None and start.suffix == ".onnx":
        counts = np.random.default_rng(course.seed).multinomial(BATCHES[name], [part for _, part in sets])
        net = thawed(net, start, _batch(MAKERS[name][1], sets, counts, np.random.default_rng(course.seed)).picture)
    trained(name, net, sets, course)


@main.command("export")
@click.argument("name", type=click.Choice(list(NETS)))
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("onnx", type=click.Path(path_type=Path))
def export_command(name: str, weights: Path, onnx: Path) -> None:
    """Writes WEIGHTS (.pt) of the network NAME as ONNX."""
    net = NETS[name]()
    net.load_state_dict(torch.load(weights))
    picture = torch.zeros(*INPUTS[sort_of(name)])
    torch.onnx.export(
        net.float().eval(),
        (picture,),
        str(onnx),
        input_names=["picture"],
        output_names=["maps", "present"],
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
