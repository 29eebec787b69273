"""Kinds of options that several commands share."""

from __future__ import annotations

import math
from typing import Any

import click

LARGEST_NUMBER = 2**63 - 1
"""SQLite's largest; numbers beyond name nothing."""

MATCH_NUMBER = click.IntRange(1, LARGEST_NUMBER)
"""The number of a match in the archive."""


class Finite(click.FloatRange):
    """A number within a range. "nan" is below and above nothing, so click lets it through every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a number to reckon with.", param, ctx)
        return found
