"""A real MicroPython for the tests: WebAssembly (npm) run by node, or the Unix port where the system has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
# Where tests/system-packages.sh puts what it gets from npm.
NODE_MODULES = Path(os.environ.get("VRHCAB_NODE_MODULES", PROJECT / "build" / "node" / "node_modules"))
_WASM = NODE_MODULES / "@micropython" / "micropython-webassembly-pyscript"
_RUNNER = Path(__file__).with_name("run_cases.mjs")
_LIMIT_S = 120

# Runs inside MicroPython, whose own json and exceptions it uses.
_SCRIPT = """
import json, sys
sys.path.insert(0, ".")
from tests.firmware.cases import CASES
print(json.dumps({"implementation": sys.implementation.name + " " + str(sys.implementation.version)}))
for name, case in CASES:
    try:
        case()
        print(json.dumps({"passed": name}))
    except Exception as problem:
        sys.print_exception(problem)
        print(json.dumps({"failed": name, "problem": repr(problem)}))
"""


@dataclass
class Outcome:
    """What the run said."""

    implementation: str = ""
    passed: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)


def run_cases() -> Outcome:
    """Runs every case of cases.py in one interpreter; skips the test where there is no MicroPython."""
    unix = shutil.which("micropython")
    if unix is not None:
        command = [unix, "-c", _SCRIPT]
    elif _WASM.is_dir() and (node := shutil.which("node")):
        command = [node, str(_RUNNER), str(_WASM / "micropython.mjs"), _SCRIPT]
    else:
        pytest.skip(
            "no MicroPython here: npm install --prefix build/node @micropython/micropython-webassembly-pyscript"
        )
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=_LIMIT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = Outcome()
    for line in done.stdout.splitlines():
        if not line.startswith("{"):
            continue
        said = json.loads(line)
        if "passed" in said:
            outcome.passed.append(said["passed"])
        elif "failed" in said:
            outcome.failures[said["failed"]] = said["problem"]
        else:
            outcome.implementation = said["implementation"]
    return outcome
