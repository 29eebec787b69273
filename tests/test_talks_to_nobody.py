"""The program talks to nobody: what it does is traced by the kernel's own account, where strace is installed, and by its traces."""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import cv2
import pytest

from controller.simulation import Filming, SimulatedMatch, SimulatedTable
from tests.programs import PATIENCE, free_port

PROJECT = Path(__file__).resolve().parents[1]
VRHCAB = str(Path(sys.executable).with_name("vrhcab"))
STRACE = shutil.which("strace")

CALLS = "trace=connect,sendto,sendmsg,sendmmsg"
"""Whatever leaves the machine, and the question for a name before it, passes one of these."""

ADDRESS = re.compile(r'sa_family=AF_(INET6?)\b.*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")')
OWN = re.compile(r"^(127\.|::1$|::ffff:127\.)")


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three pictures of the simulated table at its start."""
    folder = tmp_path_factory.mktemp("frames")
    table = SimulatedTable(7, SimulatedMatch("none", 1), Filming((640, 360), 1))
    for number, frame in enumerate(islice(table.frames(), 3)):
        cv2.imwrite(str(folder / f"{number}.png"), frame.image)
    (folder / "corners.txt").write_text(" ".join(f"{x:.0f},{y:.0f}" for x, y in table.corners), "utf-8")
    return folder


class Watched:
    """Runs commands in a bare environment with an empty home. A variable of a build server would silence the runtime as well."""

    def __init__(self, folder: Path) -> None:
        self.home, self.log = folder / "home", folder / "calls.txt"
        self.home.mkdir()
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(folder / "state"),
            "TMPDIR": str(folder),
            "LANG": "C.UTF-8",
            "ORT_DISABLE_TELEMETRY": "0",
        }

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        traced = [STRACE, "-f", "-qq", "-e", CALLS, "-o", str(self.log)] if STRACE else []
        return subprocess.Popen(
            [*traced, *command], env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )

    def run(self, *command: str) -> str:
        process = self.start(*command)
        said, _ = process.communicate(timeout=2 * PATIENCE)
        return said.decode()

    def spoken_to(self) -> list[str]:
        """Addresses of other machines that a call named. Without strace nothing is known, and the list is empty."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        found = [match for line in lines if (match := ADDRESS.search(line))]
        return [address for _, four, six in (m.groups() for m in found) if not OWN.match(address := four or six)]

    def kept(self) -> list[str]:
        """What was left in the home folder."""
        return sorted(str(path.relative_to(self.home)) for path in self.home.rglob("*"))


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def corners(frames: Path) -> str:
    return (frames / "corners.txt").read_text("utf-8")


def test_a_picture_is_read_in_silence(watched: Watched, frames: Path) -> None:
    assert '"dice"' in watched.run(VRHCAB, "read", str(frames / "0.png"), "--corners", corners(frames))
    assert (watched.spoken_to(), watched.kept()) == ([], [])


def test_a_recording_is_transcribed_in_silence(watched: Watched, frames: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    said = watched.run(VRHCAB, "transcribe", str(frames), "-o", str(out), "--corners", corners(frames))
    assert out.exists(), said
    assert (watched.spoken_to(), watched.kept()) == ([], [])


def test_the_machine_is_examined_in_silence(watched: Watched) -> None:
    assert "disk" in watched.run(VRHCAB, "doctor", "--json").lower()
    assert (watched.spoken_to(), watched.kept()) == ([], [])


def test_a_game_is_refereed_in_silence(watched: Watched) -> None:
    process = watched.start(VRHCAB, "demo", "--port", str(free_port()), "--speed", "4")
    try:
        assert process.stdout is not None
        assert b"http://" in next(line for line in process.stdout if b"http://" in line)
        time.sleep(6)  # the runtime would report four seconds after its start
    finally:
        _stop(process)
    assert (watched.spoken_to(), watched.kept()) == ([], [])


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends the traced program itself: strace passes no signal on."""
    if STRACE:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
        for child in children:
            os.kill(int(child), signal.SIGTERM)
    else:
        process.terminate()
    process.communicate(timeout=PATIENCE)


def test_this_test_would_hear_the_runtime(watched: Watched) -> None:
    """Without the switch the runtime writes into the home folder as soon as it is imported: that is what is looked for above."""
    watched.run(sys.executable, "-c", "import onnxruntime as it; print(it.__version__)")
    if not watched.kept():
        pytest.skip("this version of the runtime has nothing to silence")
    assert any("onnxruntime" in name for name in watched.kept())


@pytest.mark.skipif(STRACE is None, reason="strace is not here: sudo apt-get install strace")
def test_this_test_would_see_a_connection(watched: Watched) -> None:
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.7', 9))"
    watched.run(sys.executable, "-c", code)
    assert watched.spoken_to() == ["192.0.2.7"]


def test_only_one_module_imports_the_runtime() -> None:
    """Ruff sees this as well, but not imports by name."""
    found = {str(path.relative_to(PROJECT)) for path in _sources() if _imports(path, "onnxruntime")}
    assert found == {"vision/network.py"}


def _sources() -> Iterator[Path]:
    for room in ("benchmarks", "controller", "firmware", "terms", "tests", "vision", "web"):
        yield from (PROJECT / room).rglob("*.py")


def _imports(path: Path, name: str) -> bool:
    """Whether a file imports a package, or hands its bare name to a call that may."""
    text = path.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if name in text else ():
        match node:
            case ast.Import(names=names) if any(alias.name.split(".")[0] == name for alias in names):
                return True
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] == name:
                return True
            case ast.Call(func=ast.Name(id="__import__") | ast.Attribute(attr="import_module" | "importorskip")):
                if any(isinstance(value, ast.Constant) and value.value == name for value in node.args):
                    return True
    return False
