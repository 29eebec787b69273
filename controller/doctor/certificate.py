"""Until when the certificate holds with which the page is served: browsers warn of one that has run out, its server doesn't."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificates

from controller.doctor.finding import Finding
from vision.outside import FileRefused, read_regular

MAX_BYTES = 1_000_000
"""Of a file of certificates; a long chain has 10 kB."""

SOON = timedelta(days=30)
"""Time to make another before the first phone is warned."""

RENEW = "Make another, such as with vrhcab certificate, and start the referee again."


def validity(path: Path, now: datetime) -> Iterator[Finding]:
    """What is to be said of the first certificate in a PEM file, which is the server's own; nothing of one that can't be read, as
    the start refuses it. now: in UTC."""
    try:
        served = load_pem_x509_certificates(read_regular(path, MAX_BYTES))[0]
    except (FileRefused, OSError, ValueError):
        return
    first, last = served.not_valid_before_utc, served.not_valid_after_utc
    if now < first:
        sentence = f"The certificate of the page holds only from {first:%Y-%m-%d} on: browsers warn of it."
        yield Finding("certificate", "warning", sentence, "See whether the clock of this machine is right.")
    elif now > last:
        sentence = f"The certificate of the page ran out on {last:%Y-%m-%d}: browsers warn of it."
        yield Finding("certificate", "warning", sentence, RENEW)
    elif last - now < SOON:
        yield Finding("certificate", "warning", f"The certificate of the page runs out on {last:%Y-%m-%d}.", RENEW)
    else:
        yield Finding("certificate", "ok", f"The certificate of the page holds until {last:%Y-%m-%d}.")
