"""Runs the core's cases under CPython, and all of them once more under a real MicroPython where there is one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.firmware.cases import CASES
from tests.firmware.micropython import PROJECT, run_cases


@pytest.mark.parametrize(("name", "case"), CASES, ids=[name for name, _ in CASES])
def test_under_cpython(name: str, case: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    case()


def test_under_micropython() -> None:
    outcome = run_cases()
    assert outcome.failures == {}
    assert outcome.passed == [name for name, _ in CASES]
    assert outcome.implementation.startswith("micropython")
