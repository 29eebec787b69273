"""Kinds of options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from controller.rules import PRESETS, RuleSet, parse_ruleset

LARGEST_NUMBER = 2**63 - 1
"""SQLite's largest; numbers beyond name nothing."""

PROGRESS_FROM = 20
"""Files that take longer than two seconds together: a match is read and checked in 50 to 100 ms on two slow cores."""

LONGEST_HELP = 1000
"""Letters; more than any command's help has."""

MATCH_NUMBER = click.IntRange(1, LARGEST_NUMBER)
"""The number of a match in the archive."""

CORNERS_HELP = (
    'Corners of the playing surface in the picture, px, as "x,y x,y x,y x,y" (top-left, top-right, bottom-right, '
    "bottom-left), or @FILE with JSON lines that hold `file` and `corners`."
)
LENS_HELP = "File of `vrhcab calibrate`: pictures are straightened first; corners are those of the straightened ones."

Decorated = TypeVar("Decorated", bound=Callable[..., Any] | click.Command)


class Group(click.Group):
    """Lists each of its commands with the first sentence of its help, which click would cut at the end of a line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(LONGEST_HELP)) for name, command in found if command])


class Finite(click.FloatRange):
    """A number within a range. "nan" is below and above nothing, so click lets it through every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a number to reckon with.", param, ctx)
        return found


def rules_option(default: str) -> Callable[[Decorated], Decorated]:
    """--rules. default: what holds where it is not given, in words."""
    return click.option("--rules", help=f"The rule set: {', '.join(PRESETS)}. Default: {default}.")


SET_OPTION = click.option(
    "--set",
    "keys",
    multiple=True,
    metavar="KEY=VALUE",
    help="A single rule over the rule set, such as variant=hypergammon or cube.max=64; docs/rules.md lists them.",
)


def rules_chosen(rules: str | None, keys: tuple[str, ...]) -> RuleSet | None:
    """The rule set of --rules and --set; None where neither is given. Keys alone change match. Raises RuleSetError."""
    return parse_ruleset(rules or "match", keys) if rules or keys else None
