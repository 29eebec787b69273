"""Load on the page: many viewers follow one process, and each view's way to them is timed.

    python benchmarks/page.py [--viewers 500] [--stalled 20] [--views 40] [--csv benchmarks/page.csv]

The server is a process of its own; its main thread reads boards and publishes views, as that of `vrhcab run` does, so that web and
referee share one interpreter. The viewers are connections of this process, which read as browsers do; the stalled ones ask
and read nothing. A view carries the moment of its publication, so that the time to a viewer is that of one clock.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import msgspec
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.rows import add_row, stamp  # noqa: E402

PAUSE = 0.5
"""Seconds in which frames count as read beside a publication; as many follow without one. A game changes every second or two."""
CONNECT_WITHIN = 60.0
DROPPED_WITHIN = 40.0
"""Seconds after the last view within which those that read nothing must be gone."""


def serve_views(views: int, viewers: int) -> None:
    """The server's process: says its port, waits for a line, publishes and reads boards, says its figures as JSON."""
    from tests.web.views import played_view
    from web.app import create_app
    from web.hub import ViewHub
    from web.server import serve

    hub, read = ViewHub(), boards()
    view = played_view(1)
    view = msgspec.structs.replace(view, plays=view.plays * 60)
    app = create_app(hub)
    audience: ViewHub = app.extensions["viewers"]
    with serve(app, "127.0.0.1", 0) as server:
        print(server.port, flush=True)
        hub.publish(view)
        before = resident()
        sys.stdin.readline()
        publishing: list[float] = []
        reading: list[float] = []
        undisturbed: list[float] = []
        for number in range(2, views + 2):
            began = time.monotonic()
            hub.publish(msgspec.structs.replace(view, sequence=number, status=repr(began)))
            publishing.append(time.monotonic() - began)
            # Pause about, with the same viewers and whatever else this machine does: what a publication alone costs.
            while (since := time.monotonic() - began) < 2 * PAUSE:
                (reading if since < PAUSE else undisturbed).append(timed(read))
        memory = resident()
        stalled = audience.watchers - viewers
        ended = time.monotonic()
        while audience.watchers > viewers and time.monotonic() - ended < DROPPED_WITHIN:
            time.sleep(0.1)
        figures = {
            "publish_max_ms": round(max(publishing) * 1000, 1),
            "memory_mb": memory,
            "memory_before_mb": before,
            "frame_ms": round(float(np.median(reading)) * 1000),
            "frame_undisturbed_ms": round(float(np.median(undisturbed)) * 1000),
            "frame_p95_ms": round(float(np.quantile(reading, 0.95)) * 1000),
            "frame_undisturbed_p95_ms": round(float(np.quantile(undisturbed, 0.95)) * 1000),
            "frames": len(reading),
            "stalled_at_end": stalled,
            "stalled_left": audience.watchers - viewers,
        }
        print(msgspec.json.encode(figures).decode(), flush=True)
        sys.stdin.readline()


def resident() -> int:
    """MB of memory that this process holds."""
    return round(int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)


def boards() -> Callable[[], object]:
    """What reads one board after the other, as the referee does in each frame that shows something new."""
    from controller.simulation import Filming, SimulatedMatch, SimulatedTable
    from vision.reading.reader import BoardReader

    table, reader = SimulatedTable(1, SimulatedMatch("none"), Filming(fps=1.0)), BoardReader()
    assert table.corners is not None
    frames = list(islice(table.frames(), 8))
    places = [reader.place(frame.image, table.corners) for frame in frames]
    turn = cycle(zip(frames, places, strict=True))
    reader.read(*next(turn))
    return lambda: reader.read(*next(turn))


def timed(work: Callable[[], object]) -> float:
    """Seconds on the wall that the work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


async def viewer(port: int, delays: list[float], connected: list[int]) -> None:
    """One viewer: counts itself when the first view has come, then times every further one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    first = True
    try:
        while line := await reader.readline():
            if not line.startswith(b"data: {"):
                continue
            arrived = time.monotonic()
            if first:
                first = False
                connected[0] += 1
                continue
            status = line.split(b'"status":"', 1)[1].split(b'"', 1)[0]
            delays.append(arrived - float(status))
    finally:
        writer.close()


def stalled_viewer(port: int) -> socket.socket:
    """One who asks for the views and reads none."""
    asks = socket.socket()
    asks.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    asks.connect(("127.0.0.1", port))
    asks.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return asks


async def measure(viewers: int, stalled: int, views: int) -> dict[str, object]:
    """One run's figures; times in ms, memory in MB."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--views", str(views), "--viewers", str(viewers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stdin is not None
    try:
        port = int(server.stdout.readline())
        delays: list[float] = []
        connected = [0]
        began = time.monotonic()
        tasks = [asyncio.create_task(viewer(port, delays, connected)) for _ in range(viewers)]
        while connected[0] < viewers and time.monotonic() - began < CONNECT_WITHIN:
            await asyncio.sleep(0.05)
        took = time.monotonic() - began
        idle = [stalled_viewer(port) for _ in range(stalled)]
        server.stdin.write("\n")
        server.stdin.flush()
        said = await asyncio.get_running_loop().run_in_executor(None, server.stdout.readline)
        for task in tasks:
            task.cancel()
        for one in idle:
            one.close()
        delays.sort()

        def share(part: float) -> float:
            return round(delays[min(int(len(delays) * part), len(delays) - 1)] * 1000, 1)

        return {
            "viewers": connected[0],
            "stalled": stalled,
            "views": views,
            "delivered": len(delays),
            "connected_s": round(took, 1),
            "p50_ms": share(0.5),
            "p95_ms": share(0.95),
            "p99_ms": share(0.99),
            "max_ms": share(1.0),
            **msgspec.json.decode(said),
            "load": round(os.getloadavg()[0], 1),
        }
    finally:
        server.kill()
        server.wait()


def main() -> None:
    """Measures, prints, and appends to the CSV where one is named."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--viewers", type=int, default=500)
    arguments.add_argument("--stalled", type=int, default=20)
    arguments.add_argument("--views", type=int, default=40)
    arguments.add_argument("--csv", type=Path)
    arguments.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        serve_views(given.views, given.viewers)
        return
    figures = asyncio.run(measure(given.viewers, given.stalled, given.views))
    row = {**stamp(), **figures}
    print(row)
    if given.csv is not None:
        add_row(given.csv, row)


if __name__ == "__main__":
    main()
