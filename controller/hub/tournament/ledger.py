"""Tournaments in the hub's database. Results come out of the archive by themselves: a pairing's match is known by event, round,
board and names. Every method raises StoreError; those that change something keep who did it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from controller.hub.acts import Acts
from controller.hub.archive import MatchKey
from controller.hub.errors import HubError
from controller.hub.tournament.draw import (
    DrawError,
    Entrant,
    Format,
    Meeting,
    Round,
    check_over,
    most_rounds,
    next_round,
    usual_rounds,
)
from controller.hub.tournament.lists import ListError, checked
from controller.hub.tournament.standings import Standing, standings
from controller.record.wire import PlannedMatch
from controller.referee.events import (
    AMENDED,
    ClockSet,
    Exchanged,
    GameStarted,
    MatchStarted,
    Named,
    Paused,
    RoleSet,
)
from controller.referee.names import printable
from controller.rules import RulesError, agreed_length, preset_named
from vision.sentence import Sentence
from web.delay import Delay

LONGEST_TITLE = 80

Names = tuple[str, ...]
"""Who meets: both, or the one who has a bye."""

_UNPLAYED = (MatchStarted, GameStarted, Exchanged, Named, RoleSet, ClockSet, Paused)
"""What a match can have before anything of it is played: a board to which the hub has sent it has begun it by itself."""

_BEGUN = (
    "coalesce(o.is_over, false) or exists (select from events e where (e.board, e.life, e.match) = (o.board, o.life, o.match) "
    f"and e.kind not in ({', '.join(repr(one.__struct_config__.tag) for one in _UNPLAYED)}))"
)
"""Of a pairing of which something was played."""

_PAIRING = (
    "round, number, first, second, board, winner, points_first, points_second, said_by, life, match, coalesce(is_over, false), "
    "played_first, played_second, coalesce(extract(epoch from now() - "
    f"case when winner = '' then greatest(said_at, touched) else said_at end)::float, 1e9), {_BEGUN}"
)
_WAITS = (
    "o.winner = '' and o.second <> '' and o.is_over is not true "
    "and o.round = (select max(round) from pairings where tournament = o.tournament) "
    "and not exists (select from matches m join events e on (e.board, e.life, e.sequence) = (m.board, m.life, m.last) "
    f"where (m.board, m.life, m.match) = (o.board, o.life, o.match) and e.kind = '{AMENDED}')"
)
"""Of a pairing that is still to be played. What was put right when it was not on any more, and has no end since, waits for somebody
who types its result: nobody plays it from the beginning."""


class TournamentError(HubError):
    """Why something can't be done with a tournament, in a sentence."""


@dataclass(frozen=True)
class Terms:
    """What is agreed of a tournament. length: points that win a match; rules: a preset; rounds: of a Swiss one, where
    somebody has chosen them, else 0; delay: how much later the world sees it, None: as the hub's settings say."""

    name: str
    format: Format
    length: int
    rules: str = "match"
    clock: bool = False
    place: str = ""
    rounds: int = 0
    boards: tuple[str, ...] = ()
    delay: Delay | None = None

    def rounds_for(self, players: int) -> int:
        """Of a Swiss one with so many players, whoever came late among them; else 0."""
        return self.rounds or usual_rounds(self.format, players)


@dataclass(frozen=True)
class Tournament:
    """One of them. day: on which it was made, yyyy-mm-dd."""

    number: int
    terms: Terms
    day: str


@dataclass(frozen=True)
class Pairing:
    """A meeting and where it stands. board: None until it has one, "" where it shall have none. match: what the board has sent for
    it; playing: the score of that while it is on; begun: something of it was played. typed_by: who has typed the result, "" for
    nobody; age_s: since when."""

    round: int
    number: int
    meeting: Meeting
    board: str | None
    match: MatchKey | None = None
    playing: tuple[int, int] | None = None
    typed_by: str = ""
    age_s: float = 0.0
    begun: bool = False


class Tournaments(Acts):
    """For one thread at a time."""

    def all(self) -> tuple[Tournament, ...]:
        """The newest first."""
        return self._found("order by id desc")

    def find(self, number: int) -> Tournament | None:
        """One of them."""
        return next(iter(self._found("where id = %s", number)), None)

    def players(self, number: int) -> tuple[Entrant, ...]:
        """In the order of their seeds."""
        rows = self._rows("select name, withdrawn from players where tournament = %s order by seed", (number,))
        return tuple(Entrant(*row) for row in rows)

    def rounds(self, number: int) -> tuple[tuple[Pairing, ...], ...]:
        """What was drawn so far, with what is known of it."""
        rows = self._rows(f"select {_PAIRING} from outcomes o where tournament = %s order by round, number", (number,))
        pairings = tuple(map(_pairing, rows))
        last = pairings[-1].round if pairings else 0
        return tuple(tuple(one for one in pairings if one.round == each) for each in range(1, last + 1))

    def make(self, terms: Terms, names: Sequence[str], who: str) -> int:
        """A new one, with its players in the order of their seeds. Raises HubError."""
        names = checked(names)
        if len(names) < 2:
            raise TournamentError("A tournament needs two players at least.")
        if not terms.name or terms.name != printable(terms.name) or len(terms.name) > LONGEST_TITLE:
            raise TournamentError("A tournament needs a name of at most {most} letters.", most=LONGEST_TITLE)
        try:
            if not 1 <= terms.length <= 99 or agreed_length(preset_named(terms.rules), terms.length) != terms.length:
                raise TournamentError("The matches of a tournament go to 1 to 99 points.")
        except RulesError as error:
            raise TournamentError("By these rules no match goes to points.") from error
        if terms.format == "swiss" and not 0 <= terms.rounds <= most_rounds(len(names)):
            raise TournamentError(
                "So many players can play {most} rounds at most without meeting twice. For more, let everybody meet everybody.",
                most=most_rounds(len(names)),
            )
        with self.transaction():
            rows = self._rows(
                "insert into tournaments (name, format, length, rules, clock, place, rounds, boards) "
                "values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict (name) do nothing returning id",
                (
                    terms.name, terms.format, terms.length, terms.rules, terms.clock, terms.place, terms.rounds,
                    " ".join(terms.boards),
                ),
            )  # fmt: skip
            if not rows:
                raise TournamentError("There is a tournament called {name} already.", name=terms.name)
            number: int = rows[0][0]
            self._add(number, 1, names)
            self.keep_act(who, Sentence("has made a tournament"), terms.name)
        return number

    def draw(self, number: int, who: str, by_hand: Round | None = None) -> None:
        """The next round, drawn as its format has it, or as given. Raises DrawError, TournamentError."""
        with self._changing(number) as tournament:
            terms, players, rounds = tournament.terms, self.players(number), self._meetings(number)
            drawn = by_hand
            if drawn is None:
                drawn = next_round(terms.format, players, rounds, terms.rounds_for(len(players)))
                if not drawn:
                    raise DrawError("The tournament is over: there is no further round.")
            else:
                check_over(rounds)
            with self._asked() as connection, connection.cursor() as cursor:
                cursor.executemany(
                    "insert into pairings (tournament, round, number, first, second, winner) values (%s, %s, %s, %s, %s, %s)",
                    [
                        (number, len(rounds) + 1, at, one.first, one.second or "", one.winner or "")
                        for at, one in enumerate(drawn, start=1)
                    ],
                )
            self.keep_act(who, Sentence("has drawn a round"), f"{terms.name}, {len(rounds) + 1}")

    def take_back(self, number: int, who: str, meant: str | None = None) -> None:
        """The last round was not drawn. meant: the mark of the one that is, where somebody has it from a page. Raises
        TournamentError, also where something of it was played."""
        with self._changing(number) as tournament:
            rounds = self.rounds(number)
            if not rounds:
                raise TournamentError("No round has been drawn yet.")
            if meant not in (None, mark_of(rounds[-1])):
                raise TournamentError(
                    "The rounds have changed since this page was loaded: nothing was taken back. "
                    "If the last one shall go, press once more."
                )
            if any(one.begun or one.typed_by for one in rounds[-1]):
                raise TournamentError("Something of this round was played: it stays.")
            with self._asked() as connection:
                connection.execute("delete from pairings where tournament = %s and round = %s", (number, len(rounds)))
            self.keep_act(who, Sentence("has taken a round back"), f"{tournament.terms.name}, {len(rounds)}")

    def decide(
        self, number: int, round: int, at: int, points: tuple[int, int] | None, who: str, meant: Names | None = None
    ) -> None:
        """Types a result, which counts before what the board says; None: what the board says counts. meant: who meets there, where
        somebody has it from a page. Raises TournamentError."""
        with self._changing(number) as tournament:
            pairing = self._pairing(number, round, at, meant)
            first, second = pairing.meeting.first, pairing.meeting.second
            if second is None:
                raise TournamentError("A bye has no other result.")
            if round != len(self.rounds(number)) and points is None:
                raise TournamentError(
                    "The next round was drawn after this result: it can be changed, but not left open."
                )
            if points is not None and (points[0] == points[1] or min(points) < 0 or max(points) > 999):
                raise TournamentError("One of the two must have more points.")
            winner = "" if points is None else first if points[0] > points[1] else second
            with self._asked() as connection:
                connection.execute(
                    "update pairings set winner = %s, points_first = %s, points_second = %s, said_by = %s, said_at = now() "
                    "where tournament = %s and round = %s and number = %s",
                    (winner, *(points or (0, 0)), who if winner else "", number, round, at),
                )
            score = f"{points[0]} : {points[1]}" if points else "–"
            self.keep_act(
                who, Sentence("has typed a result"), f"{tournament.terms.name}, {round}: {first} – {second} {score}"
            )

    def place(self, number: int, round: int, at: int, board: str | None, who: str, meant: Names | None = None) -> None:
        """Where a pairing is played; None: at the next board that is free. meant: as of decide(). Raises TournamentError."""
        with self._changing(number) as tournament:
            pairing = self._pairing(number, round, at, meant)
            if pairing.begun:
                raise TournamentError("This match has begun: it stays where it is.")
            with self._asked() as connection:
                connection.execute(
                    "update pairings set board = %s where tournament = %s and round = %s and number = %s",
                    (board, number, round, at),
                )
            self.keep_act(
                who,
                Sentence("has chosen a board"),
                f"{tournament.terms.name}, {round}: {pairing.meeting.first} {board or ''}",
            )

    def give_boards(self, number: int, boards: Sequence[str], who: str) -> None:
        """Which boards it may use. Raises TournamentError."""
        with self._changing(number) as tournament, self._asked() as connection:
            connection.execute("update tournaments set boards = %s where id = %s", (" ".join(boards), number))
            self.keep_act(who, Sentence("has chosen the boards"), tournament.terms.name)

    def show_later(self, number: int, delay: Delay | None, who: str) -> None:
        """How much later the world sees it. Raises TournamentError."""
        with self._changing(number) as tournament, self._asked() as connection:
            connection.execute(
                "update tournaments set delay_s = %s, delay_turns = %s where id = %s",
                (delay.seconds if delay else None, delay.turns if delay else None, number),
            )
            delayed = f": {delay.seconds:g} s, {delay.turns}" if delay else ""
            self.keep_act(who, Sentence("has set how much later the world sees"), f"{tournament.terms.name}{delayed}")

    def delays(self) -> dict[str, Delay]:
        """Of those that have one of their own, by name."""
        rows = self._rows("select name, delay_s, delay_turns from tournaments where delay_s is not null")
        return {name: Delay(seconds, turns) for name, seconds, turns in rows}

    def add_player(self, number: int, name: str, who: str) -> None:
        """Somebody who comes late, as the last seed. Raises HubError."""
        with self._changing(number) as tournament:
            names = [player.name for player in self.players(number)]
            if tournament.terms.format != "swiss" and self._meetings(number):
                raise TournamentError(
                    "Once the first round is drawn, players can be added to a Swiss tournament alone."
                )
            self._add(number, len(names) + 1, checked((*names, name))[-1:])
            self.keep_act(who, Sentence("has added a player"), f"{tournament.terms.name}, {name}")

    def withdraw(self, number: int, name: str, who: str, *, gone: bool) -> None:
        """Somebody plays no more, or does again; the round that is on is not changed. Raises TournamentError."""
        with self._changing(number) as tournament:
            done = self._rows(
                "update players set withdrawn = %s where tournament = %s and name = %s returning name",
                (gone, number, name),
            )
            if not done:
                raise ListError("There is nobody called {name} in this tournament.", name=name[:80])
            self.keep_act(
                who,
                Sentence("has withdrawn a player" if gone else "has taken a player in again"),
                f"{tournament.terms.name}, {name}",
            )

    def remove(self, number: int, who: str) -> None:
        """One of which nothing is drawn. Raises TournamentError."""
        with self._changing(number) as tournament:
            if self._meetings(number):
                raise TournamentError("Rounds of it are drawn: it stays. Take them back first.")
            with self._asked() as connection:
                connection.execute("delete from tournaments where id = %s", (number,))
            self.keep_act(who, Sentence("has removed a tournament"), tournament.terms.name)

    def seat(self) -> dict[str, PlannedMatch]:
        """Gives boards that are free to pairings that wait for one, as those do whose board was removed before anything was played
        there, and says what is to be played where: by board."""
        removed = "select name from boards where removed"
        taken = self._rows(f"select distinct o.board from outcomes o where o.board <> '' and {_WAITS}")
        busy = {row[0] for row in (*taken, *self._rows(removed))}
        waiting = self._rows(
            "select o.tournament, o.round, o.number, o.board, t.boards from outcomes o join tournaments t on t.id = o.tournament "
            f"where (o.board is null or o.board in ({removed}) and not ({_BEGUN})) and {_WAITS} "
            "order by o.tournament, o.round, o.number"
        )
        for tournament, round, at, board, boards in waiting:
            free = next((one for one in boards.split() if one not in busy), None)
            if free is not None:
                busy.add(free)
                with self._asked() as connection:
                    connection.execute(
                        "update pairings set board = %s where tournament = %s and round = %s and number = %s "
                        "and board is not distinct from %s",
                        (free, tournament, round, at, board),
                    )
        rows = self._rows(
            "select o.board, o.first, o.second, t.length, t.rules, t.clock, t.name, t.place, o.round "
            "from outcomes o join tournaments t on t.id = o.tournament "
            f"where o.board <> '' and {_WAITS} order by o.tournament desc, o.round desc, o.number desc"
        )
        return {row[0]: _planned(*row[1:]) for row in rows}

    def boards(self) -> tuple[str, ...]:
        """Every board that the hub knows and nobody has removed, as people count them: board-2 before board-10."""
        rows = self._rows("select name from boards where not removed order by length(name), name")
        return tuple(row[0] for row in rows)

    @contextmanager
    def _changing(self, number: int) -> Iterator[Tournament]:
        """A transaction in which nobody else changes it."""
        with self.transaction():
            self._rows("select id from tournaments where id = %s for update", (number,))
            found = self.find(number)
            if found is None:
                raise TournamentError("There is no such tournament any more.")
            yield found

    def _found(self, which: str, *values: object) -> tuple[Tournament, ...]:
        rows = self._rows(
            "select id, name, format, length, rules, clock, place, rounds, boards, delay_s, delay_turns, "
            "to_char(made, 'YYYY-MM-DD') "
            f"from tournaments {which}",
            values,
        )
        return tuple(_tournament(*row) for row in rows)

    def _meetings(self, number: int) -> list[Round]:
        return [tuple(one.meeting for one in each) for each in self.rounds(number)]

    def _pairing(self, number: int, round: int, at: int, meant: Names | None) -> Pairing:
        rows = self._rows(
            f"select {_PAIRING} from outcomes o where tournament = %s and round = %s and number = %s",
            (number, round, at),
        )
        pairing = _pairing(rows[0]) if rows else None
        # A round that was taken back and drawn anew has others at the same place.
        if pairing is None or meant not in (None, pairing.meeting.players):
            raise TournamentError("There is no such pairing any more.")
        return pairing

    def _add(self, number: int, seed: int, names: Sequence[str]) -> None:
        with self._asked() as connection, connection.cursor() as cursor:
            cursor.executemany(
                "insert into players (tournament, seed, name) values (%s, %s, %s)",
                [(number, at, name) for at, name in enumerate(names, start=seed)],
            )


def mark_of(round: Iterable[Pairing]) -> str:
    """By which a round is known that may be taken back and drawn anew: its number, and who meets whom in it."""
    pairings = [(one.round, one.meeting.first, one.meeting.second) for one in round]
    return hashlib.sha256(repr(pairings).encode()).hexdigest()[:16]


def standings_of(
    one: Tournament, players: Sequence[Entrant], rounds: Iterable[Iterable[Pairing]]
) -> tuple[Standing, ...]:
    """How a tournament stands after these rounds, the best first."""
    return standings(one.terms.format, players, [tuple(pairing.meeting for pairing in each) for each in rounds])


def _tournament(number: int, name: str, *terms: Any) -> Tournament:
    format, length, rules, clock, place, rounds, boards, seconds, turns, day = terms
    delay = None if seconds is None else Delay(seconds, turns)
    return Tournament(
        number, Terms(name, format, length, rules, clock, place, rounds, tuple(boards.split()), delay), day
    )


def _planned(first: str, second: str, *terms: Any) -> PlannedMatch:
    length, rules, clock, event, place, round = terms
    return PlannedMatch(first, second, length, rules, clock, event, place, str(round))


def _pairing(row: tuple[Any, ...]) -> Pairing:
    (
        round,
        number,
        first,
        second,
        board,
        typed,
        points_first,
        points_second,
        typed_by,
        life,
        match,
        over,
        *played,
        age_s,
        begun,
    ) = row
    points, winner = (points_first, points_second), typed or None
    if not typed and over:
        points = (played[0], played[1])
        winner = first if points[0] > points[1] else second
    meeting = Meeting(first, second or None, winner, points)
    key = MatchKey(board, life, match) if match is not None else None
    playing = (played[0], played[1]) if key is not None and not over and not typed else None
    return Pairing(round, number, meeting, board, key, playing, typed_by, age_s, begun)
