"""`vrhcab report`: the page on which a transcribed match is put right, served to this machine alone."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from pathlib import Path

from controller.transcript.corrected import CorrectedReport
from web.report_app import create_report_app
from web.server import serve


def run_report(path: Path, output: Path | None, port: int, stop: threading.Event, tell: Callable[[str], None]) -> None:
    """Serves it until somebody says stop. output: as of CorrectedReport. Raises ReportError, EventError and WebError."""
    match = CorrectedReport(path, output)
    key = secrets.token_urlsafe(16)
    with serve(create_report_app(match, key), "127.0.0.1", port) as server:
        tell(f"Open http://127.0.0.1:{server.port}/?key={key}")
        tell(f"Every correction writes {match.output} and the report anew. Ctrl-C ends it.")
        stop.wait()
