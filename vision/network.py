"""Loads and runs the small networks that ship with the program, and prepares pictures for them.

The one module that imports onnxruntime (ruff refuses it anywhere else). Since 1.29 its Linux wheels report to their maker: while
they are imported they make an identifier and a queue in the user's cache folder, and send it later. The variable is read at that
moment and once only, so it is set before, whatever it was; their function disable_telemetry_events comes too late for that.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import MutableMapping
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType
from weakref import WeakValueDictionary

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime  # only now: see above

FloatArray = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"

SPREAD_FLOOR = 8.0
"""Added to a picture's deviation before dividing by it, so that noise on a nearly black picture is not blown up."""


class WeightsError(VisionError):
    """The network's weights can't be used; the message is one sentence."""


@cache
def fingerprint(name: str) -> str:
    """Tells the weights that ship under this name from any others, in 16 hexadecimal digits.

    Raises WeightsError where they are missing.
    """
    try:
        return hashlib.sha256((WEIGHTS / name).read_bytes()).hexdigest()[:16]
    except OSError:
        raise WeightsError(f"The network's weights {name} are missing: install the program again.") from None


_loaded: MutableMapping[tuple[bytes, int], onnxruntime.InferenceSession] = WeakValueDictionary()
"""Sessions that somebody still uses, by their weights and how many threads they use: a reader costs a quarter of a second to load,
and readers follow each other. The runtime lets several threads run one at once."""
_loading = Lock()


class Network:
    """One network in an ONNX file, loaded once for all who use it. Uses as many threads as OpenCV is allowed to
    (cv2.setNumThreads)."""

    def __init__(self, path: Path) -> None:
        """Raises WeightsError where the file is missing or broken."""
        self.name = path.name
        if not path.exists():
            raise WeightsError(f"The network's weights {path.name} are missing: install the program again.")
        try:
            self._session = _session(path)
            (self._input,) = self._session.get_inputs()
        except Exception:  # the runtime has an exception of its own for each kind of damage, without a common base
            raise WeightsError(f"The network's weights {path.name} are damaged: install the program again.") from None

    def __call__(self, pictures: FloatArray) -> list[FloatArray]:
        """What it says of (B, 3, H, W) pictures: its outputs, in the order that the file has them."""
        outputs: list[FloatArray] = self._session.run(None, {self._input.name: pictures})
        return outputs


def _session(path: Path) -> onnxruntime.InferenceSession:
    key = hashlib.sha256(path.read_bytes()).digest(), cv2.getNumThreads()
    with _loading:
        session = _loaded.get(key)
        if session is None:
            # By its name: of what is handed over as bytes the runtime keeps a copy, 12 MB for all readers together.
            session = onnxruntime.InferenceSession(str(path), _options(), providers=["CPUExecutionProvider"])
            _loaded[key] = session
        return session


def runtime_part(name: str) -> ModuleType:
    """A part of the runtime that is not loaded with it, `quantization` for instance; needs what that part needs."""
    return import_module(f"onnxruntime.{name}")


def _options() -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # The runtime's own store never gives back what one picture took: 32 MB more for all readers together, for 1 ms less a reading.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.intra_op_num_threads = cv2.getNumThreads()
    # Threads that wait for work must sleep: between two readings lie seconds.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def network_input(pictures: npt.NDArray[np.uint8]) -> FloatArray:
    """(B, 3, H, W) float32 from (B, H, W, 3) uint8 BGR: each picture's mean brought to 0, its deviation to about 1."""
    return np.concatenate([_levelled(picture) for picture in pictures])


def _levelled(picture: npt.NDArray[np.uint8]) -> FloatArray:
    """(1, 3, H, W) float32 of one picture."""
    # OpenCV does in 2 ms what NumPy takes 10 for, with a double's precision.
    means, deviations = cv2.meanStdDev(picture)
    mean = float(means.mean())
    spread = float(np.sqrt((deviations**2 + means**2).mean() - mean**2))
    blob = cv2.dnn.blobFromImage(picture, 1 / (spread + SPREAD_FLOOR), mean=(mean, mean, mean))
    return np.asarray(blob, np.float32)
