"""Makes a network that ships trainable again: its ONNX file's numbers, batch norms given back, put into the torch network."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import nn

Tensor = Any
Net = Any

WEIGHTED = (nn.Conv2d, nn.Linear)
"""Layers whose numbers the file holds, as nodes "Conv" and "Gemm"."""


def gone_on(net: Net, start: Path | None, pictures: Callable[[], Tensor]) -> Net:
    """The network with the weights of a .pt or a .onnx file, or as it is where there is none; pictures: gives a batch, as for
    `thawed`. Raises ValueError as that does."""
    if start is not None and start.suffix == ".onnx":
        return thawed(net, start, pictures())
    if start is not None:
        net.load_state_dict(torch.load(start, map_location="cpu"))
    return net


def thawed(net: Net, path: Path, pictures: Tensor) -> Net:
    """The network with the file's weights; answers as the file does, and can learn.

    net: built as the one that was exported. pictures: a batch as it will learn from, whose statistics the batch norms get.
    Raises ValueError where the file holds another network.
    """
    graph = onnx.load(path).graph
    held = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    stored = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    called = _in_order(net, pictures)
    weighted = [layer for layer in called if isinstance(layer, WEIGHTED)]
    if len(weighted) != len(stored):
        raise ValueError(f"{path.name} has {len(stored)} layers with weights, the network calls {len(weighted)}.")
    norms = {
        layer: after
        for layer, after in pairwise(called)
        if isinstance(layer, nn.Conv2d) and isinstance(after, nn.BatchNorm2d)
    }
    with torch.no_grad():
        for layer, node in zip(weighted, stored, strict=True):
            weight = torch.from_numpy(held[node.input[1]].copy())
            if weight.shape != layer.weight.shape:
                raise ValueError(
                    f"{path.name} has a convolution or linear layer {tuple(weight.shape)}, not {tuple(layer.weight.shape)}."
                )
            layer.weight.copy_(weight)
            bias = torch.from_numpy(held[node.input[2]].copy())
            if layer.bias is not None:
                layer.bias.copy_(bias)
            else:
                _passed_through(norms[layer], bias)
    _recentred(net, pictures)
    return net


def _in_order(net: Net, pictures: Tensor) -> list[Any]:
    """Layers with weights and batch norms as a pass through the network calls them, shared ones as often as they are called."""
    called: list[Any] = []
    layers = [layer for layer in net.modules() if isinstance(layer, (*WEIGHTED, nn.BatchNorm2d))]
    hooks = [layer.register_forward_pre_hook(lambda which, _: called.append(which)) for layer in layers]
    with torch.no_grad():
        net.eval()(pictures[:4])
    for hook in hooks:
        hook.remove()
    return called


def _passed_through(norm: Any, bias: Tensor) -> None:
    """A batch norm that adds this and nothing else: export folded the rest of it into the convolution."""
    norm.weight.fill_((1 + norm.eps) ** 0.5)
    norm.bias.copy_(bias)
    norm.running_mean.zero_()
    norm.running_var.fill_(1)


def _recentred(net: Net, pictures: Tensor) -> None:
    """Gives each batch norm the statistics of these pictures without changing what the network answers."""
    seen: dict[Any, tuple[Tensor, Tensor]] = {}

    def note(norm: Any, inputs: tuple[Tensor]) -> None:
        seen[norm] = (inputs[0].float().mean((0, 2, 3)), inputs[0].float().var((0, 2, 3)))

    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    with torch.no_grad():
        net.eval()(pictures)
        for hook in hooks:
            hook.remove()
        for norm, (mean, variance) in seen.items():
            scale = norm.weight / (norm.running_var + norm.eps).sqrt()
            shift = norm.bias - norm.running_mean * scale
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(scale * (variance + norm.eps).sqrt())
            norm.bias.copy_(shift + mean * scale)
