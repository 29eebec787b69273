"""Folds the padding before convolutions into them, where a network is exported. No answer changes.

EfficientNet's layers pad unevenly, which torch can only write as steps of their own; the runtime then copies every map once more,
in 32 bits even where all else is eight bits wide.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator


def folded(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network with each convolution padding by itself; one that has nothing to fold stays as it is.

    Raises ValueError where something else than a convolution without padding is padded.
    """
    graph = model.graph
    for pad in [node for node in graph.node if node.op_type == "Pad"]:
        _, _, above, left, _, _, below, right = _value(model, pad.input[1]).tolist()
        for user in [node for node in graph.node if pad.output[0] in node.input]:
            pads = next((one for one in user.attribute if one.name == "pads"), None)
            if user.op_type != "Conv" or pads is None or any(pads.ints):
                raise ValueError(f"{user.name or user.op_type} is padded, and is no convolution without padding.")
            pads.ints[:] = [above, left, below, right]
            user.input[0] = pad.input[0]
        graph.node.remove(pad)
    onnx.checker.check_model(model)
    return model


def _value(model: onnx.ModelProto, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """What a graph says of a name that no input has a say in."""
    makers = {made: node for node in model.graph.node for made in node.output}
    wanted, waiting = list[str](), [name]
    while waiting:
        made = waiting.pop()
        if made in makers and made not in wanted:
            wanted += makers[made].output
            waiting += makers[made].input
    nodes = [node for node in model.graph.node if set(node.output) & set(wanted)]
    answer = onnx.helper.make_tensor_value_info(name, onnx.TensorProto.INT64, None)
    part = onnx.helper.make_graph(nodes, "part", [], [answer], list(model.graph.initializer))
    whole = onnx.helper.make_model(part, opset_imports=model.opset_import)
    (value,) = ReferenceEvaluator(whole).run(None, {})
    return np.asarray(value, np.int64)
