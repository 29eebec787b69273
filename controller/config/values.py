"""The settings as values: every section and its keys, their defaults, and what each may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.config.words import ADDRESS, FRAME, HOST_NAME, NO_SIGNS, NO_SIGNS_OR_EMPTY, NO_ZERO
from controller.errors import ControllerError
from controller.panel.plan import DEFAULT_BRIGHTNESS
from controller.record.wire import NAME
from terms.board import Corner

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

HostName = Annotated[str, Meta(min_length=1, max_length=253)]

LogIn = Annotated[str, Meta(max_length=10_000, pattern=NO_ZERO)]
"""What a broker asks for: MQTT takes 65,535 bytes of each, and no zero byte."""


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

    host: HostName = "127.0.0.1"
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

    host: HostName | None = None
    port: Annotated[int, Meta(ge=1, le=65_535)] = 1883
    username: LogIn | None = None
    password: LogIn | None = None
    tls: bool = False
    topic: Annotated[str, Meta(min_length=1, max_length=1000, pattern=NO_SIGNS)] = "vrhcab/board-1"
    discovery: Annotated[str, Meta(max_length=1000, pattern=NO_SIGNS_OR_EMPTY)] = "homeassistant"


HUB_PORT = 8883
"""Where a broker listens with TLS (IANA, secure-mqtt)."""


class HubConfig(Struct, frozen=True, kw_only=True):
    """The hub that takes the journal in. address: of its broker, HOST or HOST:PORT, None for none; name: this board's there.

    ca: file with the authority that has signed the broker's certificate, None: one that the system trusts. tls: only False on
    one machine, or where a tunnel keeps secrets.
    """

    address: Annotated[str, Meta(min_length=1, max_length=260, pattern=ADDRESS)] | None = None
    name: Annotated[str, Meta(pattern=NAME)] = "board-1"
    password: LogIn | None = None
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
