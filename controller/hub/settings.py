"""The hub's own settings: a TOML file, checked and frozen. docs/hub_details.md lists every key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.config import ConfigError, WebConfig
from controller.config.checks import NO_DEFAULT, converted, refuse_deep
from controller.config.loading import read_table
from controller.config.values import HostName, LogIn
from controller.config.words import CALLED, CONTACT, NO_PORT, ORIGIN
from controller.hub.errors import HubError
from web.delay import Delay

EXAMPLES = {
    **NO_DEFAULT,
    "broker.password": "secret",
    "broker.ca": "hub.crt",
    "broker.address": "hub.local",
    "alerts.ntfy": "https://ntfy.example/our-hall",
    "alerts.token": "secret",
    "alerts.push": "mailto:director@club.example",
    "feed.origins": ("https://club.example",),
}
"""Lines of keys whose default is to say nothing."""


class BrokerSettings(Struct, frozen=True, kw_only=True):
    """Where the broker is. ca: file with the authority that has signed its certificate; tls: False on one machine alone.

    address: where boards find it, without its port, None: where they find the hub's pages.
    """

    host: HostName = "127.0.0.1"
    port: Annotated[int, Meta(ge=1, le=65_535)] = 8883
    name: Annotated[LogIn, Meta(min_length=1)] = "hub"
    password: LogIn | None = None
    ca: Annotated[str, Meta(min_length=1)] | None = None
    tls: bool = True
    address: Annotated[str, Meta(max_length=253, pattern=NO_PORT)] | None = None


class DatabaseSettings(Struct, frozen=True, kw_only=True):
    """url: of a PostgreSQL database, as libpq takes it."""

    url: Annotated[str, Meta(min_length=1)] = "postgresql:///vrhcab"


class AlertSettings(Struct, frozen=True, kw_only=True):
    """ntfy: the address of a topic at an ntfy server that is called when a board needs somebody; token: where it asks for one;
    language: in which it is told.

    push: people may have their browsers called (Web Push); where push services reach whoever runs this hub, "mailto:..." or an
    address of https, which some of them ask for.
    """

    ntfy: Annotated[str, Meta(pattern=CALLED)] | None = None
    token: str | None = None
    language: Literal["en", "cs", "sk"] = "en"
    push: Annotated[str, Meta(max_length=200, pattern=CONTACT)] | None = None


MOST_DELAY = Delay(900.0, 50)


class FeedSettings(Struct, frozen=True, kw_only=True):
    """show: everybody may read every board at /feed/, without signing in, later by so many seconds and turns. origins: other sites,
    such as "https://club.example", whose pages may read it in a browser and show it in a frame, "*" for all."""

    show: bool = False
    delay_s: Annotated[float, Meta(ge=0, le=MOST_DELAY.seconds)] = 60.0
    delay_turns: Annotated[int, Meta(ge=0, le=MOST_DELAY.turns)] = 0
    origins: tuple[Annotated[str, Meta(pattern=ORIGIN)], ...] = ()

    @property
    def delay(self) -> Delay:
        """Of whatever has none of its own."""
        return Delay(self.delay_s, self.delay_turns)


class HubSettings(Struct, frozen=True, kw_only=True):
    """Everything that can be set at a hub. web: as a board's page has it; public: whoever is not signed in may look."""

    public: bool = False

    broker: BrokerSettings = BrokerSettings()
    database: DatabaseSettings = DatabaseSettings()
    web: WebConfig = WebConfig()
    alerts: AlertSettings = AlertSettings()
    feed: FeedSettings = FeedSettings()


def load_hub_settings(path: Path | None) -> HubSettings:
    """What the file says; the defaults without one. Raises HubError."""
    if path is None:
        return HubSettings()
    try:
        table = read_table(path, 'host = "hub.local"')
        refuse_deep(table, str(path))
        return converted(table, str(path), HubSettings, EXAMPLES)
    except ConfigError as error:
        raise HubError(str(error)) from error
