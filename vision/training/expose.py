"""Lets a columns network say what its last layers look at: `python -m vision.training.expose columns.onnx`.

The outputs `features` (B, 152, 1, 24) and `bar_features` (B, 120, 1, 1) are the inputs of the layers that make `points` and
`bar`. No number is changed; a network that has them already stays as it is, byte by byte.
"""

from __future__ import annotations

from pathlib import Path

import click
import onnx

EXPOSED = {"point_out.weight": "features", "bar_out.weight": "bar_features"}
"""Whose input is shown, by the weights of the layer, and under which name."""


def exposed(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network with the features among its outputs. Raises ValueError where it has no such layers."""
    graph = model.graph
    there = {output.name for output in graph.output}
    for weight, name in EXPOSED.items():
        if name in there:
            continue
        layers = [node for node in graph.node if node.op_type == "Conv" and weight in node.input]
        if len(layers) != 1:
            raise ValueError(f"The network has no layer {weight}: it is none of vision.training.columns_net.")
        inside = layers[0].input[0]
        channels = next(one.dims[1] for one in graph.initializer if one.name == weight)
        batch = graph.output[0].type.tensor_type.shape.dim[0].dim_value
        width = 24 if name == "features" else 1
        for node in graph.node:
            node.input[:] = [name if used == inside else used for used in node.input]
            node.output[:] = [name if made == inside else made for made in node.output]
        shape = (batch, channels, 1, width)
        graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    return model


@click.command(help=__doc__)
@click.argument("network", type=click.Path(path_type=Path, exists=True))
def main(network: Path) -> None:
    """Writes NETWORK anew with its features."""
    network.write_bytes(exposed(onnx.load(str(network))).SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
