"""Makes networks that ship eight bits wide: `python -m vision.training.quantize FOLDER NAME ...`, which needs the `train` extra.

Products of bytes cost a half to a third of those of floats where the processor has them (x86-64 since 2019, Arm since the Pi 5).
How far each layer's numbers run is seen while the program finds and reads drawn boards; no photograph and no render has a say.
Figures of what it costs in what is read: docs/history/speed.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.finder import BoardFinder
from vision.frame import Frame
from vision.network import WEIGHTS, Network, runtime_part
from vision.reading.reader import BoardReader, geometry_for
from vision.training.drawn import drawn_board

Floats = npt.NDArray[np.float32]
TRAINED = WEIGHTS / "trained"
"""Networks as they were trained, of those that ship eight bits wide, which nothing can learn from."""
FIRST_SEED, BOARDS = 700_000, 80
MOST = 60
"""Inputs of a network that are kept."""


@contextmanager
def overheard() -> Iterator[dict[str, list[Floats]]]:
    """What each network, by its file's name, is given meanwhile."""
    heard: dict[str, list[Floats]] = defaultdict(list)
    answers = Network.__call__

    def listening(network: Network, pictures: Floats) -> list[Floats]:
        if len(heard[network.name]) < MOST:
            heard[network.name].append(pictures.copy())
        return answers(network, pictures)

    with patch.object(Network, "__call__", listening):
        yield heard


def given_to_networks(boards: int, first_seed: int) -> dict[str, list[Floats]]:
    """What the networks are given while drawn boards, every other one strange, are found and read."""
    finder, reader = BoardFinder(), BoardReader()
    with overheard() as heard:
        for seed in range(first_seed, first_seed + boards):
            board = drawn_board(seed, strange=bool(seed % 2))
            finder.sightings(board.picture)
            reader.read(Frame(board.picture, 0.0), geometry_for(board.picture, board.corners), alone=True)
    return heard


def last_layers(graph: Any) -> list[str]:
    """Names of the layers with weights after which no other comes: what they say is not to be rounded."""
    makers = {output: node for node in graph.node for output in node.output}
    found, looked_at = [], set()
    waiting = [output.name for output in graph.output]
    while waiting:
        node = makers.get(waiting.pop())
        if node is None or node.name in looked_at:
            continue
        looked_at.add(node.name)
        if node.op_type in ("Conv", "Gemm", "MatMul"):
            found.append(node.name)
        else:
            waiting += node.input
    return sorted(found)


@dataclass
class _Given:
    """A network's inputs, one after another, as the runtime's tools ask for them."""

    name: str
    left: Iterator[Floats]

    def get_next(self) -> dict[str, Floats] | None:
        one = next(self.left, None)
        return None if one is None else {self.name: one}


def quantized(path: Path, inputs: list[Floats], out: Path) -> None:
    """Writes the network of `path` eight bits wide: weights by channel, seven bits of them, as older x86 processors add up pairs of
    products in 16 bits; what runs between layers as far as it ran for `inputs`. The last layers stay as they are."""
    import onnx

    tools, preparing = runtime_part("quantization"), runtime_part("quantization.shape_inference")
    name = onnx.load(str(path)).graph.input[0].name
    with tempfile.TemporaryDirectory() as room:
        plain = Path(room) / "plain.onnx"
        preparing.quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        last = last_layers(onnx.load(str(plain)).graph)
        tools.quantize_static(
            str(plain),
            str(out),
            _Given(name, iter(inputs)),
            quant_format=tools.QuantFormat.QDQ,
            per_channel=True,
            activation_type=tools.QuantType.QUInt8,
            weight_type=tools.QuantType.QInt8,
            reduce_range=True,
            nodes_to_exclude=last,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Make networks eight bits wide.")
    parser.add_argument("out", type=Path, help="folder for NAME.onnx")
    parser.add_argument("names", nargs="+", help="networks of vision/weights, without .onnx")
    parser.add_argument("--weights", type=Path, default=TRAINED, help="folder with the networks as they were trained")
    parser.add_argument("--boards", type=int, default=BOARDS)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    heard = given_to_networks(options.boards, options.seed)
    for name in options.names:
        quantized(options.weights / f"{name}.onnx", heard[f"{name}.onnx"], options.out / f"{name}.onnx")
        print(name, len(heard[f"{name}.onnx"]), "inputs", flush=True)


if __name__ == "__main__":
    main()
