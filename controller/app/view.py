"""From the state of a match to the view that the page draws. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from controller.app.as_moved import as_moved, in_notation, nearest
from controller.app.chouette_view import chouette_view
from controller.app.status import Status
from controller.app.status_sentence import status
from controller.referee.commands import NewMatch
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Beavered,
    Doubled,
    Exchanged,
    Found,
    GameEnded,
    GameStarted,
    Named,
    Passed,
    Played,
    Raccooned,
    ResignOffered,
    Skipped,
    Taken,
    Why,
)
from controller.referee.folding import apply_recorded
from controller.referee.judging import PLAY_CODES
from controller.referee.names import UNNAMED, renamed
from controller.referee.phrases import in_words
from controller.referee.policies import options
from controller.referee.state import Flag, MatchState, Phase, ToPlay, TurnLine
from controller.rules import (
    LANGUAGES,
    Position,
    RuleSet,
    Side,
    format_play,
    legal_plays,
    may_beaver,
    may_pass,
    may_raccoon,
    parse_stake,
    position_from_id,
)
from controller.rules.codes import OF_TOURNAMENTS
from controller.tracking.parameters import SURE
from terms.board import SideName
from vision.sentence import Sentence
from web.operator import GameLines
from web.view import (
    CAMERA_WORKS,
    ClockView,
    CubeView,
    FlagView,
    PlannedView,
    PlayerView,
    PlayView,
    ResignView,
    StakeView,
    View,
)
from web.words import message

FLAGS_SHOWN = 12


def view_of(
    now: Status, sequence: int, lamps: tuple[str, ...] = (), hints: tuple[int, ...] = (), *, lines: bool = True
) -> View:
    """Everything that a viewer may see in the device's role: a silent recorder shows the game, and says nothing about it.

    lamps: those that are lit, in words; hints: light's points where a lifted checker may go; lines: with those of the game, which
    take the longer to make the longer it is.
    """
    state, board = now.state, now.board
    silent = state.role == "recorder"
    return View(
        sequence=sequence,
        light=_player(state, board, Side.LIGHT),
        dark=_player(state, board, Side.DARK),
        points=board.signed(),
        dice=now.dice or _roll_in_progress(state),
        turn=_side(state.turn),
        cube=CubeView(
            state.cube,
            _side(state.owner),
            _side(state.offered_to),
        ),
        match_length=state.score.length,
        crawford=state.score.crawford,
        game=_game(state),
        phase=state.phase.value,
        status=status(state),
        plays=_lines(state) if lines else (),
        flags=() if silent else tuple(_flag(flag, state, board) for flag in state.flags[-FLAGS_SHOWN:]),
        light_home=now.light_home,
        camera=str(now.camera.sentence) or CAMERA_WORKS,
        picture=tuple(tuple(map(str, one)) for one in now.picture),
        planned=_planned(now.planned),
        picture_messages=tuple(message(Sentence("{what} {advice}", what=one[0], advice=one[1])) for one in now.picture),
        panel=lamps,
        status_translations={language: status(state, language) for language in LANGUAGES if language != "en"},
        clock=_clock(state, now.seconds),
        answers=_answers(state),
        resigning=_resigning(state.resigning),
        draws=state.phase in (Phase.OPENING, Phase.GAME_OVER)
        and state.ruleset.start.first != "agreed"
        and (state.phase is Phase.GAME_OVER or state.starter is None),
        paused=state.paused,
        role=state.role,
        doubtful=_doubtful_lines(state) if lines else (),
        hints=hints if state.role == "coach" else (),
        match_id=now.match,
        event=state.event,
        place=state.place,
        round=state.round,
        practice=now.practising,
        waits_silent=now.practising and now.written.role == "recorder" and now.written.phase is not Phase.MATCH_OVER,
        journal=str(now.journal.sentence),
        stopped=now.journal.stopped,
        variant=state.ruleset.variant.position,
        stake=_stake(state),
        chouette=chouette_view(state),
        colours=state.colours_open,
        agrees=state.ruleset.start.first == "agreed",
        camera_message=message(now.camera.sentence) if now.camera.sentence else None,
        journal_message=message(now.journal.sentence) if now.journal.sentence else None,
    )


def _planned(match: NewMatch | None) -> PlannedView | None:
    if match is None:
        return None
    rules, clock = match.rules or "", bool(match.clock)
    return PlannedView(match.light, match.dark, match.length or 0, rules, clock, match.event, match.place, match.round)


def _clock(state: MatchState, now: float) -> ClockView | None:
    clock = state.clock
    if clock is None:
        return None
    light, dark = (round(max(clock.left(side, now), 0.0), 1) for side in (Side.LIGHT, Side.DARK))
    running = clock.running if clock.since is not None else None
    return ClockView(light, dark, round(clock.delay_left(now), 1), _side(running), now)


def _answers(state: MatchState) -> tuple[str, ...]:
    """What may be said to the cube on offer."""
    side, cube = state.offered_to, state.cube_state
    if side is None:
        return ()
    against = {
        "take": (),
        "pass": may_pass(cube, side, state.ruleset),
        "beaver": may_beaver(cube, side, state.ruleset),
        "raccoon": may_raccoon(cube, side, state.ruleset),
    }
    return tuple(answer for answer, reasons in against.items() if not reasons)


def _resigning(offer: ResignOffered | None) -> ResignView | None:
    return ResignView(side_name(offer.side), offer.level) if offer else None


def _stake(state: MatchState) -> StakeView | None:
    stake = parse_stake(state.ruleset.stake.point)
    if stake is None:
        return None
    lead = 0 if state.chouette else state.score.light - state.score.dark
    owes: SideName | None = "dark" if lead > 0 else "light" if lead < 0 else None
    return StakeView(stake.text(), owes, stake.of(abs(lead)).text() if owes else "")


def _roll_in_progress(state: MatchState) -> tuple[int, ...]:
    """The roll that is being played, where no camera sees it."""
    return state.to_play.dice if state.to_play else ()


def side_name(side: Side) -> SideName:
    """A side as the page calls it."""
    return "light" if side is Side.LIGHT else "dark"


def _side(side: Side | None) -> SideName | None:
    return None if side is None else side_name(side)


def _game(state: MatchState) -> int:
    """The number of the game on the board: the score counts on to the next one as soon as it is over."""
    over = state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
    return max(1, state.score.game - 1) if over else state.score.game


def _player(state: MatchState, board: Position, side: Side) -> PlayerView:
    return PlayerView(
        name=state.name(side),
        score=_points(state, side),
        pips=None if state.role == "recorder" else board.pip_count(side),
        bar=board.own(side)[24],
        off=_off(state, board, side),
    )


def _points(state: MatchState, side: Side) -> int:
    """Of a match; in a chouette what that side's player has won of all the others."""
    return dict(state.standings).get(state.name(side), state.score.points(side))


def _off(state: MatchState, board: Position, side: Side) -> int:
    """Checkers borne off: one that is not seen on the board is in somebody's hand, unless all the others are home."""
    known, seen = max(state.position.off(side), 0), max(board.off(side), 0)
    home = not any(board.own(side)[6:])
    return seen if home else min(known, seen)


def remark(reasons: Sequence[Why], text: str, names: tuple[str, str]) -> tuple[str, dict[str, str]]:
    """What was said, in English, and in other languages where its reasons are known. text: as it was said; names: of those who
    played then."""
    translated = in_words(reasons, names)
    # What was said is kept as it was said; only players whom nobody has named are called as on the rest of the page.
    english = translated.pop("en", text)
    return (english if set(names) & set(UNNAMED) else text), translated


def _flag(flag: Flag, state: MatchState, board: Position) -> FlagView:
    text, translated = remark(flag.reasons, flag.text, flag.names)
    answers = () if flag.resolved else options(flag.code, state.ruleset)
    view = FlagView(
        flag.number,
        flag.code,
        _side(flag.side),
        text,
        flag.turn,
        flag.resolved,
        translations=translated,
        options=answers,
    )
    view = msgspec.structs.replace(view, tournament=flag.code in OF_TOURNAMENTS)
    turn = state.to_play
    if flag.resolved or flag.code not in PLAY_CODES or turn is None or turn.side is not flag.side:
        return view
    moved = as_moved(turn.before, board, turn.side, turn.dice)
    played = in_notation(moved, turn.before, turn.side)
    possible = _possible(turn, board, state.ruleset) if moved else ""
    return msgspec.structs.replace(view, moved=moved, played=played, dice=turn.dice, possible=possible)


@lru_cache(maxsize=16)
def _possible(turn: ToPlay, board: Position, rules: RuleSet) -> str:
    """A legal play close to what stands there; asked for every frame."""
    play = nearest(legal_plays(turn.before, turn.side, turn.dice, rules), board, turn.side)
    return format_play(play) if play else ""


@lru_cache(maxsize=64)
def _illegal(turn: Played, checkers: int) -> str:
    """What was moved in a play that is not legal."""
    before, after = (position_from_id(one, Side.LIGHT, checkers) for one in (turn.before, turn.after))
    return in_notation(as_moved(before, after, turn.side, turn.dice), before, turn.side)


def _doubtful(turn: Played) -> bool:
    """Whether a person should look at it. Of a dance nothing but the dice could be misread, and the board stands as it stood."""
    return turn.sure < SURE and not (turn.legal and not turn.notation)


def games_before(held: Sequence[AnyEvent]) -> tuple[GameLines, ...]:
    """The games of a match before the present one, their players as they are called by now. held: its events that hold."""
    found: list[GameLines] = []
    state, score, end, number = MatchState(), (0, 0), None, 0
    for event in held:
        if isinstance(event, GameStarted):
            # What was only set up wrongly before anybody played is no game.
            if number and not (number == event.number and all(isinstance(line, Found) for line in state.turns)):
                winner, points = _won(end, state, score)
                found.append(GameLines(number, *state.seated, score, winner, points, _lines(state)))
            end, number = None, event.number
        end = event if isinstance(event, GameEnded) else end
        before, state = state.names, apply_recorded(state, event)
        if isinstance(event, Named):
            seats = (renamed((one.light, one.dark), before, state.names) for one in found)
            found = [
                msgspec.structs.replace(one, light=light, dark=dark)
                for one, (light, dark) in zip(found, seats, strict=True)
            ]
        is_set = isinstance(event, Adjusted) and event.score is not None and not state.between_games
        if is_set or isinstance(event, GameStarted | Exchanged):
            score = _points(state, Side.LIGHT), _points(state, Side.DARK)
    return tuple(found)


def _won(end: GameEnded | None, state: MatchState, score: tuple[int, int]) -> tuple[SideName | None, int]:
    """Who has won a game that is over, and how much: in a chouette whoever sat there, of all cubes, if he has won anything. score:
    before it."""
    if end is None or state.chouette is None:
        return (_side(end.winner), end.points) if end else (None, 0)
    seat = 0 if end.winner is Side.LIGHT else 1
    won = dict(state.standings)[state.seated[seat]] - score[seat]
    return (_side(end.winner), won) if won > 0 else (None, 0)


def _doubtful_lines(state: MatchState) -> tuple[int, ...]:
    return tuple(n for n, turn in enumerate(state.turns, 1) if isinstance(turn, Played) and _doubtful(turn))


def _lines(state: MatchState) -> tuple[PlayView, ...]:
    """The game's lines, with what a person has put right in them or thinks of them."""
    marks = dict(state.marks)
    return tuple(
        msgspec.structs.replace(
            line_view(number, turn, state.start.checkers),
            corrected=number in state.corrected,
            mark=None if isinstance(turn, Found | Skipped) else marks.get(number, ""),
        )
        for number, turn in enumerate(state.turns, start=1)
    )


def line_view(number: int, turn: TurnLine, checkers: int) -> PlayView:
    """A line of a game as the page lists it. checkers: that each side plays with."""
    if isinstance(turn, Found):
        words = "begun at this position" if turn.lost is None else "a gap: nobody saw what was played"
        return PlayView(number, None, None, words)
    side = side_name(turn.side)
    match turn:
        case Played(dice=dice, notation=notation, legal=legal):
            words = notation or ("no legal move" if legal else _illegal(turn, checkers) or "illegal play")
            return PlayView(number, side, dice, words, legal, not _doubtful(turn))
        case Skipped():
            return PlayView(number, side, None, "closed out")
        case Doubled(value=value):
            return PlayView(number, side, None, f"doubles to {value}")
        case Beavered(value=value):
            return PlayView(number, side, None, f"beavers to {value}")
        case Raccooned(value=value):
            return PlayView(number, side, None, f"raccoons to {value}")
        case Taken():
            return PlayView(number, side, None, "takes")
        case Passed():
            return PlayView(number, side, None, "passes")


def changed(before: View | None, now: View) -> bool:
    """Whether viewers need to hear of it: whether anything differs but the sequence, and the clock that runs on by itself."""
    return before is None or _without_time(before) != _without_time(now)


def as_written(view: View) -> object:
    """What of it changes with the match as it is written down: neither what is seen meanwhile nor what is thought of a line."""
    lines = [(play.side, play.dice, play.notation) for play in view.plays]
    players = [(player.name, player.score) for player in (view.light, view.dark)]
    return view.match_id, view.game, view.turn, view.cube, view.resigning, players, lines


def _without_time(view: View) -> View:
    clock = view.clock and msgspec.structs.replace(view.clock, light=0.0, dark=0.0, delay=0.0, at=0.0)
    return msgspec.structs.replace(view, sequence=0, clock=clock)
