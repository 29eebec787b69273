"""A match as the page shows it to whoever looks it over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from controller.app.as_moved import as_moved, in_notation
from controller.app.view import line_view, remark, side_name
from controller.record.turns import LineOfGame, to_look_over, turns_of
from controller.referee.events import AnyEvent, Found, GameStarted, Named, Otherwise, Played
from controller.referee.folding import apply_recorded, fold
from controller.referee.history import last_correction, last_undone
from controller.referee.names import renamed
from controller.referee.state import MatchState, ToPlay
from controller.rules import Position, RuleSet, Side, format_play, judge, legal_plays, position_from_id, position_id
from controller.rules.course import course
from web.operator import BoardOnTheWay, Legal, LegalPlay, LikelyPlay, Remark, Report, ReportLine

NO_PLAYS = Legal(None, None, (), ())


def report_of(held: Sequence[AnyEvent], source: str, has_picture: Callable[[LineOfGame], bool]) -> Report:
    """The match that these events tell. held: those that hold; source: what it was read from; has_picture: of a line."""
    state = fold(held)
    lines = to_look_over(turns_of(held))
    players = {flag.number: flag.names for flag in state.flags}
    seated = {game: names for game, names in seats_by_game(held).items() if names != state.seated}
    return Report(
        source=source,
        players=state.seated,
        seated=seated,
        lines=tuple(msgspec.structs.replace(_line(one, state, players), picture=has_picture(one)) for one in lines),
        checkers=state.start.checkers,
        undo=last_correction(held) is not None,
        redo=last_undone(held) is not None,
    )


def seats_by_game(held: Sequence[AnyEvent]) -> dict[int, tuple[str, str]]:
    """Who plays light and dark in each game, by its number, as people are called at the end of the match."""
    state, game = MatchState(), 0
    found: dict[int, tuple[str, str]] = {}
    for event in held:
        before, state = state.names, apply_recorded(state, event)
        if isinstance(event, GameStarted):
            game = event.number
        elif isinstance(event, Named):
            found = {one: renamed(seats, before, state.names) for one, seats in found.items()}
        if game:
            found[game] = state.seated
    return found


def line_at(held: Sequence[AnyEvent], game: int | None, line: int) -> LineOfGame | None:
    """That line of a game, of the last one where none is named; None where there is none."""
    lines = turns_of(held)
    last = max((one.number for one in held if isinstance(one, GameStarted)), default=0)
    return next((one for one in reversed(lines) if (one.game, one.line) == (game or last, line)), None)


def legal_of(event: Played, dice: tuple[int, int] | None, state: MatchState) -> Legal:
    """What could have been played in that turn: with its dice, or with others. state: of the match, for its rules."""
    high, low = sorted(dice or event.dice, reverse=True)
    before = position_from_id(event.before, Side.LIGHT, state.start.checkers)
    return legal_in(ToPlay(event.side, (high, low), before), state.ruleset)


def legal_in(turn: ToPlay, rules: RuleSet) -> Legal:
    """What may be played in a turn, as the desk taps it."""
    plays = (
        LegalPlay(
            format_play(play),
            tuple((move.source, move.target) for move in play.moves),
            position_id(play.result, Side.LIGHT),
        )
        for play in legal_plays(turn.before, turn.side, turn.dice, rules)
    )
    boards = (
        BoardOnTheWay(
            position_id(board.position, Side.LIGHT),
            board.legal,
            tuple((step.source, step.target, step.then) for step in board.steps),
        )
        for board in course(turn.before, turn.side, turn.dice, rules)
    )
    return Legal(side_name(turn.side), turn.dice, tuple(plays), tuple(boards))


def _line(line: LineOfGame, state: MatchState, players: Mapping[int, tuple[str, str]]) -> ReportLine:
    """players: who played when each flag was raised, by its number."""
    event, checkers = line.event, state.start.checkers
    shown = line_view(line.line, event, checkers)
    found = ReportLine(
        game=line.game,
        line=line.line,
        turn=line.turn,
        side=shown.side,
        dice=shown.dice,
        notation=shown.notation,
        legal=shown.legal,
        doubt=line.doubt,
        sure=1.0,
        roll_seen=True,
        seconds=round(event.seconds, 2),
        flags=tuple(Remark(flag.code, *remark(flag.reasons, flag.text, players[flag.number])) for flag in line.flags),
        corrected=line.confirmed,
    )
    if isinstance(event, Found):
        return msgspec.structs.replace(found, after=event.position, lost=event.lost)
    if not isinstance(event, Played):
        return found
    return msgspec.structs.replace(
        found,
        sure=1.0 if line.confirmed else event.sure,
        roll_seen=event.roll_seen,
        before=event.before,
        after=event.after,
        others=tuple(_likely(event, one, state) for one in event.others),
    )


def _likely(event: Played, other: Otherwise, state: MatchState) -> LikelyPlay:
    checkers = state.start.checkers
    before, after = (position_from_id(one, Side.LIGHT, checkers) for one in (event.before, other.after))
    return LikelyPlay(
        other.dice, _notation(before, after, event.side, other.dice, state.ruleset), other.after, other.sure
    )


def _notation(before: Position, after: Position, side: Side, dice: tuple[int, int], rules: RuleSet) -> str:
    play = judge(before, side, dice, after, rules).play
    return format_play(play) if play else in_notation(as_moved(before, after, side, dice), before, side)
