"""The configuration: a TOML file and what the command line says over it, checked and frozen. docs/config.md has more.

    config = load_config(Path("vrhcab.toml"), {"camera.source": "camera:1"})

What is wrong is named together with what is allowed, in a sentence.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, inspect

from controller.errors import ControllerError
from controller.panel.adapter import PanelError
from controller.panel.pins import pin_map
from controller.panel.plan import DEFAULT_BRIGHTNESS
from controller.record.wire import NAME
from controller.settings_words import (
    ADDRESS,
    FRAME,
    HOST_NAME,
    NO_SIGNS,
    NO_SIGNS_OR_EMPTY,
    as_toml,
    in_words,
    shortened,
)
from terms.board import Corner
from vision.outside import FileRefused, check_target, named_path, read_regular
from vision.pictures.files import CornersError, fixed_corners

MAX_BYTES = 1_000_000
"""Of a file of settings; one with every key has 3 kB."""

SERVICE_STATE = Path("/var/lib/vrhcab")
"""Where install/vrhcab.service keeps its games."""

INSTALLED_SETTINGS = Path("/etc/vrhcab/vrhcab.toml")
"""The settings of that service."""

EVIDENCE, DEMO_EVIDENCE = "evidence", "demo-evidence"
"""Folders beside the journal, of games and of demos."""

PATHS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("camera", "source", ("video:", "frames:")),
    ("camera", "corners", ("@",)),
    ("camera", "lens", ("",)),
    ("web", "certificate", ("",)),
    ("web", "key", ("",)),
    ("journal", "path", ("",)),
    ("hub", "ca", ("",)),
)
"""Keys whose text is a path, or goes on with one after one of these beginnings."""


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

SECRET = frozenset({"password", "overlay_key"})
"""Keys whose values no log may hold."""


class ConfigError(ControllerError):
    """One sentence or two for the player: what is wrong in the configuration, and what it may be."""


class CameraConfig(Struct, frozen=True, kw_only=True):
    """Where the frames come from, and how the board lies in them.

    source: as vision.sources.open_source takes it, or "simulator".
    corners: "x,y x,y x,y x,y" px, or "@FILE" with JSON lines; None: to be found in the picture.
    lens: file of `vrhcab calibrate`; the corners are then those of the straightened picture.
    fps: frames a second, None: what suits the source. size: (width, height) px asked of a camera.
    mains_hz: of the mains that the lamps are on; keep_focus: a camera is not asked to focus by itself.
    """

    source: Annotated[str, Meta(min_length=1)] = "camera:0"
    corners: str | None = None
    lens: Annotated[str, Meta(min_length=1)] | None = None
    light_home: Corner = "bottom-right"
    fps: Annotated[float, Meta(gt=0, le=240)] | None = None
    size: tuple[Annotated[int, Meta(ge=64, le=16_384)], Annotated[int, Meta(ge=64, le=16_384)]] | None = None
    mains_hz: Literal[50, 60] = 50
    keep_focus: bool = False

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "source", plain_source(self.source))


def plain_source(text: str) -> str:
    """A source without the spaces that may stand around it and its parts."""
    kind, colon, rest = text.strip().partition(":")
    return f"{kind.strip()}{colon}{rest.strip()}"


class WebConfig(Struct, frozen=True, kw_only=True):
    """Where the page is served. host "0.0.0.0" lets phones on the network see it, "127.0.0.1" only this machine.

    certificate, key: files for https, the key None where it lies in the certificate's.
    https: a server in front of the page speaks https, so that the desk's cookie may insist on it.
    delay_s, delay_turns: how much later viewers see the board; overlay_delay_s, overlay_delay_turns: the same for overlays.
    public_lists: viewers who have not signed in may see every player's matches and error rates.
    overlay_key: what an overlay's address must carry, "" for nothing; overlay_frames: pages that may show overlays in a frame.
    names: by which browsers may ask for the page, beside addresses, localhost, names in .local and the machine's own.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 8080
    certificate: Annotated[str, Meta(min_length=1)] | None = None
    key: Annotated[str, Meta(min_length=1)] | None = None
    https: bool = False
    delay_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    delay_turns: Annotated[int, Meta(ge=0, le=50)] = 0
    overlay_delay_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    overlay_delay_turns: Annotated[int, Meta(ge=0, le=50)] = 0
    overlay_key: Annotated[str, Meta(max_length=200)] = ""
    overlay_frames: tuple[Annotated[str, Meta(pattern=FRAME)], ...] = ()
    public_lists: bool = False
    names: tuple[Annotated[str, Meta(min_length=1, max_length=253, pattern=HOST_NAME)], ...] = ()


class PanelConfig(Struct, frozen=True, kw_only=True):
    """The lamps: none but the page's own (none or virtual), on the Pi's pins, on a Pico, or on an emulated Pico.

    port: of the serial link, None: the first Pico found; pins: GPIO number (as gpiozero counts, BCM) by lamp or button;
    cube: six LEDs or two seven-segment digits; pin_factory: the library that reaches the pins;
    brightness: of every lamp, 1..255; sound: whether a buzzer may be heard.
    """

    kind: Literal["none", "virtual", "gpio", "serial", "emulated"] = "none"
    port: str | None = None
    pins: dict[str, Annotated[int, Meta(ge=0, le=27)]] = {}
    cube: Literal["leds", "digits"] = "leds"
    pin_factory: Literal["auto", "lgpio", "rpigpio", "mock"] = "auto"
    brightness: Annotated[int, Meta(ge=1, le=255)] = DEFAULT_BRIGHTNESS
    sound: bool = True


class RulesConfig(Struct, frozen=True, kw_only=True):
    """preset: the rule set to start from; keys: single rules over it, {"cube": {"jacoby": true}}, unchecked."""

    preset: Annotated[str, Meta(min_length=1)] = "match"
    keys: dict[str, Any] = {}


class MatchConfig(Struct, frozen=True, kw_only=True):
    """length: points that win the match, 0 for single games without end, None for what is usual by the rules (7 in a match);
    names: of light and of dark; team: of a chouette, who comes after them in its list; clock: one is kept.

    event, place, round: what is being played, for the record.
    """

    length: Annotated[int, Meta(ge=0, le=99)] | None = None
    names: tuple[
        Annotated[str, Meta(min_length=1, max_length=40)], Annotated[str, Meta(min_length=1, max_length=40)]
    ] = (
        "Light",
        "Dark",
    )
    team: Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(max_length=10)] = ()
    clock: bool = False
    event: Annotated[str, Meta(max_length=200)] = ""
    place: Annotated[str, Meta(max_length=200)] = ""
    round: Annotated[str, Meta(max_length=200)] = ""


class JournalConfig(Struct, frozen=True, kw_only=True):
    """path: of the SQLite file that keeps every game; None: in the user's state folder, see journal_path.

    evidence_mb: what the pictures of flags beside it may take on the disk; beyond that the oldest go.
    """

    path: Annotated[str, Meta(min_length=1)] | None = None
    evidence_mb: Annotated[int, Meta(ge=0, le=1_000_000)] = 500


class AnalysisConfig(Struct, frozen=True, kw_only=True):
    """What GNU Backgammon is asked, where it is installed. after_match: it judges each match by itself when it is over; plies: how
    far it looks ahead then, and when an operator asks."""

    after_match: bool = True
    plies: Annotated[int, Meta(ge=0, le=3)] = 0


class MqttConfig(Struct, frozen=True, kw_only=True):
    """An MQTT broker that is told the state. host: None for none. topic: where this board's messages begin.

    discovery: where Home Assistant looks for devices, "" for no such messages. tls: with the system's certificates.
    """

    host: Annotated[str, Meta(min_length=1)] | None = None
    port: Annotated[int, Meta(ge=1, le=65_535)] = 1883
    username: str | None = None
    password: str | None = None
    tls: bool = False
    topic: Annotated[str, Meta(min_length=1, pattern=NO_SIGNS)] = "vrhcab/board-1"
    discovery: Annotated[str, Meta(pattern=NO_SIGNS_OR_EMPTY)] = "homeassistant"


HUB_PORT = 8883
"""Where a broker listens with TLS (IANA, secure-mqtt)."""


class HubConfig(Struct, frozen=True, kw_only=True):
    """The hub that takes the journal in. address: of its broker, HOST or HOST:PORT, None for none; name: this board's there.

    ca: file with the authority that has signed the broker's certificate, None: one that the system trusts. tls: only False on
    one machine, or where a tunnel keeps secrets.
    """

    address: Annotated[str, Meta(min_length=1, max_length=260, pattern=ADDRESS)] | None = None
    name: Annotated[str, Meta(pattern=NAME)] = "board-1"
    password: str | None = None
    ca: Annotated[str, Meta(min_length=1)] | None = None
    tls: bool = True

    @property
    def place(self) -> tuple[str, int]:
        """Host and port of the broker."""
        host, _, port = (self.address or "").rpartition(":")
        if host and port.isdigit() and (":" not in host or host.startswith("[")):
            return host.strip("[]"), int(port)
        return (self.address or "").strip("[]"), HUB_PORT if self.tls else 1883


class Config(Struct, frozen=True, kw_only=True):
    """Everything that can be configured; every key has a default."""

    camera: CameraConfig = CameraConfig()
    web: WebConfig = WebConfig()
    panel: PanelConfig = PanelConfig()
    rules: RulesConfig = RulesConfig()
    match: MatchConfig = MatchConfig()
    journal: JournalConfig = JournalConfig()
    analysis: AnalysisConfig = AnalysisConfig()
    mqtt: MqttConfig = MqttConfig()
    hub: HubConfig = HubConfig()


def load_config(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Config:
    """The configuration in the file, or the defaults without one, with overrides over it.

    Paths in the file are relative to the file, those in overrides to where the program runs.

    overrides: values by dotted key ("camera.source"), as the command line gives them; None says nothing.

    Raises:
        ConfigError: the file is missing or no TOML, a key is unknown, or a value has a wrong type.
    """
    table, where = ({}, "The settings") if path is None else (_read(path), str(path))
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
        _check_corners(config.camera.corners)
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
    _refuse_deep(table, where)
    table = {section: _rules_table(keys, where) if section == "rules" else keys for section, keys in table.items()}
    _refuse_unknown(table, where)
    try:
        config = msgspec.convert(table, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{where}: {_sentence(str(error), table)}") from error
    except UnicodeEncodeError as error:
        # A command line can hold bytes that are no text.
        raise ConfigError(f"{where}: {error.object!a} is no readable text. Write it in UTF-8.") from error
    _refuse_huge(config.rules.keys, where)
    _check_paths(config, where)
    _check_panel(config.panel, where)
    _check_journal(config.journal, where)
    _check_mqtt(config.mqtt, where)
    check_hub(config.hub, where)
    return config


def journal_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the journal lies: as configured, else in the user's state folder (XDG base directory specification 0.8).

    For the service of an installed machine and its administrator that is SERVICE_STATE, so that both mean the same games.

    Raises ConfigError where something lies there that is no file, or nobody may look.
    """
    path = _usual_journal(environ) if config.journal.path is None else named_path(config.journal.path)
    try:
        check_target(path)
    except FileRefused as error:
        raise ConfigError(f"{path} can't be the journal: {error}; the journal needs a file name.") from error
    except OSError as error:
        raise ConfigError(
            f"The journal {path} can't be looked at: {error.strerror}. "
            "Run this as the user that the referee runs as, or name another file."
        ) from error
    return path


def _usual_journal(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_STATE_HOME", "")
    if not base and os.access(SERVICE_STATE, os.W_OK):
        return SERVICE_STATE / "journal.sqlite3"
    try:
        folder = Path(base) if base.startswith("/") else named_path("~/.local/state")
    except FileRefused as error:
        raise ConfigError(
            "There is no home folder for the journal. Say where it shall lie: path under [journal]."
        ) from error
    return folder / "vrhcab" / "journal.sqlite3"


def installed_settings() -> Path | None:
    """The settings of an installed machine's service, for its administrator; None for anybody else, and where there are none."""
    there = os.access(SERVICE_STATE, os.W_OK) and os.access(INSTALLED_SETTINGS, os.R_OK)
    return INSTALLED_SETTINGS if there else None


def archive_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the archive of finished matches lies: beside the journal."""
    return journal_path(config, environ).with_name("archive.sqlite3")


def evidence_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """The folder with the pictures of what the referee said: beside the journal."""
    return journal_path(config, environ).with_name(EVIDENCE)


def desk_path(journal: Path) -> Path:
    """Where the hash of the desk's PIN lies: beside the journal."""
    return journal.with_name("desk.json")


def _read(path: Path) -> dict[str, Any]:
    try:
        # Editors on Windows put a byte order mark first, which TOML does not allow.
        return tomllib.loads(read_regular(path, MAX_BYTES).decode("utf-8-sig"))
    except (FileRefused, OSError) as error:
        raise ConfigError(f"The configuration {str(path)!r} can't be read ({error}). Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f'{path} is not TOML: {_why_not(error)}. A line looks like: source = "camera:0"') from error


def _why_not(error: Exception) -> str:
    if isinstance(error, tomllib.TOMLDecodeError):
        twice = re.search(r"Cannot declare \((.*)\) twice (.*)", str(error))
        if twice is None:
            return str(error)
        section = ".".join(re.findall("'([^']*)'", twice[1]))
        return f"the section [{section}] begins twice {twice[2]}"
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


def _refuse_unknown(table: Mapping[str, Any], where: str) -> None:
    sections = {field.name: field.default for field in msgspec.structs.fields(Config)}
    for section, keys in table.items():
        if section not in sections:
            raise ConfigError(
                f"{where}: there is no section [{section}]{_for_a_key(section, keys)}.{_nearest(section, sections)}"
            )
        allowed = [field.name for field in msgspec.structs.fields(type(sections[section]))]
        for key in keys if isinstance(keys, Mapping) else ():
            if key not in allowed:
                raise ConfigError(f"{where}: [{section}] has no key {key!r}.{_nearest(key, allowed)}")


def _for_a_key(name: str, value: object) -> str:
    """What is missing where this was meant for a key."""
    return "" if isinstance(value, Mapping) else f", and as a key {name} needs its section above it"


def _nearest(word: str, allowed: Mapping[str, object] | list[str]) -> str:
    near = difflib.get_close_matches(word.lower(), allowed, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"{guess} Allowed: {', '.join(sorted(allowed))}."


def _refuse_deep(table: Mapping[str, Any], where: str) -> None:
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


def _sentence(message: str, table: Mapping[str, Any]) -> str:
    """msgspec's message in words: the key, what it should be, what it is, and how it may be written."""
    found = re.search(r"at `\$\.([^`\[]*)", message)
    if found is None:
        return message
    keys = found[1].split(".")
    kind: inspect.Type = inspect.type_info(Config)
    value: Any = table
    for key in keys:
        if isinstance(kind, inspect.StructType):
            kind = next(field.type for field in kind.fields if field.name == key)
            value = value[key]
    shown = "something else" if keys[-1] in SECRET else shortened(as_toml(value), 120)
    return f"{'.'.join(keys)} should be {in_words(kind)}, but it is {shown}. Write for example: {example(keys)}"


def example(keys: Sequence[str]) -> str:
    """A line of a settings file that is right. keys: a section and perhaps its key."""
    if len(keys) == 1:
        first = next(iter(msgspec.structs.fields(type(getattr(Config(), keys[0]))))).name
        return f"[{keys[0]}] and below it {example((keys[0], first))}"
    default = getattr(getattr(Config(), keys[0]), keys[1])
    if keys[1] == "pins":
        default = {"turn_light": 17}
    return f"{keys[1]} = {as_toml(NO_DEFAULT.get('.'.join(keys[:2]), default))}"


def _check_paths(config: Config, where: str) -> None:
    """Whether the system can be asked for them, but for the corners, see _check_corners. A zero byte ends its texts."""
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


def _check_corners(corners: str | None) -> None:
    """Those of a command line, whose writer sits there. With those of a file the page comes up and asks for others."""
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
