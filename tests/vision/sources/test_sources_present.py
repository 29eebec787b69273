"""Which cameras are plugged in, by the files in which Linux lists them."""

from __future__ import annotations

from pathlib import Path

from vision.sources.present import CameraThere, cameras_there


def plugged_in(folder: Path) -> tuple[CameraThere, ...]:
    """A webcam at /dev/video0 with its second device, and a decoder of the machine's own."""
    devices, by_id, system = folder / "dev", folder / "by-id", folder / "system"
    for place in (devices, by_id, system / "video0"):
        place.mkdir(parents=True)
    for number in (0, 1, 10):
        (devices / f"video{number}").touch()
    for index in (0, 1):
        (by_id / f"usb-Lamp_C920_A1B2-video-index{index}").symlink_to(devices / f"video{index}")
    (system / "video0" / "name").write_text("HD Pro Webcam C920\n")
    return cameras_there(by_id, system, lambda: True)


def test_each_camera_is_there_once_under_a_name_that_stays(tmp_path: Path) -> None:
    webcam, pi = plugged_in(tmp_path)
    assert webcam.source == f"camera:{tmp_path}/by-id/usb-Lamp_C920_A1B2-video-index0"
    assert webcam.name == "HD Pro Webcam C920"
    assert (pi.source, pi.name) == ("picamera", "Raspberry Pi")


def test_a_camera_is_known_by_its_other_names(tmp_path: Path) -> None:
    webcam, pi = plugged_in(tmp_path)
    assert webcam.is_named(webcam.source)
    assert webcam.is_named(f"camera: {tmp_path}/dev/video0")
    assert not webcam.is_named("picamera")
    assert not webcam.is_named("camera:77")
    assert pi.is_named(" picamera ")
    numbered = CameraThere("camera:/dev/x", "x", Path("/dev/video0"))
    for spelled in ("camera:0", "camera: 00", "camera:/dev/video0"):
        assert numbered.is_named(spelled)


def test_a_machine_without_cameras_has_none(tmp_path: Path) -> None:
    assert cameras_there(tmp_path / "none", tmp_path, lambda: False) == ()
