"""What the terminal says when the page is there: its address, and at the first start a QR code and the PIN."""

from __future__ import annotations

from io import StringIO

import segno

from controller.run.own_address import from_others, page_address
from web.hosts import is_loopback


def welcome(host: str, port: int, pin: str | None, *, https: bool = False) -> str:
    """The page's address; with a PIN that was just made also the way into the set-up, for a phone as a QR code."""
    address = page_address(host, port, https=https)
    if pin is None:
        return f"The page: {address}"
    first_pin = f"The PIN of the operator's desk: {pin}. It is told only now."
    if is_loopback(from_others(host)):
        return (
            f"The page: {address}\n{first_pin}\nSet up this table at {address}/setup; from a phone with: --host 0.0.0.0"
        )
    return f"The page: {address}\n{first_pin}\nSet up this table at {address}/setup, or with a phone:\n{qr(address + '/setup')}"


def qr(text: str) -> str:
    """A QR code for a terminal, two modules in the height of a line."""
    drawn = StringIO()
    segno.make(text, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
