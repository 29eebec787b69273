"""Draws scenes with boards, and turns networks that find them into what ships and back: `python -m vision.training.finding`.

They are trained by `vision.training.finding_course`.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import torch

from vision.finding import edges, strips, whole
from vision.training.finding_course import USUAL, ScenePool
from vision.training.finding_net import NETS, sort_of
from vision.training.finding_pictures import packed
from vision.training.finding_scene import NO_BOARD, SceneMaker
from vision.training.finding_views import views_of
from vision.training.thaw import thawed

INPUTS = {"finder": (1, 3, whole.SIDE, whole.SIDE), "edges": (1, 3, edges.SIDE, edges.SIDE)}
INPUTS["strips"] = (4, 3, strips.ACROSS, strips.ALONG)
SCENES = 96
"""Whose statistics the batch norms of a network get that can learn again."""


@click.group(help=__doc__)
def main() -> None:
    """Commands to draw, thaw and export."""
    torch.set_num_threads(1)


@main.command()
@click.argument("output", type=click.Path(path_type=Path))
@click.option("--pictures", default=1000, show_default=True)
@click.option("--seed", default=500, show_default=True)
@click.option("--finer", default=1.0, show_default=True, help="Times the usual size: 1.5 for `strips`.")
@click.option("--strange", is_flag=True, help="Most boards as unlike the usual ones as real ones can be.")
@click.option("--empty", is_flag=True, help="Scenes without a board, nothing else.")
def draw(output: Path, pictures: int, seed: int, finer: float, strange: bool, empty: bool) -> None:
    """Draws scenes into OUTPUT (.npz)."""
    maker = SceneMaker(seed, finer, strange=strange, no_board=1.0 if empty else NO_BOARD)
    packed((maker.make() for _ in range(pictures)), "drawn").save(output)


@main.command("thaw")
@click.argument("name", type=click.Choice(USUAL))
@click.argument("onnx", type=click.Path(path_type=Path, exists=True))
@click.argument("weights", type=click.Path(path_type=Path))
@click.option("--seed", default=8100, show_default=True)
def thaw_command(name: str, onnx: Path, weights: Path, seed: int) -> None:
    """Writes ONNX, the network NAME as it was trained, as WEIGHTS (.pt) for a course to go on from."""
    pool, rng, maker = ScenePool(SCENES, "cpu"), np.random.default_rng(seed), SceneMaker(seed, 1.3, strange=True)
    while len(pool) < SCENES:
        views = views_of(maker.make(), rng)
        if views is not None:
            pool.add(views)
    torch.save(thawed(NETS[name](), onnx, pool.batch(name, SCENES, rng).picture).state_dict(), weights)


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
