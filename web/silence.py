"""What viewers see while a silent recorder keeps a match: the game, and nothing of what the referee thinks of it."""

from __future__ import annotations

import msgspec

from web.hub import PackedView, ViewHub
from web.view import MATCH_OVER, VIEWS

WITHHELD = "\N{EN DASH}"
"""In the list of plays, for one that is not legal: how it was played is seen on the board."""


def silenced(hub: ViewHub) -> ViewHub:
    """A hub that shows what `hub` shows, without judgements while they are none of the viewers' business."""
    audience = ViewHub()

    ended = hub.hang_ups

    def pass_on() -> None:
        nonlocal ended
        if hub.hang_ups != ended:
            ended = hub.hang_ups
            audience.hang_up()
        if hub.latest is not None:
            audience.pass_on(without_judgements(hub.latest))

    hub.on_change(pass_on)
    pass_on()
    return audience


def without_judgements(snapshot: PackedView) -> PackedView:
    """The view without judgements, where its match is kept by a silent recorder and not over."""
    view = VIEWS.decode(snapshot.body)
    if view.role != "recorder" or view.phase == MATCH_OVER or all(play.legal for play in view.plays):
        return snapshot
    plays = [
        play if play.legal else msgspec.structs.replace(play, legal=True, notation=WITHHELD, sure=True)
        for play in view.plays
    ]
    return PackedView.of(msgspec.structs.replace(view, plays=plays))
