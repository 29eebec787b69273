"""Attacks the program from outside as a stranger, a full disk or a bad file would, and says of each whether it held.

    python benchmarks/attacks.py [--list] [--only NAME ...] [--quick] [--csv benchmarks/attacks.csv]

The program is started as a user starts it, in folders of its own, and only spoken to over HTTP, files, signals and the system's
limits. Everything stays on this machine's loopback addresses. --only takes the beginning of a name, and may be repeated. A
whole run needs root for a small disk and for files of other owners; what can't be tried is named as skipped. docs/trust.md
says what is measured and how.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.attacking import commands, disks, doors, journals, sieges, starts, words  # noqa: E402
from benchmarks.attacking.findings import ATTACKS, Attack, Finding, Ground  # noqa: E402
from benchmarks.rows import add_row, stamp  # noqa: E402

CLONE_NEWNS = 0x00020000

FAMILIES = (journals, disks, sieges, starts, doors, words, commands)
"""To import them registers their attacks."""


def private_mounts() -> None:
    """Mounts of this process and its children are seen by nobody else, and go when they end."""
    if os.geteuid() == 0 and ctypes.CDLL(None).unshare(CLONE_NEWNS) == 0:
        subprocess.run(["mount", "--make-rprivate", "/"], check=False, capture_output=True)


def many_files() -> None:
    """As many open files as this machine allows: an attacker has thousands of connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(attack: Attack, ground: Ground) -> list[Finding]:
    """What it finds; an attack that fails by itself is broken, and says why."""
    found = []
    try:
        for finding in attack.run(ground):
            found.append(finding)
            print(f"  {finding.verdict:8} {finding.what}: {finding.measured}", flush=True)
            if finding.bound:
                print(f"           wanted: {finding.bound}", flush=True)
    except Exception as error:
        traceback.print_exc()
        found.append(Finding("the attack itself", f"{type(error).__name__}: {error}"[:300], "it ends", "broken"))
        print(f"  broken   {found[-1].measured}", flush=True)
    return found


def keep(path: Path, attack: Attack, found: list[Finding], seconds: float, *, quick: bool) -> None:
    """Appends to the CSV."""
    known = stamp() | {"quick": quick, "attack": attack.name}
    spent = {"seconds": round(seconds), "load": round(os.getloadavg()[0], 1)}
    for one in found:
        row = {"what": one.what, "measured": one.measured, "bound": one.bound, "verdict": one.verdict}
        add_row(path, known | row | spent)


def chosen(only: list[str]) -> list[Attack]:
    """The attacks whose names begin so; all for none."""
    found = [one for one in ATTACKS.values() if not only or any(one.name.startswith(name) for name in only)]
    if not found:
        sys.exit(f"There is no attack named {', '.join(only)}; --list names them.")
    return found


def main() -> None:
    """Runs them, one after the other; exit 1 where something broke."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--list", action="store_true", help="names of the attacks, and what each does")
    asked.add_argument("--only", action="append", default=[], help="attacks whose names begin so")
    asked.add_argument("--quick", action="store_true", help="smaller counts: does the attack work at all?")
    asked.add_argument("--csv", type=Path, help="where rows are appended; of a whole run: benchmarks/attacks.csv")
    asked.add_argument("--keep", action="store_true", help="leave the folders of the attacks where they are")
    given = asked.parse_args()
    if given.list:
        for one in ATTACKS.values():
            print(f"{one.name:28} {one.about}")
        return
    attacks = chosen(given.only)
    if given.csv is None and not given.quick:
        given.csv = ROOT / "benchmarks" / "attacks.csv"
    # What was started ends with this, and the folders go, however it is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    private_mounts()
    many_files()
    scratch = Path(tempfile.mkdtemp(prefix="vrhcab-attacks-"))
    (scratch / "cache").mkdir()
    tally = {"held": 0, "broken": 0, "skipped": 0, "told": 0}
    try:
        for one in attacks:
            print(f"{one.name}: {one.about}", flush=True)
            folder = scratch / one.name
            folder.mkdir()
            began = time.monotonic()
            found = run(one, Ground(folder, scratch / "cache", given.quick))
            if given.csv is not None:
                keep(given.csv, one, found, time.monotonic() - began, quick=given.quick)
            for finding in found:
                tally[finding.verdict] += 1
            if not given.keep:
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        if not given.keep:
            shutil.rmtree(scratch, ignore_errors=True)
        else:
            print(scratch)
    print(", ".join(f"{count} {name}" for name, count in tally.items() if name != "told"))
    sys.exit(1 if tally["broken"] else 0)


if __name__ == "__main__":
    main()
