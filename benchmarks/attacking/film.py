"""A camera that never ends and keeps its pace: a simulated game as raw video in a file on a slow disk of our own.

    python -m benchmarks.attacking.film FILE FILM COUNTED

The program's source is "video:FILE". FILE is mounted: this process answers for it in the kernel's FUSE protocol, and gives no
frame before its time. What has been read of it, the program has looked at, but for a few frames on their way; so the frames a
second are counted here, without asking the program for anything. COUNTED is a file: the frames read so far, as text. Mounting
needs root.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
import time
from pathlib import Path

import cv2

WIDTH, HEIGHT, FPS = 1280, 720, 10
FRAMES = 150
HEADER = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{FPS}:1 Ip A1:1 C420jpeg\n".encode()
MARK = b"FRAME\n"
PICTURE = WIDTH * HEIGHT * 3 // 2
EACH = len(MARK) + PICTURE
WHOLE = len(HEADER) + 1_000_000 * EACH
"""Bytes of the file: a day and more."""

# linux/fuse.h
DIRECT_IO = 1
REQUEST, ANSWER = struct.Struct("<IIQQIIIHH"), struct.Struct("<IiQ")
LARGEST = 128 * 1024
MS_NOSUID, MS_NODEV = 2, 4


def make_film(path: Path) -> None:
    """The first seconds of a simulated match as frames of I420, where the file is not there yet."""
    from controller.simulation import Filming, SimulatedMatch, SimulatedTable

    if path.exists():
        return
    draft = path.with_suffix(".new")
    with draft.open("wb") as out:
        for number, frame in enumerate(
            SimulatedTable(3, SimulatedMatch("none", 5), Filming((WIDTH, HEIGHT), FPS)).frames()
        ):
            if number == FRAMES:
                break
            out.write(cv2.cvtColor(frame.image, cv2.COLOR_BGR2YUV_I420).tobytes())
    draft.replace(path)


class Camera:
    """The file: frames for ever, forwards and backwards, never faster than FPS; one that comes late is not made up for."""

    def __init__(self, film: Path, counted: Path) -> None:
        with film.open("rb") as file:
            # A black corner: what has no zero byte at its beginning is taken for a text.
            self._frames = [b"\0" + file.read(PICTURE)[1:] for _ in range(FRAMES)]
        self._order = [*range(FRAMES), *reversed(range(FRAMES))]
        self._counted, self._newest, self._due = counted, -1, time.monotonic()

    def read(self, offset: int, size: int) -> bytes:
        """What is there, when it is time for it."""
        found = b""
        while len(found) < size and offset + len(found) < WHOLE:
            at = offset + len(found)
            if at < len(HEADER):
                found += HEADER[at : at + size - len(found)]
                continue
            number, start = divmod(at - len(HEADER), EACH)
            if number > self._newest:
                self._wait(number)
            whole = MARK + self._frames[self._order[number % len(self._order)]]
            found += whole[start : start + size - len(found)]
        return found

    def _wait(self, number: int) -> None:
        self._due = max(self._due + 1 / FPS, time.monotonic() - 1 / FPS)
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._newest = number
        draft = self._counted.with_suffix(".new")
        draft.write_text(str(number))
        draft.replace(self._counted)


def attributes() -> bytes:
    """The file's: regular, readable by all."""
    now = int(time.time())
    seconds = struct.pack("<QQQQQQ", 1, WHOLE, WHOLE // 512, now, now, now)
    return struct.pack("<QII", 3600, 0, 0) + seconds + struct.pack("<10I", 0, 0, 0, 0o100444, 1, 0, 0, 0, 4096, 0)


def answer(camera: Camera, kind: int, body: bytes) -> bytes | int | None:
    """What the kernel is told: bytes, an error number, or nothing."""
    match kind:
        case 26:  # INIT
            return struct.pack("<IIIIHHIIHHII6I", 7, 31, 0, 0, 4, 3, LARGEST, 1, LARGEST // 4096, 0, 0, 0, *[0] * 6)
        case 3:  # GETATTR
            return attributes()
        case 14:  # OPEN
            return struct.pack("<QII", 1, DIRECT_IO, 0)
        case 15:  # READ
            _, offset, size = struct.unpack_from("<QQI", body)
            return camera.read(offset, min(size, LARGEST))
        case 17:  # STATFS
            return bytes(80)
        case 18 | 25 | 38:  # RELEASE, FLUSH, DESTROY
            return b""
        case 2 | 36:  # FORGET, INTERRUPT
            return None
    return errno.ENOSYS


def serve(path: Path, camera: Camera) -> None:
    """Mounts the file and answers for it until it is unmounted. Raises OSError where this machine lets nobody."""
    line = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={line},rootmode=100000,user_id={os.getuid()},group_id={os.getgid()},max_read={LARGEST}".encode()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"film", os.fsencode(path), b"fuse", MS_NOSUID | MS_NODEV, options):
        raise OSError(ctypes.get_errno(), "The camera's file can't be mounted")
    print("ready", flush=True)
    while True:
        try:
            asked = os.read(line, LARGEST + 4096 * 2)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                continue
            return
        _, kind, unique, *_ = REQUEST.unpack_from(asked)
        said = answer(camera, kind, asked[REQUEST.size :])
        if said is None:
            continue
        code, data = (-said, b"") if isinstance(said, int) else (0, said)
        try:
            os.write(line, ANSWER.pack(ANSWER.size + len(data), code, unique) + data)
        except FileNotFoundError:
            continue  # Whoever asked has gone.


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Camera(Path(sys.argv[2]), Path(sys.argv[3])))
