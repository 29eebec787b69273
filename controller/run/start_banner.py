"""What the terminal says when the page is there: its address, and at the first start a QR code and the PIN."""

from __future__ import annotations

from io import StringIO

import segno

from controller.run.own_address import from_others


def welcome(host: str, port: int, pin: str | None, *, https: bool = False) -> str:
    """The page's address; with a PIN that was just made also the way into the set-up, for a phone as a QR code."""
    address = f"{'https' if https else 'http'}://{from_others(host)}:{port}"
    if pin is None:
        return f"The page: {address}"
    first_pin = f"The PIN of the operator's desk: {pin}. It is told only now."
    if from_others(host) == "127.0.0.1":
        return (
            f"The page: {address}\n{first_pin}\nSet up this table at {address}/setup; from a phone with: --host 0.0.0.0"
        )
    return f"The page: {address}\n{first_pin}\nSet up this table at {address}/setup, or with a phone:\n{qr(address + '/setup')}"


def qr(text: str) -> str:
    """A QR code for a terminal, two modules in the height of a line."""
    drawn = StringIO()
    segno.make(text, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
