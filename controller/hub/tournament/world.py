"""The feed of tournaments for the world: who meets whom and how they stand, and the views of all boards that play, later.

/feed/tournaments lists them, /feed/tournaments/NUMBER is one of them, /feed/tournaments/NUMBER/events the stream of its boards.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
from flask import Flask, Response
from werkzeug.exceptions import NotFound

from controller.hub.asking import database
from controller.hub.feed import Feed, FeedBoard
from controller.hub.tournament.draw import Format
from controller.hub.tournament.ledger import Pairing, Tournament, Tournaments, standings_of
from controller.hub.tournament.standings import Standing
from web.api import STREAM, described
from web.app import stream_answer
from web.delay import Delay
from web.pages import json_answer, value_answer


class FeedTournament(msgspec.Struct, frozen=True):
    """A tournament in the list. day: on which it was made, yyyy-mm-dd; length: points that win a match; delay_s, delay_turns: how
    much later than its boards it is shown; both are over by then."""

    number: int
    name: str
    format: Format
    length: int
    place: str
    day: str
    delay_s: float
    delay_turns: int


class FeedPairing(msgspec.Struct, frozen=True):
    """Two players of a round, or one who has a bye (second is null). winner: null as long as there is none, or it is too new."""

    first: str
    second: str | None
    board: str | None
    winner: str | None
    points: tuple[int, int]


class FeedState(msgspec.Struct, frozen=True):
    """How a tournament stands, as late as its boards. boards: those whose newest match is of it."""

    tournament: FeedTournament
    rounds: tuple[tuple[FeedPairing, ...], ...]
    standings: tuple[Standing, ...]
    boards: tuple[FeedBoard, ...]


def add_tournament_feed(app: Flask, feed: Feed, url: str, usual: Delay) -> None:
    """Adds the addresses. url: of the database; usual: how much later a tournament is shown that has no delay of its own."""

    def found(ledger: Tournaments, number: int) -> Tournament:
        one = ledger.find(number)
        if one is None:
            raise NotFound
        return one

    @app.get("/feed/tournaments")
    @described("Every tournament, the newest first", list[FeedTournament])
    def feed_tournaments() -> Response:
        with database(Tournaments, url) as ledger:
            return json_answer(msgspec.json.encode([_line(one, usual) for one in ledger.all()]))

    @app.get("/feed/tournaments/<number:number>")
    @described("A tournament: rounds, standings, boards", FeedState, missing=True)
    def feed_tournament(number: int) -> Response:
        with database(Tournaments, url) as ledger:
            one, players, rounds = found(ledger, number), ledger.players(number), ledger.rounds(number)
        shown = rounds_without_news(rounds, _delay(one, usual).seconds)
        table = standings_of(one, players, shown)
        boards = tuple(board for board in feed.boards() if board.event == one.terms.name)
        return value_answer(
            FeedState(_line(one, usual), tuple(tuple(map(_pairing, each)) for each in shown), table, boards)
        )

    @app.get("/feed/tournaments/<number:number>/events")
    @described(
        'The views of a tournament\'s boards as server-sent events: the data of each is {"sequence": n, "tiles": [{"board": name, '
        '"view": View}, ...], "whole": boolean}, at first of every board (then it is true), then of those that have changed; an '
        'event "beat" every 2 s',
        STREAM,
        missing=True,
    )
    def feed_tournament_events(number: int) -> Response:
        with database(Tournaments, url) as ledger:
            name = found(ledger, number).terms.name
        return stream_answer(feed.event(name))


def rounds_without_news(rounds: tuple[tuple[Pairing, ...], ...], delay_s: float) -> tuple[tuple[Pairing, ...], ...]:
    """Without results that are newer than the delay, and without what was drawn out of them."""
    shown: list[tuple[Pairing, ...]] = []
    for one in rounds:
        shown.append(tuple(_without_result(pairing) if pairing.age_s < delay_s else pairing for pairing in one))
        if shown[-1] != one:
            break
    return tuple(shown)


def _without_result(pairing: Pairing) -> Pairing:
    if pairing.meeting.second is None or pairing.meeting.winner is None:
        return pairing
    return replace(pairing, meeting=replace(pairing.meeting, winner=None, points=(0, 0)))


def _delay(one: Tournament, usual: Delay) -> Delay:
    return usual if one.terms.delay is None else one.terms.delay


def _line(one: Tournament, usual: Delay) -> FeedTournament:
    terms, delay = one.terms, _delay(one, usual)
    return FeedTournament(
        one.number, terms.name, terms.format, terms.length, terms.place, one.day, delay.seconds, delay.turns
    )


def _pairing(one: Pairing) -> FeedPairing:
    meeting = one.meeting
    return FeedPairing(meeting.first, meeting.second, one.board or None, meeting.winner, meeting.points)
