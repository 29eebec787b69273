"""Load on the page: many viewers follow one process, and each view's way to them is timed.

    python benchmarks/page.py [--viewers 500] [--views 40] [--csv benchmarks/page.csv]

The server is a process of its own, as `vrhcab run` has it; the viewers are connections of this one, which read as browsers do.
A view carries the moment of its publication, so that the time to a viewer is that of one clock.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

PAUSE = 0.5
"""Seconds between two views: twice as often as a game changes."""
CONNECT_WITHIN = 60.0


def serve_views(views: int) -> None:
    """The server's process: says its port, waits for a line, publishes, says its memory in MB and its worst publication in ms."""
    from tests.web.views import played_view
    from web.app import create_app
    from web.hub import ViewHub
    from web.server import serve

    hub = ViewHub()
    view = played_view(1)
    view = msgspec.structs.replace(view, plays=view.plays * 60)
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        print(server.port, flush=True)
        hub.publish(view)
        sys.stdin.readline()
        worst = 0.0
        for number in range(2, views + 2):
            began = time.monotonic()
            hub.publish(msgspec.structs.replace(view, sequence=number, status=repr(began)))
            worst = max(worst, time.monotonic() - began)
            time.sleep(PAUSE)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        print(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, worst * 1000, flush=True)
        sys.stdin.readline()


async def viewer(port: int, delays: list[float], connected: list[int]) -> None:
    """One viewer: counts itself when the first view has come, then times every further one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(b"GET /events HTTP/1.1\r\nHost: board\r\n\r\n")
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


async def measure(viewers: int, views: int) -> dict[str, object]:
    """One run's figures; times in ms, memory in MB."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--views", str(views)],
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
        server.stdin.write("\n")
        server.stdin.flush()
        said = await asyncio.get_running_loop().run_in_executor(None, server.stdout.readline)
        await asyncio.sleep(1)
        memory, worst = map(float, said.split())
        for task in tasks:
            task.cancel()
        delays.sort()

        def share(part: float) -> float:
            return round(delays[min(int(len(delays) * part), len(delays) - 1)] * 1000, 1)

        return {
            "viewers": connected[0],
            "views": views,
            "delivered": len(delays),
            "connected_s": round(took, 1),
            "p50_ms": share(0.5),
            "p95_ms": share(0.95),
            "p99_ms": share(0.99),
            "max_ms": share(1.0),
            "publish_max_ms": round(worst, 1),
            "memory_mb": round(memory),
            "load": round(os.getloadavg()[0], 1),
        }
    finally:
        server.kill()
        server.wait()


def main() -> None:
    """Measures, prints, and appends to the CSV where one is named."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--viewers", type=int, default=500)
    arguments.add_argument("--views", type=int, default=40)
    arguments.add_argument("--csv", type=Path)
    arguments.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        serve_views(given.views)
        return
    figures = asyncio.run(measure(given.viewers, given.views))
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, cwd=ROOT
    ).stdout.strip()
    row = {"date": datetime.date.today().isoformat(), "commit": commit, **figures}
    print(row)
    if given.csv is not None:
        new = not given.csv.exists()
        with given.csv.open("a", newline="") as out:
            writer = csv.DictWriter(out, list(row))
            if new:
                writer.writeheader()
            writer.writerow(row)


if __name__ == "__main__":
    main()
