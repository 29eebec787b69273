"""What is wrong in the settings, said together with what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, inspect

from controller.config.values import PATHS, Config, ConfigError, HubConfig, JournalConfig, MqttConfig, PanelConfig
from controller.config.words import as_toml, in_words, shortened
from controller.panel.adapter import PanelError
from controller.panel.pins import pin_map
from vision.outside import FileRefused, named_path
from vision.pictures.files import CornersError, fixed_corners

DEEPEST = 20
"""Sections and lists inside one another; the deepest that any key needs is three."""

NO_DEFAULT = {
    "camera.corners": "387,81 973,121 967,639 333,600",
    "camera.lens": "lens.json",
    "camera.fps": 15.0,
    "camera.size": (1920, 1080),
    "web.certificate": "vrhcab.pem",
    "web.key": "vrhcab.key",
    "web.names": ("board.example.org",),
    "web.overlay_frames": ("https://studio.example.org",),
    "panel.port": "/dev/ttyACM0",
    "journal.path": "games.sqlite3",
    "match.length": 7,
    "match.team": ("Cyril", "Dana"),
    "mqtt.host": "localhost",
    "mqtt.username": "vrhcab",
    "mqtt.password": "secret",
    "hub.address": "hub.local",
    "hub.password": "secret",
    "hub.ca": "hub.crt",
}
"""Examples of keys whose default is to say nothing."""

SECRET = frozenset({"password", "overlay_key", "token"})
"""Keys whose values no log may hold."""

Settings = TypeVar("Settings", bound=Struct)


def converted(
    table: Mapping[str, Any], where: str, kind: type[Settings], examples: Mapping[str, object] = NO_DEFAULT
) -> Settings:
    """The settings of that kind, whose keys all have defaults, in a table. where: begins the sentence, here as below; examples: by
    dotted key, where the default is none.

    Raises:
        ConfigError: an unknown key, named with the allowed ones, or a value of a wrong type or out of its range.
    """
    refuse_unknown(table, where, kind)
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {sentence(str(error), table, kind, examples)}") from error
    except UnicodeEncodeError as error:
        # A command line can hold bytes that are no text.
        raise ConfigError(f"{where}: {error.object!a} is no readable text. Write it in UTF-8.") from error


def refuse_unknown(table: Mapping[str, Any], where: str, kind: type[Struct]) -> None:
    """Raises ConfigError where the table has a section or a key that there is not."""
    sections = {field.name: field.default for field in msgspec.structs.fields(kind)}
    for section, keys in table.items():
        if section not in sections:
            raise ConfigError(
                f"{where}: there is no section [{section}]{_for_a_key(section, keys)}.{_nearest(section, sections)}"
            )
        default = sections[section]
        if not isinstance(default, Struct) or not isinstance(keys, Mapping):
            continue
        allowed = [field.name for field in msgspec.structs.fields(type(default))]
        for key in keys:
            if key not in allowed:
                raise ConfigError(f"{where}: [{section}] has no key {key!r}.{_nearest(key, allowed)}")


def _for_a_key(name: str, value: object) -> str:
    """What is missing where this was meant for a key."""
    return "" if isinstance(value, Mapping) else f", and as a key {name} needs its section above it"


def _nearest(word: str, allowed: Mapping[str, object] | list[str]) -> str:
    near = difflib.get_close_matches(word.lower(), allowed, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"{guess} Allowed: {', '.join(sorted(allowed))}."


def refuse_deep(table: Mapping[str, Any], where: str) -> None:
    """Raises ConfigError where lists or sections lie deeper inside one another than DEEPEST."""
    waiting: list[tuple[object, int]] = [(table, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise ConfigError(
                f"{where}: lists or sections lie too deep inside one another. A key is section.key = value."
            )
        inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
        waiting += [(one, depth + 1) for one in inner]


def _refuse_huge(rules: Mapping[str, Any], where: str) -> None:
    """Rules are written into the journal, whose numbers have 64 bits."""
    for name, keys in rules.items():
        for key, value in (keys if isinstance(keys, Mapping) else {"": keys}).items():
            if isinstance(value, int) and abs(value) >= 2**53:
                rule = f"rules.{name}.{key}".rstrip(".")
                raise ConfigError(
                    f"{where}: {rule} is {as_toml(value)}, which is far too large. docs/rules.md has the values."
                )


def sentence(message: str, table: Mapping[str, Any], whole: type[Struct], examples: Mapping[str, object]) -> str:
    """msgspec's message in words: the key, what it should be, what it is, and how it may be written."""
    found = re.search(r"at `\$\.([^`\[]*)", message)
    if found is None:
        return message
    keys = found[1].split(".")
    kind: inspect.Type = inspect.type_info(whole)
    value: Any = table
    for key in keys:
        if isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.name == key)
            value = value[key]
    shown = "something else" if keys[-1] in SECRET else shortened(as_toml(value), 120)
    return f"{'.'.join(keys)} should be {in_words(kind)}, but it is {shown}. Write for example: {_example(keys, whole, examples)}"


def example(keys: Sequence[str]) -> str:
    """A line of a board's settings file that is right. keys: a section and perhaps its key."""
    return _example(keys, Config, NO_DEFAULT)


def _example(keys: Sequence[str], whole: type[Struct], examples: Mapping[str, object]) -> str:
    default = getattr(whole(), keys[0])
    if not isinstance(default, Struct):
        return f"{keys[0]} = {as_toml(default)}"
    if len(keys) == 1:
        first = msgspec.structs.fields(type(default))[0].name
        return f"[{keys[0]}] and below it {_example((keys[0], first), whole, examples)}"
    default = getattr(default, keys[1])
    if keys[1] == "pins":
        default = {"turn_light": 17}
    return f"{keys[1]} = {as_toml(examples.get('.'.join(keys[:2]), default))}"


def check_config(config: Config, where: str) -> None:
    """Raises ConfigError for a value that can't be, whatever its type."""
    _refuse_huge(config.rules.keys, where)
    _check_paths(config, where)
    _check_panel(config.panel, where)
    _check_journal(config.journal, where)
    _check_mqtt(config.mqtt, where)
    check_hub(config.hub, where)


def _check_paths(config: Config, where: str) -> None:
    """Whether the system can be asked for them, but for the corners, see check_corners. A zero byte ends its texts."""
    for section, key, prefixes in PATHS:
        text: str | None = getattr(getattr(config, section), key)
        if text is None or key == "corners":
            continue
        if "\0" in text:
            raise ConfigError(f"{where}: {section}.{key} holds a zero byte, which no path has. Write it again by hand.")
        try:
            for prefix in filter(text.startswith, prefixes):
                named_path(text.removeprefix(prefix))
        except FileRefused as error:
            raise ConfigError(f"{where}: {section}.{key} can't be {text!r}: {error}. Write the whole path.") from error


def check_corners(corners: str | None) -> None:
    """Raises ConfigError where those of a command line can't be used: its writer sits there. With those of a file the page comes up
    and asks for others."""
    try:
        fixed_corners(corners)
    except CornersError as error:
        raise ConfigError(f"The command line: camera.corners: {error}") from error


def _check_journal(journal: JournalConfig, where: str) -> None:
    if journal.path is not None and (not Path(journal.path).name or "\0" in journal.path):
        raise ConfigError(f"{where}: journal.path should be the name of a file, but it is {journal.path!r}.")


def _check_mqtt(mqtt: MqttConfig, where: str) -> None:
    if mqtt.host is not None and mqtt.password is not None and mqtt.username is None:
        # MQTT 3.1.1, 3.1.2.9: none goes without a name.
        raise ConfigError(
            f"{where}: mqtt.password goes with a name, and mqtt.username is not there. "
            f'Write for example: username = "{NO_DEFAULT["mqtt.username"]}"'
        )


def check_hub(hub: HubConfig, where: str) -> None:
    """Raises ConfigError where its address has a port that none can be."""
    _, port = hub.place
    if not 1 <= port <= 65_535:
        raise ConfigError(
            f"{where}: the port of hub.address should be a whole number from 1 to 65535, but it is {port}."
        )


def _check_panel(panel: PanelConfig, where: str) -> None:
    try:
        pin_map(panel.pins, panel.cube)
    except PanelError as error:
        raise ConfigError(f"{where}: panel.pins: {error}") from error
