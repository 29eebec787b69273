"""What the terminal says when the page is there: its address, and until the table is set up the PIN and a QR code."""

from __future__ import annotations

from io import StringIO

import segno

from controller.run.own_address import from_others, page_address
from web.hosts import is_loopback

TOLD_BEFORE = (
    "The PIN of the operator's desk was told at an earlier start. "
    "Lost? vrhcab pin --reset, with the same --config or --journal."
)


def welcome(host: str, port: int, pin: str | None, *, set_up: bool = False, https: bool = False) -> str:
    """The page's address. pin: one that was just made; set_up: nobody has walked through the set-up yet: then also the way into it,
    for a phone as a QR code."""
    address = page_address(host, port, https=https)
    if pin is None and not set_up:
        return f"The page: {address}"
    pin_line = f"The PIN of the operator's desk: {pin}. It is told only now." if pin else TOLD_BEFORE
    if is_loopback(from_others(host)):
        way = f"{address}/setup; from a phone with: --host 0.0.0.0"
    else:
        way = f"{address}/setup, or with a phone:\n{qr(address + '/setup')}"
    return f"The page: {address}\n{pin_line}\nSet up this table at {way}"


def qr(text: str) -> str:
    """A QR code for a terminal, two modules in the height of a line."""
    drawn = StringIO()
    segno.make(text, error="l").terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
