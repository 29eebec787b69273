"""A record's rules in one line, as the headers of text formats hold them, and back.

"cube.max=64; variant.position=hypergammon"       over the rule set that the record names
"""

from __future__ import annotations

from typing import Any

from controller.record.model import Record
from controller.rules import RuleSetError, keys_over_preset, parse_keys, ruleset_keys, ruleset_stored

SEPARATOR = "; "


def rule_words(record: Record) -> str:
    """The single rules that the record was played by, over the rule set that it names; empty where there are none.

    Rules that this version does not know stand as the record has them.
    """
    if not record.rule_keys:
        return ""
    try:
        keys = keys_over_preset(ruleset_stored(record.rules, record.rule_keys))
    except RuleSetError:
        keys = tuple(f"{key}={value}" for key, value in record.rule_keys.items())
    return SEPARATOR.join(keys)


def rule_keys_in(name: str, words: str) -> dict[str, Any]:
    """All the rules by full name, as a record holds them, of a rule set's name and such a line. Raises RuleSetError."""
    if not words.strip():
        return {}
    return ruleset_keys(ruleset_stored(name, parse_keys(words.split(SEPARATOR.strip()))))
