"""Makes the settings of a TOML file and of what the command line says over it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller.config.checks import check_config, check_corners, converted, refuse_deep
from controller.config.places import installed_settings
from controller.config.values import PATHS, Config, ConfigError, plain_source
from vision.outside import FileRefused, read_regular

MAX_BYTES = 1_000_000
"""Of a file of settings; one with every key has 3 kB."""


def load_config(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Config:
    """The configuration in the file, or the defaults without one, with overrides over it.

    Paths in the file are relative to the file, those in overrides to where the program runs.

    overrides: values by dotted key ("camera.source"), as the command line gives them; None says nothing.

    Raises:
        ConfigError: the file is missing or no TOML, a key is unknown, or a value has a wrong type.
    """
    table, where = ({}, "The settings") if path is None else (read_table(path), str(path))
    config = config_from(_relative_to(table, path.parent.absolute()) if path is not None else table, where)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    if not given:
        return config
    merged: dict[str, Any] = msgspec.to_builtins(config)
    merged["rules"] = {"preset": config.rules.preset, **config.rules.keys}
    for key, value in given.items():
        merged = _merged(merged, key.split("."), value)
    config = config_from(merged, "The command line")
    if "camera.corners" in given:
        check_corners(config.camera.corners)
    return config


def machine_settings(path: Path | None, journal: Path | str | None = None) -> Config:
    """What load_config() makes of a file, of the settings of an installed machine's service for its administrator, or of none.

    journal: a file that the command line names for the games.
    """
    return load_config(path or installed_settings(), {"journal.path": None if journal is None else str(journal)})


def config_from(table: Mapping[str, Any], where: str = "The settings") -> Config:
    """The configuration in a table as TOML gives it; where begins the sentences.

    Raises:
        ConfigError: an unknown key, named with the allowed ones, or a value of a wrong type or out of its range.
    """
    refuse_deep(table, where)
    table = {section: _rules_table(keys, where) if section == "rules" else keys for section, keys in table.items()}
    config = converted(table, where, Config)
    check_config(config, where)
    return config


def read_table(path: Path, line: str = 'source = "camera:0"') -> dict[str, Any]:
    """What a file of settings holds. line: one that is right. Raises ConfigError where it can't be read, or is no TOML."""
    text = ""
    try:
        # Editors on Windows put a byte order mark first, which TOML does not allow.
        text = read_regular(path, MAX_BYTES).decode("utf-8-sig")
        return tomllib.loads(text)
    except (FileRefused, OSError) as error:
        raise ConfigError(f"The configuration {str(path)!r} can't be read ({error}). Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {_why_not(error, text)}. A line looks like: {line}") from error


def _why_not(error: Exception, text: str) -> str:
    if isinstance(error, tomllib.TOMLDecodeError):
        twice = re.search(r"Cannot declare \((.*)\) twice (.*)", str(error))
        if twice is not None:
            section = ".".join(re.findall("'([^']*)'", twice[1]))
            return f"the section [{section}] begins twice {twice[2]}"
        again = re.search(r"Cannot overwrite a value \(at (?:line (\d+)|end)", str(error))
        if again is not None:
            lines = text.rstrip().splitlines()
            number = int(again[1] or len(lines))
            key, equals, _ = lines[number - 1].partition("=")
            return f"{f'the key {key.strip()}' if equals else 'a key'} is there twice, again at line {number}"
        return str(error)
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    if isinstance(error, RecursionError):
        return "its lists or sections lie too deep inside one another"
    return "a number in it is far too long"


def _relative_to(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The table with its relative paths made absolute."""
    table = {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}
    for section, key, prefixes in PATHS:
        keys = table.get(section)
        if not isinstance(keys, dict) or not isinstance(value := keys.get(key), str):
            continue
        value = plain_source(value) if key == "source" else value
        for prefix in prefixes:
            if value.startswith(prefix) and value != prefix and not value.removeprefix(prefix).startswith("~"):
                keys[key] = prefix + str(folder / value.removeprefix(prefix))
    return table


def _rules_table(keys: object, where: str) -> object:
    """[rules] with all but the preset gathered as the rules take them; whether they exist is for the rules to say."""
    if not isinstance(keys, Mapping):
        return keys
    quoted = next((name for name in map(str, keys) if "." in name), None)
    if quoted is not None:
        raise ConfigError(f'{where}: [rules] has a key in quotes, "{quoted}". Write it without them: {quoted} = ...')
    preset = {"preset": keys["preset"]} if "preset" in keys else {}
    return {**preset, "keys": {str(name): value for name, value in keys.items() if name != "preset"}}


def _merged(table: Mapping[str, Any], path: list[str], value: object) -> dict[str, Any]:
    """The table with a value put at a path of keys, for example ["rules", "cube", "beavers"]."""
    inner = table.get(path[0])
    if len(path) > 1:
        value = _merged(inner if isinstance(inner, Mapping) else {}, path[1:], value)
    return {**table, path[0]: value}
