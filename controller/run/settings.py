"""What a running referee touches outside itself, in one value."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.config import MqttConfig, PanelConfig, WebConfig
from controller.record.evidence import DISK_CAP

Tell = Callable[[str], None]


@dataclass(frozen=True)
class RunSettings:
    """What the referee touches: where it writes, where it shows, and what switches it off. evidence_cap: bytes."""

    journal: Path
    web: WebConfig
    panel: PanelConfig
    stop: threading.Event
    tell: Tell
    mqtt: MqttConfig | None = None
    evidence_cap: int = DISK_CAP
