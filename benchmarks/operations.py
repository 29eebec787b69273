"""What each network costs in multiplications, counted from its file: `python benchmarks/operations.py`. It needs the `train` extra.

A Pi's time can be reckoned from it: time here, times the ratio of both machines' multiplications a second.
"""

from __future__ import annotations

import sys
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import onnx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from vision.network import WEIGHTS, onnxruntime  # type: ignore[attr-defined]  # by its one door
from vision.training.quantize import TRAINED

PICTURES = {"dice_finder": (464, 576), "cube_finder": (352, 400)}
"""Height and width, px, of what is given to networks that take any size (vision.reading.dice, vision.reading.cube)."""


def folded(path: Path) -> onnx.ModelProto:
    """The file's network with whatever is constant in it reckoned beforehand, paddings among it."""
    with TemporaryDirectory() as room:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(Path(room) / "folded.onnx")
        options.log_severity_level = 3
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return onnx.load(options.optimized_model_filepath)


def multiplications(path: Path, picture: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
    """Of convolutions and matrix products, and the input they are for; picture: its height and width where the file has none."""
    model = folded(path)
    for axis, size in zip(model.graph.input[0].type.tensor_type.shape.dim, (1, 3, *picture), strict=True):
        if not axis.dim_value:
            axis.dim_value = size
    graph = onnx.shape_inference.infer_shapes(model).graph
    shapes = {
        value.name: tuple(axis.dim_value for axis in value.type.tensor_type.shape.dim)
        for value in (*graph.input, *graph.value_info, *graph.output)
    }
    shapes |= {one.name: tuple(one.dims) for one in graph.initializer}
    total = 0
    for node in graph.node:
        if node.op_type == "Conv":
            total += prod(shapes[node.output[0]]) * prod(shapes[node.input[1]][1:])
        elif node.op_type == "ConvTranspose":
            total += prod(shapes[node.input[0]]) * prod(shapes[node.input[1]][1:])
        elif node.op_type in ("Gemm", "MatMul"):
            total += prod(shapes[node.output[0]]) * shapes[node.input[0]][-1]
    return total, shapes[graph.input[0].name]


@click.command(help=__doc__)
def main() -> None:
    """Prints a line a network."""
    for path in sorted(WEIGHTS.glob("*.onnx")):
        trained = TRAINED / path.name
        total, shape = multiplications(trained if trained.exists() else path, PICTURES.get(path.stem, (64, 64)))
        wide = "of 8 bits " if trained.exists() else "of 32 bits"
        size = path.stat().st_size / 1e6
        click.echo(f"{path.stem:14} {total / 1e6:8.1f} million {wide}  {' x '.join(map(str, shape))}   {size:.2f} MB")


if __name__ == "__main__":
    main()
