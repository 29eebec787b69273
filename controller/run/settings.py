"""What a running referee touches outside itself, in one value."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.config import (
    DEMO_EVIDENCE,
    EVIDENCE,
    AnalysisConfig,
    ConfigError,
    HubConfig,
    MqttConfig,
    PanelConfig,
    WebConfig,
    example,
)
from controller.record.evidence import DISK_CAP
from vision.outside import FileRefused, check_regular, named_path
from web.errors import WebError
from web.tls import tls_context

Tell = Callable[[str], None]


@dataclass(frozen=True)
class RunSettings:
    """What the referee touches: where it writes, where it shows, and what switches it off. evidence_cap: bytes; demo: simulated
    players play: no hub hears of it, and its pictures are kept apart, so that those of games don't make room for them."""

    journal: Path
    web: WebConfig
    panel: PanelConfig
    stop: threading.Event
    tell: Tell
    mqtt: MqttConfig | None = None
    hub: HubConfig | None = None
    evidence_cap: int = DISK_CAP
    analysis: AnalysisConfig | None = None
    demo: bool = False

    @property
    def evidence(self) -> Path:
        """The folder for pictures of what the referee says."""
        return self.journal.with_name(DEMO_EVIDENCE if self.demo else EVIDENCE)


def tls_of(web: WebConfig) -> ssl.SSLContext | None:
    """What the page needs for https, where the settings have a certificate. Raises WebError where it can't be used, ConfigError for
    a key alone, with which the page would be served without https."""
    if web.certificate is None:
        if web.key is not None:
            raise ConfigError(
                f"The settings have a key for https and no certificate. Write below [web]: {example(('web', 'certificate'))}"
            )
        return None
    files = [named_path(path) for path in (web.certificate, web.key) if path is not None]
    for path in files:
        try:
            check_regular(path)  # A pipe would be waited for, and a device read for ever.
        except FileRefused as error:
            raise WebError(
                f"The certificate {path} can't be read ({error}). Make one with: vrhcab certificate"
            ) from error
    return tls_context(*files)
