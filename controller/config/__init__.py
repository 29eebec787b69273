"""The configuration: a TOML file and what the command line says over it, checked and frozen. docs/config.md has more.

    config = load_config(Path("vrhcab.toml"), {"camera.source": "camera:1"})

What is wrong is named together with what is allowed, in a sentence.
"""

from controller.config.checks import check_hub, example
from controller.config.loading import config_from, load_config, machine_settings
from controller.config.places import (
    DEMO_EVIDENCE,
    EVIDENCE,
    archive_path,
    desk_path,
    evidence_path,
    installed_settings,
    journal_path,
)
from controller.config.values import (
    AnalysisConfig,
    CameraConfig,
    Config,
    ConfigError,
    HubConfig,
    MatchConfig,
    MqttConfig,
    PanelConfig,
    WebConfig,
    plain_source,
)

__all__ = [
    "DEMO_EVIDENCE",
    "EVIDENCE",
    "AnalysisConfig",
    "CameraConfig",
    "Config",
    "ConfigError",
    "HubConfig",
    "MatchConfig",
    "MqttConfig",
    "PanelConfig",
    "WebConfig",
    "archive_path",
    "check_hub",
    "config_from",
    "desk_path",
    "evidence_path",
    "example",
    "installed_settings",
    "journal_path",
    "load_config",
    "machine_settings",
    "plain_source",
]
