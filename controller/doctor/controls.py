"""Whether a USB camera does what it was asked: to expose for the lamps' mains, and to focus by itself. Read as it stands, whoever
has the camera open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.doctor.finding import Finding
from vision.sources import CameraWishes
from vision.sources.opening import device_of
from vision.sources.v4l2 import Control, Mains, controls_of

STRIPES = "Where stripes of light run over its picture, light the board with a lamp that does not flicker."

EXPOSES: dict[int, str] = {
    Mains.NONE: "exposes as if no lamp flickered",
    Mains.HZ_50: "exposes for lamps on mains of 50 Hz",
    Mains.HZ_60: "exposes for lamps on mains of 60 Hz",
    Mains.AUTOMATIC: "finds out by itself how lamps flicker",
}


def examine(source: str, wishes: CameraWishes) -> Iterator[Finding]:
    """Nothing of a source that is no USB camera, or one that can't be opened."""
    device = device_of(source)
    if device is None or (stand := controls_of(device)) is None:
        return
    yield _mains(stand, wishes)
    if not wishes.keep_focus:
        yield _focus(stand)


def _mains(stand: Mapping[Control, int], wishes: CameraWishes) -> Finding:
    if (now := stand.get(Control.MAINS)) is None:
        return Finding("mains", "note", "The camera can't be told how lamps flicker.", STRIPES)
    sentence = f"The camera {EXPOSES.get(now, 'exposes for lamps as it likes')}"
    if now == wishes.of_v4l2[Control.MAINS]:
        return Finding("mains", "ok", f"{sentence}.")
    otherwise = f"{sentence}, though the settings say {wishes.mains_hz} Hz."
    return Finding("mains", "note" if now == Mains.AUTOMATIC else "warning", otherwise, STRIPES)


def _focus(stand: Mapping[Control, int]) -> Finding:
    match stand.get(Control.AUTOFOCUS):
        case None:
            sentence = "The camera has no focus of its own that could be switched on."
            return Finding(
                "autofocus", "note", sentence, "If its picture is blurred, turn its lens, where it can be turned."
            )
        case 0:
            return Finding(
                "autofocus",
                "warning",
                "The camera does not focus by itself, though it is asked to.",
                "If its picture is blurred, focus it by hand, with keep_focus = true under [camera].",
            )
    return Finding("autofocus", "ok", "The camera focuses by itself.")
