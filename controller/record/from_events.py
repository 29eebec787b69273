"""From the referee's events to a record that can be written to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from controller.record.model import (
    AnyAction,
    BeaverAction,
    DoubleAction,
    Game,
    Level,
    PassAction,
    PlayAction,
    Player,
    RaccoonAction,
    Record,
    RecordedFlag,
    RefusedAction,
    ResignAction,
    Seat,
    SetAction,
    TakeAction,
    TeamCubeAct,
    TeamGame,
    make_record,
)
from controller.record.replay import add_score, is_crawford_score, other_seat
from controller.referee import events
from controller.referee.events import (
    Adjusted,
    AnyEvent,
    Beavered,
    Confirmed,
    Doubled,
    Drawn,
    Flagged,
    Found,
    GameEnded,
    GameStarted,
    Mark,
    Marked,
    MatchStarted,
    Passed,
    Played,
    Raccooned,
    Resolved,
    Taken,
    Withdrawn,
)
from controller.referee.folding import apply_recorded
from controller.referee.history import LinesSoFar, effective_with
from controller.referee.names import exchanged
from controller.referee.phrases import in_words
from controller.referee.state import MatchState
from controller.rules import (
    PRESETS,
    VARIANTS,
    Position,
    RuleSet,
    Side,
    position_from_id,
    position_id,
    ruleset_keys,
)
from controller.rules.codes import Code
from controller.tracking.parameters import SURE

AFTERWARDS = Code.ILLEGAL_PLAY_STANDS
"""Said of the play that was just written down; everything else is said while a turn is going on."""

TRACK_LOST = "What stood on the board at the end does not follow from what was seen before it: that is not written."

EvidenceOf = Callable[[int], tuple[str, ...]]
"""Names of the files that are kept for a flag's number."""


def _level(level: int) -> Level:
    return 3 if level == 3 else 2 if level == 2 else 1


def seat(side: Side, light: Seat = 0) -> Seat:
    """Light sits in the left column, unless the players have changed colours. light: who has the light checkers."""
    return light if side is Side.LIGHT else other_seat(light)


@dataclass
class _Open:
    """A game that is still being written. light: who has the light checkers; number: the match's, where it began."""

    light: Seat = 0
    number: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    start: str = ""
    cube: int = 1
    owner: Side | None = None
    draws: list[tuple[int, int]] = field(default_factory=list)
    actions: list[AnyAction] = field(default_factory=list)
    winner: Side | None = None
    points: int | None = None
    order: tuple[str, ...] = ()
    cubes: list[TeamCubeAct] = field(default_factory=list)
    shares: dict[str, int] = field(default_factory=dict)

    def closed(self, ends: Mapping[int, str]) -> Game:
        """ends: how what the referee said has ended, by its number."""
        winner = self.seat(self.winner) if self.winner else None
        return Game(
            self.score,
            self.crawford,
            winner,
            self.points,
            tuple(_ended(action, ends) for action in self.actions),
            start=self.start,
            cube=self.cube,
            owner=self.seat(self.owner) if self.owner else None,
            draws=tuple(self.draws),
            team=TeamGame(self.order, tuple(self.cubes), self.shares) if self.order else None,
            light=self.light,
        )

    def seat(self, side: Side) -> Seat:
        """Who plays that side."""
        return seat(side, self.light)

    @property
    def left(self) -> Side:
        """What player 0 plays."""
        return Side.LIGHT if self.light == 0 else Side.DARK

    @property
    def is_played(self) -> bool:
        """Something of it was played; that it was found, or set, is not enough."""
        played = any(not isinstance(action, SetAction | RefusedAction) for action in self.actions)
        return played or bool(self.cubes) or self.winner is not None

    def tally(self, state: MatchState) -> None:
        """The score before it and its draws, as the players sit."""
        score = (state.score.light, state.score.dark)
        self.score, self.draws = self.seated(score), [self.seated(draw) for draw in state.draws]

    def begin(self, state: MatchState) -> None:
        """What is known of it before its first roll."""
        self.tally(state)
        self.place(state)

    def place(self, state: MatchState) -> None:
        """It begins from what stands: "" where that is how its variation begins."""
        usual = state.position == state.start and _variation(state.position)
        self.start = "" if usual else position_id(state.position, self.left)

    def seated(self, pair: tuple[int, int]) -> tuple[int, int]:
        """What is light's and dark's, as the players sit."""
        return pair if self.light == 0 else (pair[1], pair[0])


@dataclass
class _Writer:
    """Takes events one by one. waiting: what was said in the turn that is going on; ends: how each such thing has ended."""

    evidence: EvidenceOf
    state: MatchState = field(default_factory=MatchState)
    games: list[_Open] = field(default_factory=list)
    waiting: list[RecordedFlag] = field(default_factory=list)
    ends: dict[int, str] = field(default_factory=dict)

    def take(self, event: AnyEvent, wall_time: str, mark: Mark = "") -> None:
        """mark: what somebody said of it later."""
        self._take(event, wall_time)
        if mark and self.games and self.games[-1].actions:
            actions = self.games[-1].actions
            actions[-1] = msgspec.structs.replace(actions[-1], mark=mark)

    def _take(self, event: AnyEvent, wall_time: str) -> None:
        before = self.state
        self.state = apply_recorded(before, event)
        offer = before.resigning
        if offer and self.state.resigning is not offer and self.games and not isinstance(event, GameEnded):
            refused = RefusedAction(
                self._seat(offer.side), _level(offer.level), seconds=offer.seconds, wall_time=wall_time
            )
            self.games[-1].actions.append(refused)
        match event:
            case MatchStarted():
                self.games, self.waiting, self.ends = [], [], {}
            case GameStarted(number=number):
                self._begin_game(number)
            case Drawn() if self.games:
                self.games[-1].tally(self.state)
                self.games[-1].cube = self.state.cube
            case events.Exchanged() if self.games:
                if len(self.games) > 1:  # before that it says who sits where
                    self.games[-1].light = other_seat(self.games[-1].light)
                self.games[-1].begin(self.state)
            case GameEnded() if self.games:
                self._end_game(event, before, wall_time)
            case events.TeamCube(player=name, act=act, side=side) if self.games:
                self.games[-1].cubes.append(TeamCubeAct(name, act, self._seat(side), len(self.games[-1].actions)))
            case Played() | Doubled() | Beavered() | Raccooned() | Taken() | Passed() if self.games:
                action = msgspec.structs.replace(action_of(event, self.games[-1].light), wall_time=wall_time)
                self._turn_gap(action.player)
                if isinstance(event, Played) and event.redo:
                    self._take_back(PlayAction)
                self.games[-1].actions.append(action)
                self._settle()
            case Withdrawn() if self.games:
                self._take_back(DoubleAction)
            case Flagged():
                self._flag(event)
            case Resolved(number=number, how=how):
                self.ends[number] = how
            case Adjusted() if self.games:
                self._adjust(
                    event, wall_time, ends_offer=before.offered_by is not None and self.state.offered_by is None
                )
            case Found() if self.games:
                self._found(event, wall_time)

    def _begin_game(self, number: int) -> None:
        light: Seat = self.games[-1].light if self.games else 0
        if not self._drops_unplayed(number):
            self._settle()
        self.games.append(_Open(light, number, crawford=self.state.score.crawford))
        self.games[-1].begin(self.state)
        self.games[-1].order = self.state.chouette.order if self.state.chouette else ()

    def _end_game(self, event: GameEnded, before: MatchState, wall_time: str) -> None:
        """before: the state in which it ended."""
        game, standings = self.games[-1], dict(before.standings)
        if event.ending == "resigned":
            # The event has what the game is worth by the cube on the board, which means nothing beside a team's own.
            level = before.resigning.level if before.resigning and before.own_cubes else event.level
            loser = self._seat(event.winner.other)
            given_up = ResignAction(loser, event.points, _level(level), seconds=event.seconds, wall_time=wall_time)
            game.actions.append(given_up)
        self._settle()
        game.winner, game.points = event.winner, event.points
        game.shares = {name: now - standings[name] for name, now in self.state.standings}

    def _flag(self, event: Flagged) -> None:
        """Keeps it for the action that it is said of."""
        player = self._seat(event.side) if event.side else None
        self.waiting.append(
            RecordedFlag(event.number, event.code, event.text, player, translations=_in_words(event, self.state))
        )
        if event.code == AFTERWARDS:
            self._settle()

    def _seat(self, side: Side) -> Seat:
        return self.games[-1].seat(side) if self.games else seat(side)

    def _drops_unplayed(self, number: int) -> bool:
        """Whether that game begins anew and nothing of it was played: its checkers stood elsewhere at first, and were put right.
        What was said of that goes with what follows."""
        if not self.games or self.games[-1].number != number or self.games[-1].is_played:
            return False
        said = (one for action in self.games.pop().actions for one in action.flagged)
        self.waiting = [*said, *self.waiting]
        return True

    def _take_back(self, kind: type[PlayAction | DoubleAction]) -> None:
        """The last turn was played otherwise after all, or the double not answered; what was said of it goes with what follows."""
        actions = self.games[-1].actions
        if actions and isinstance(actions[-1], kind):
            self.waiting = [*actions.pop().flagged, *self.waiting]

    def _found(self, event: Found, wall_time: str) -> None:
        """The game goes on from where it was found: before its first action that is how it begins, later there is a gap."""
        self._settle()
        game, state = self.games[-1], self.state
        if not game.actions and state.position != state.start:
            game.cube, game.owner, game.start = event.cube, event.owner, position_id(state.position, game.left)
            return
        gap = event.lost or 0.0
        game.actions.append(
            SetAction(
                0,
                position_id(state.position, game.left),
                event.cube,
                game.seat(event.owner) if event.owner else None,
                gap,
                seconds=event.seconds,
                wall_time=wall_time,
                comment=f"Gap of {gap:.0f} s: nobody saw what was played.",
            )
        )

    def _turn_gap(self, player: Seat) -> None:
        """Who was on roll after a gap shows the first action after it."""
        actions = self.games[-1].actions
        if actions and isinstance(last := actions[-1], SetAction) and last.gap is not None and last.player != player:
            left = self.games[-1].left
            stood = position_from_id(last.position, left)
            actions[-1] = msgspec.structs.replace(last, player=player, position=position_id(stood, left.other))

    def _adjust(self, event: Adjusted, wall_time: str, *, ends_offer: bool) -> None:
        """A person has set the board, the cube or the score: before a game's first action that is how it begins. ends_offer: a
        double that nobody has answered has ended with it, and the cube lies where it lay."""
        state, game = self.state, self.games[-1]
        tells_cube = event.cube is not None or ends_offer
        if event.score is not None and not state.between_games:
            game.tally(state)
            game.crawford = state.score.crawford
        if not game.actions:
            game.cube, game.owner = state.cube, state.owner
            game.place(state)
        elif event.position is not None or event.cube is not None:
            self._settle()
            on_roll = state.turn or Side.LIGHT
            change = SetAction(
                game.seat(on_roll),
                "" if event.position is None else position_id(state.position, on_roll),
                state.cube if tells_cube else None,
                game.seat(state.owner) if tells_cube and state.owner else None,
                seconds=event.seconds,
                wall_time=wall_time,
                corrected=True,
            )
            game.actions.append(change)

    def _settle(self) -> None:
        """What was said in this turn stands with the action that ended it; before the first one it waits."""
        if not self.waiting or not self.games or not self.games[-1].actions:
            return
        actions = self.games[-1].actions
        flagged = (*actions[-1].flagged, *self.waiting)
        actions[-1] = msgspec.structs.replace(
            actions[-1],
            flagged=flagged,
            flags=tuple(dict.fromkeys(one.code for one in flagged)),
            evidence=tuple(name for one in flagged for name in self.evidence(one.number)),
        )
        self.waiting = []

    def record(self, file: str) -> Record:
        self._settle()
        state = self.state
        changed = bool(self.games) and self.games[-1].light == 1
        names = exchanged(state.names) if changed else state.names
        first, second = [name for name, _ in state.standings][:2] or names
        players = (Player(first, "light"), Player(second, "dark"))
        lost = any(one.code == Code.TRACK_LOST for one in state.standing)
        record = make_record(
            players,
            self._closed(),
            state.score.length,
            file,
            (TRACK_LOST,) if lost else (),
        )
        return msgspec.structs.replace(
            record,
            event=state.event,
            place=state.place,
            round=state.round,
            variation=variation_of(state),
            **_rules_named(state.ruleset, state.score.length),
        )

    def _closed(self) -> tuple[Game, ...]:
        """The games. What a person said of the score after the last one has no other place than the score before that; where even
        that is too much, its points are what is left."""
        games = [game.closed(self.ends) for game in self.games]
        if games and self.state.between_games and self.state.chouette is None:
            last = games[-1]
            agreed = self.games[-1].seated((self.state.score.light, self.state.score.dark))
            if add_score(last.score, last) != agreed:
                won = add_score((0, 0), last)
                before = max(agreed[0] - won[0], 0), max(agreed[1] - won[1], 0)
                crawford = last.crawford and is_crawford_score(self.state.score.length, before)
                points = last.points and min(last.points, agreed[last.winner or 0])
                games[-1] = msgspec.structs.replace(last, score=before, crawford=crawford, points=points)
        return tuple(games)


def _ended(action: AnyAction, ends: Mapping[int, str]) -> AnyAction:
    """With how what was said of it has ended."""
    if not action.flagged:
        return action
    flagged = tuple(msgspec.structs.replace(one, how=ends.get(one.number, one.how)) for one in action.flagged)
    return msgspec.structs.replace(action, flagged=flagged)


def _rules_named(rules: RuleSet, length: int) -> dict[str, Any]:
    """Fields of a record that say by which rules it was played; other programs know a few of them."""
    cube = rules.cube
    known = {"crawford_rule": cube.crawford} if length else {"jacoby": cube.jacoby, "beavers": cube.beavers > 0}
    keys = {} if PRESETS.get(rules.name) == rules else ruleset_keys(rules)
    return {"rules": rules.name, "rule_keys": keys, "cube_limit": cube.max or None, **known}


def record_of(events: Iterable[AnyEvent], file: str = "", evidence: EvidenceOf = lambda flag: ()) -> Record:
    """The match that these events tell, as far as it was played, with all that the referee said."""
    return record_of_timed(((event, "") for event in events), file, evidence)


def record_of_timed(events: Iterable[tuple[AnyEvent, str]], file: str, evidence: EvidenceOf) -> Record:
    """The same of events with their times by the clock on the wall."""
    return _written(events, evidence).record(file)


def _written(events: Iterable[tuple[AnyEvent, str]], evidence: EvidenceOf) -> _Writer:
    """What holds of these events with their times, after all corrections."""
    held = effective_with(events)
    marks: dict[int, Mark] = {}
    game = LinesSoFar()
    for at, (event, _) in enumerate(held):
        game.take(at, event)
        if not isinstance(event, Confirmed | Marked):
            continue
        line = game.lines[event.turn - 1] if event.turn <= len(game.lines) else None
        if line is not None and isinstance(event, Marked):
            marks[line.at] = event.mark
        elif line is not None and isinstance(line.event, Played):
            held[line.at] = (msgspec.structs.replace(line.event, sure=1.0), held[line.at][1])
    writer = _Writer(evidence)
    for at, (event, wall_time) in enumerate(held):
        writer.take(event, wall_time, marks.get(at, ""))
    return writer


def _in_words(flag: Flagged, state: MatchState) -> dict[str, str]:
    """What was said, in the other languages."""
    return {language: said for language, said in in_words(flag.reasons, state.names).items() if language != "en"}


def _variation(start: Position) -> str:
    """The variant that begins from this position; empty where none does."""
    return next((variant for variant in VARIANTS if Position.start(variant) == start), "")


def variation_of(state: MatchState) -> str:
    """The variant of a match, as a record has it: that of the position where its games begin, else that of its rules."""
    return _variation(state.start) or state.ruleset.variant.position


def action_of(event: Played | Doubled | Beavered | Raccooned | Taken | Passed, light: Seat = 0) -> AnyAction:
    """What a line of a game is in its record. light: who has the light checkers."""
    player, seconds = seat(event.side, light), event.seconds
    match event:
        case Played():
            return PlayAction(
                player,
                event.dice,
                event.moves,
                _seen_by(event.side, event.before),
                _seen_by(event.side, event.after),
                event.legal,
                seconds=seconds,
                confidence=event.sure if event.sure < SURE else None,
                inferred=not event.roll_seen,
                took=event.took,
                corrected=event.by_hand,
            )
        case Doubled(value=value):
            return DoubleAction(player, value, seconds=seconds)
        case Beavered(value=value):
            return BeaverAction(player, value, seconds=seconds)
        case Raccooned(value=value):
            return RaccoonAction(player, value, seconds=seconds)
        case Taken():
            return TakeAction(player, seconds=seconds)
        case Passed():
            return PassAction(player, seconds=seconds)


def _seen_by(mover: Side, position: str) -> str:
    """A Position ID with light on roll, as one with the mover on roll."""
    return position_id(position_from_id(position, Side.LIGHT), mover)
