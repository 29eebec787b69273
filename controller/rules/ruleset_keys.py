"""A rule set from named keys, as a TOML file holds them: unknown keys and keys that exclude each other are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin, get_type_hints

from controller.rules.errors import RuleSetError
from controller.rules.position import Position
from controller.rules.ruleset import PRESETS, RuleSet, for_session, preset_named
from controller.rules.stake import parse_stake
from vision.sentence import Sentence

_PRESET = "preset"


def ruleset_from(mapping: Mapping[str, object]) -> RuleSet:
    """The rule set that a table of keys describes: {"preset": "money", "cube": {"beavers": 2}}.

    Keys that are absent keep the preset's value, as it is for the session.kind that the table names; without a preset, match.
    Raises RuleSetError naming the key, for an unknown key or preset, a value that the key cannot have, or keys that exclude
    each other.
    """
    preset = mapping.get(_PRESET, "match")
    keys = {name: value for name, value in mapping.items() if name != _PRESET}
    session = keys.get("session")
    base = for_session(preset_named(preset), session.get("kind") if isinstance(session, Mapping) else None)
    rules: RuleSet = _with(base, keys, "")
    for problem in conflicts(rules):
        raise RuleSetError(problem)
    return rules if not keys else replace(rules, name=f"{preset} with changes")


def ruleset_stored(name: str, keys: Mapping[str, object]) -> RuleSet:
    """The rule set that was written down under a name, with its keys by full name such as "cube.beavers" where they were.

    The name may be a preset's with words after it; a name that nothing bears is read as match. Keys that no version has any more
    had one value only, and are left out. Raises RuleSetError for what this version does not know.
    """
    first = name.split(" ")[0]
    table = nested({path: value for path, value in keys.items() if path not in _RETIRED})
    return replace(ruleset_from({_PRESET: first if first in PRESETS else "match", **table}), name=name)


def nested(keys: Mapping[str, object]) -> dict[str, object]:
    """{"cube": {"beavers": 2}} of {"cube.beavers": 2}. Raises RuleSetError for a key that stands inside another."""
    table: dict[str, object] = {}
    for path, value in keys.items():
        inner = table
        *groups, last = path.split(".")
        for group in groups:
            found = inner.setdefault(group, {})
            if not isinstance(found, dict):
                raise RuleSetError("There is no rule {name}.", name=path)
            inner = found
        inner[last] = value
    return table


def parse_ruleset(preset: str, written: Iterable[str]) -> RuleSet:
    """The rule set of a preset and keys as people write them: ("text-002", ["cube.max=64", "variant=hypergammon"]).

    A group that has one key stands for it. Raises RuleSetError.
    """
    return ruleset_from({_PRESET: preset, **nested(parse_keys(written))})


def ruleset_over(now: RuleSet, preset: str | None, written: Iterable[str]) -> RuleSet:
    """The rule set of another preset (None: of the same) with single rules as people write them; what was set over the present
    preset stays where it goes with them, but who plays and, with another preset, how many games. What the device may say stays as
    it is. Raises RuleSetError."""
    first = now.name.split(" ")[0]
    base = for_session(PRESETS.get(first, RuleSet()), now.session.kind)
    usual = ruleset_keys(base)
    kept = {key: value for key, value in ruleset_keys(now).items() if value != usual[key]}
    same = preset is None or preset == first
    dropped = {"chouette.players"} | (set() if same else {"match.games"})
    kept = {key: value for key, value in kept.items() if not key.startswith("device.") and key not in dropped}
    name = (first if first in PRESETS else RuleSet().name) if preset is None else preset
    kind = (
        {"session.kind": now.session.kind} if same and base.session.kind != PRESETS.get(name, base).session.kind else {}
    )
    table: dict[str, object] = {**kind, **parse_keys(written)}
    rules = ruleset_from({_PRESET: name, **nested(table)})
    for key, value in [*kept.items()] * 2:  # one may need another that comes later
        together = {key: value, **table}
        with suppress(RuleSetError):
            rules, table = ruleset_from({_PRESET: name, **nested(together)}), together
    return rules if any(key.startswith("device.") for key in table) else replace(rules, device=now.device)


def parse_keys(written: Iterable[str]) -> dict[str, object]:
    """The values by full name of keys written as "cube.max=64", "resign.levels=1,2", "cube.jacoby=true"; whether there are such
    keys is not asked. Raises RuleSetError for text that is no key and value."""
    keys: dict[str, object] = {}
    usual = ruleset_keys(RuleSet())
    for text in written:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise RuleSetError(
                "{text} sets no rule. Write key=value, for example variant=hypergammon or cube.max=64.", text=repr(text)
            )
        inside = [key for key in usual if key.startswith(name + ".")]
        key = inside[0] if len(inside) == 1 else name
        keys[key] = _read(value, usual.get(key))
    return keys


def _read(value: str, usual: object) -> object:
    """A value as TOML would have it, with the quotes left out. usual: another value of that rule; a list may be of one."""
    if isinstance(usual, str):
        return value.strip("\"'")
    if value in ("true", "false"):
        return value == "true"
    numbers = value.strip("[]").replace(" ", "").split(",")
    if all(number.isdecimal() and len(number) < _DIGITS for number in numbers):
        one = value.isdecimal() and not isinstance(usual, tuple)
        return int(value) if one else [int(number) for number in numbers]
    return value.strip("\"'")


_DIGITS = 16
"""Numbers of rules are written into journals, whose numbers have 64 bits."""

_RETIRED = frozenset(
    {
        "equipment.dice_pairs", "equipment.colours", "equipment.checkers", "board.direction_by_colour",
        "notation.perspective", "start.tie", "bearoff.requires", "scoring.gammon", "cube.start", "cube.offer", "cube.decline_pays",
        "cube.beaver_owner", "cube.phrase.en", "cube.phrase.cs", "cube.phrase.sk", "match.length", "chouette.rotation",
    }
)  # fmt: skip
"""Keys that earlier versions wrote into journals and records, and that changed nothing: of the two gammons, the second needed a
backgammon that took all that it left out."""


def ruleset_keys(rules: RuleSet) -> dict[str, object]:
    """Every key of a rule set with its value, such as {"cube.beavers": 0}; `name` is none."""
    return dict(_leaves(rules, ""))


def keys_over_preset(rules: RuleSet) -> tuple[str, ...]:
    """The keys, as people write them, that make a rule set out of the preset with which its name begins: ("cube.max=64", ...)."""
    first = rules.name.split(" ")[0]
    preset = PRESETS.get(first, RuleSet())
    usual = ruleset_keys(for_session(preset, rules.session.kind))
    changed = {key: value for key, value in ruleset_keys(rules).items() if value != usual[key]}
    if rules.session.kind != preset.session.kind:
        changed = {"session.kind": rules.session.kind, **changed}
    return tuple(f"{key}={_written(value)}" for key, value in changed.items())


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _leaves(group: Any, path: str) -> Iterator[tuple[str, object]]:
    for field in _choosable(group):
        value = getattr(group, field)
        if is_dataclass(value):
            yield from _leaves(value, f"{path}{field}.")
        else:
            yield path + field, value


def _choosable(group: Any) -> list[str]:
    return [f.name for f in fields(group) if f.init and f.name != "name"]


def _with(group: Any, keys: Mapping[str, object], path: str) -> Any:
    """A copy of a group of rules with these keys changed."""
    known = _choosable(group)
    hints = get_type_hints(type(group))
    changes: dict[str, object] = {}
    for name, value in keys.items():
        if name not in known:
            raise _unknown(path + str(name), [path + k for k in known])
        old = getattr(group, name)
        if is_dataclass(old):
            if not isinstance(value, Mapping):
                raise RuleSetError(
                    "Rule {name} is a table of keys, not {value}.", name=f"{path}{name}", value=repr(value)
                )
            changes[name] = _with(old, value, f"{path}{name}.")
        else:
            changes[name] = _checked(path + name, value, hints[name])
    return replace(group, **changes)


def _unknown(name: str, known: list[str]) -> RuleSetError:
    close = get_close_matches(name, known, 1)
    if close:
        return RuleSetError("There is no rule {name}; did you mean {close}?", name=name, close=close[0])
    return RuleSetError("There is no rule {name}; choose one of {known}.", name=name, known=", ".join(known))


_MUST_BE = {
    bool: "Rule {name} must be true or false, not {value}.",
    int: "Rule {name} must be a whole number of at least 0, not {value}.",
    str: "Rule {name} must be a text, not {value}.",
}


def _checked(name: str, value: object, kind: Any) -> object:
    """The value, if the key can have it."""
    if get_origin(kind) is Literal:
        allowed = get_args(kind)
        if not any(value == a and type(value) is type(a) for a in allowed):
            raise RuleSetError(
                "Rule {name} cannot be {value}; choose one of {allowed}.",
                name=name,
                value=repr(value),
                allowed=", ".join(map(repr, allowed)),
            )
        return value
    if get_origin(kind) is tuple:
        return _checked_list(name, value)
    if kind is str and isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    if type(value) is not kind or (kind is int and isinstance(value, int) and value < 0):
        raise RuleSetError(_MUST_BE[kind], name=name, value=repr(value))
    return value


def _checked_list(name: str, value: object) -> tuple[int, ...]:
    items = tuple(value) if isinstance(value, list | tuple) else None
    if items is None or any(type(item) is not int for item in items):
        raise RuleSetError("Rule {name} must be a list of whole numbers, not {value}.", name=name, value=repr(value))
    return items


def conflicts(rules: RuleSet) -> tuple[Sentence, ...]:
    """Every combination of keys in a rule set that cannot be played, each in a sentence that names the keys."""
    return tuple(sentence for broken, sentence in _CONFLICTS if broken(rules))


def _stack_limit_too_low(rules: RuleSet) -> bool:
    start = Position.start(rules.variant.position)
    return 0 < rules.move.stack_limit < max(start.light)


def _cube_extras(rules: RuleSet) -> bool:
    cube = rules.cube
    return bool(cube.jacoby or cube.beavers or cube.auto_doubles or cube.raccoon)


_CONFLICTS: tuple[tuple[Callable[[RuleSet], bool], Sentence], ...] = (
    (
        lambda r: r.session.kind == "money" and r.cube.crawford,
        Sentence('cube.crawford = true needs a match: it cannot go with session.kind = "money".'),
    ),
    (
        lambda r: r.session.kind == "match" and r.cube.jacoby,
        Sentence('cube.jacoby = true is for money play: it cannot go with session.kind = "match".'),
    ),
    (
        lambda r: not r.cube.enabled and _cube_extras(r),
        Sentence("cube.enabled = false cannot go with cube.jacoby, cube.beavers, cube.raccoon or cube.auto_doubles."),
    ),
    (
        lambda r: r.cube.raccoon and r.cube.beavers == 0,
        Sentence("cube.raccoon = true needs cube.beavers of at least 1: a raccoon answers a beaver."),
    ),
    (
        lambda r: r.cube.max == 1 or r.cube.max & (r.cube.max - 1) != 0,
        Sentence("cube.max must be 0 for no limit, or a face of the cube: 2, 4, 8, 16, 32, 64 and so on."),
    ),
    (
        lambda r: r.scoring.method == "checker-zones" and r.cube.jacoby,
        Sentence('cube.jacoby = true cannot go with scoring.method = "checker-zones": zones know no gammon.'),
    ),
    (
        lambda r: r.scoring.method != "checker-zones" and r.scoring.cube_multiplies_zones,
        Sentence('scoring.cube_multiplies_zones = true needs scoring.method = "checker-zones".'),
    ),
    (
        _stack_limit_too_low,
        Sentence("move.stack_limit is below what stands on one point in the starting position."),
    ),
    (
        lambda r: r.start.first == "agreed" and (r.start.high_prize == "colour" or r.cube.auto_doubles > 0),
        Sentence('start.first = "agreed" has no opening roll for start.high_prize or cube.auto_doubles to go by.'),
    ),
    (
        lambda r: r.start.first == "agreed" and r.start.opening_dice == "draw",
        Sentence(
            'start.first = "agreed" needs start.opening_dice = "fresh": nothing is drawn whose dice could be played.'
        ),
    ),
    (
        lambda r: not set(r.resign.levels) <= {1, 2, 3} or not r.resign.levels,
        Sentence("resign.levels must be a list out of 1, 2 and 3."),
    ),
    (
        lambda r: parse_stake(r.stake.point) is not None and r.session.kind == "match",
        Sentence('stake.point is for money play: it cannot go with session.kind = "match".'),
    ),
    (
        lambda r: r.chouette.players in (1, 2),
        Sentence("chouette.players must be 0 for none, or at least 3: the box, the captain, and others of the team."),
    ),
    (
        lambda r: not r.chouette.players and r.chouette != type(r.chouette)(),
        Sentence("chouette.advice and chouette.cubes need chouette.players: they are for a chouette."),
    ),
)
