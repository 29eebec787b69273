"""Mixes weights of dice_course, as shares of several runs, and exports the network that ships: `--help`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch

from vision.training import dice_net


def mixed(parts: list[tuple[Path, float]]) -> dict[str, Any]:
    """The weights of the files (.pt), each with its share of the whole."""
    whole = sum(share for _, share in parts)
    states = [(torch.load(path, map_location="cpu"), share / whole) for path, share in parts]
    first = states[0][0]
    return {
        name: sum(state[name].float() * share for state, share in states) if value.is_floating_point() else value
        for name, value in first.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Mix weights and export the network that ships.")
    parser.add_argument(
        "out", type=Path, help="the file to write, KIND_finder.onnx, KIND_reader.onnx or KIND_fine.onnx"
    )
    parser.add_argument("weights", nargs="+", help="FILE.pt or FILE.pt:SHARE")
    parser.add_argument("--facts", type=json.loads, default={}, help="where the weights come from, as JSON")
    options = parser.parse_args()
    parts = [text.rpartition(":") if ":" in text else (text, ":", "1") for text in options.weights]
    pairs = [(Path(path), float(share)) for path, _, share in parts]
    part = dice_net.PARTS[options.out.stem.split("_")[1]]
    net = part.made()
    net.load_state_dict(mixed(pairs))
    facts = {**options.facts, "shares": {path.parent.name: share for path, share in pairs}}
    dice_net.export(net, (part.px, part.px), options.out, facts)


if __name__ == "__main__":
    main()
