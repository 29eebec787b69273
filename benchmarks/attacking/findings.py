"""What an attack is and what it finds: held or broken, with the measured value. Each attack is registered by @attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["held", "broken", "skipped", "told"]
"""told: no bound is set for it."""


@dataclass(frozen=True)
class Finding:
    """One line of the table. what: which part of the attack; measured, bound: with their units, in words."""

    what: str
    measured: str
    bound: str
    verdict: Outcome


def judged(what: str, measured: object, bound: str, *, held: bool) -> Finding:
    """A finding that was measured."""
    return Finding(what, str(measured), bound, "held" if held else "broken")


def quiet(traceback: bool) -> Finding:
    """Whether a program that was attacked kept silent. traceback: it has shown one."""
    return judged("tracebacks on the terminal", "some" if traceback else "none", "none", held=not traceback)


def told(what: str, measured: object) -> Finding:
    """Something to know beside the others."""
    return Finding(what, str(measured), "", "told")


def skipped(what: str, why: str) -> Finding:
    """A finding that this machine can't measure."""
    return Finding(what, why, "", "skipped")


@dataclass(frozen=True)
class Ground:
    """Where an attack happens. folder: its own and empty; cache: kept between the attacks of a run; quick: smaller counts."""

    folder: Path
    cache: Path
    quick: bool

    def count(self, whole: int, quick: int) -> int:
        """How many: of the whole run, or of a quick one."""
        return quick if self.quick else whole


Run = Callable[[Ground], Iterator[Finding]]


@dataclass(frozen=True)
class Attack:
    """name: as --only takes it; about: the first line of its docstring."""

    name: str
    about: str
    run: Run


ATTACKS: dict[str, Attack] = {}


def attack(name: str) -> Callable[[Run], Run]:
    """Registers an attack, in the order of the files."""

    def add(run: Run) -> Run:
        ATTACKS[name] = Attack(name, (run.__doc__ or "").strip().splitlines()[0], run)
        return run

    return add
