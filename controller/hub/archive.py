"""The archive of a hub in its database: lists, searches and reads the matches of all boards. Every method raises StoreError."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controller.hub.store import Database
from controller.page.players import key_of
from controller.record.archive import plain
from controller.record.journal import StoredEvent
from controller.referee.events import AMENDED, Flagged, GameEnded
from controller.referee.names import UNNAMED

MOST = 500
"""Matches on one page, players and events in one list."""

IDLE_S = 3
"""Seconds without a new event after which the line of a match is made anew whose last event ended a game, or put it right
afterwards; the first line is made at once."""

STANDS_S = 60
"""The same after any other event. A line takes the whole match: made after each turn of each board it would take the hub a core."""

AT_ONCE = 50
"""Lines to be made that are asked for together."""

BLUNDER = 0.08
"""Equity lost by one play (by a match's cube action: chance to win it) from which it is a blunder; GNU Backgammon's "bad"."""

_LISTED = """
with newest_matches as not materialized (
    select m.* from matches m where not exists (
        select from matches l where l.board = m.board and l.match = m.match and l.life > m.life
    )
), matches_once as not materialized (
    select m.* from newest_matches m where not exists (
        select from newest_matches n where n.match = m.match and n.board <> m.board and n.made_of > 0
            and (select checksum from events where board = n.board and life = n.life and sequence = m.last)
                = (select checksum from events where board = m.board and life = m.life and sequence = m.last)
            and (n.last, (select begun from lives where board = m.board and life = m.life), m.board)
                > (m.last, (select begun from lives where board = n.board and life = n.life), n.board)
    )
)
"""
"""Matches of the newest course of each board's journal, and of those each once: neither has a board of another name all of it and
more, nor had the same before. A board that gets another name sends all of its journal again, and may go on with the match, or put
it right; so the last event of what is less is in both. No views of the database: with them no earlier dump could be restored."""

_UNNAMED = frozenset(map(key_of, UNNAMED))

FLAGGED = Flagged.__struct_config__.tag

GAME_END = GameEnded.__struct_config__.tag
"""Kind of the event that ends a game, and the match with its last one."""


@dataclass(frozen=True)
class MatchKey:
    """Which match: of which board, in which course of its journal."""

    board: str
    life: int
    match: str


@dataclass(frozen=True)
class ArchiveLine:
    """What is listed and searched of a match. day: yyyy-mm-dd; words: in small letters without accents."""

    day: str = ""
    light: str = ""
    dark: str = ""
    event: str = ""
    round: str = ""
    length: int = 0
    score: tuple[int, int] = (0, 0)
    is_over: bool = False
    problem: str = ""
    words: str = ""


@dataclass(frozen=True)
class ErrorFilter:
    """What is asked of errors; all of it has to hold. least, most: a player's error rate, mEMG; blunder: somebody
    lost BLUNDER or more at once; flag: the referee had something to say. Only of matches that are over."""

    least: float | None = None
    most: float | None = None
    blunder: bool = False
    flag: bool = False

    def conditions(self) -> tuple[str, tuple[object, ...]]:
        """For m (matches) and a (analyses), each with "and" before it, and their values."""
        found, values = "", list[object]()
        for sign, bound in ((">=", self.least), ("<=", self.most)):
            if bound is not None:
                found += (
                    " and m.is_over and exists (select 1 from json_array_elements(a.verdict::json->'players') p "
                    f"where (p->>'error_rate')::float8 {sign} %s)"
                )
                values.append(bound)
        if self.blunder:
            found += (
                " and m.is_over and exists (select 1 from json_array_elements(a.verdict::json->'worst') w "
                "where (w->>'lost')::float8 >= %s)"
            )
            values.append(BLUNDER)
        if self.flag:
            found += (
                " and m.is_over and exists (select 1 from events e where e.board = m.board and e.life = m.life "
                "and e.match = m.match and e.kind = %s)"
            )
            values.append(FLAGGED)
        return found, tuple(values)


NO_MATTER = ErrorFilter()


@dataclass(frozen=True)
class ListedMatch:
    """A match in the list. error_rates: of light and dark, None where nobody has judged it."""

    key: MatchKey
    day: str
    light: str
    dark: str
    event: str
    round: str
    length: int
    score: tuple[int, int]
    is_over: bool
    problem: str
    error_rates: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True)
class PlayerRate:
    """How a player has played the matches that were judged. error_rate: mEMG, over all of the decisions."""

    name: str
    matches: int
    decisions: int
    error_rate: float


class HubArchive(Database):
    """For one thread at a time."""

    def search(
        self, text: str = "", board: str = "", limit: int = MOST, errors: ErrorFilter = NO_MATTER
    ) -> tuple[ListedMatch, ...]:
        """Matches of the newest course of each journal that hold every word, newest first. Case and accents don't matter. Of a
        board also those that it has sent by another name, too."""
        words = plain(text.replace("\0", "")).split()[:20]
        where = "".join(" and position(%s in m.words) > 0" for _ in words) + (" and m.board = %s" if board else "")
        wrong, bounds = errors.conditions()
        listed = "newest_matches" if board else "matches_once"
        rows = self._rows(
            f"{_LISTED} select m.board, m.life, m.match, m.day, m.light, m.dark, m.event, m.round, m.length, m.score_light, "
            "m.score_dark, m.is_over, m.problem, a.verdict::json->'players'->0->>'error_rate', "
            "a.verdict::json->'players'->1->>'error_rate' "
            f"from {listed} m left join analyses a on (a.board, a.life, a.match, a.made_of) = (m.board, m.life, m.match, m.last) "
            f"where m.made_of > 0{where}{wrong} order by m.day desc, m.touched desc limit %s",
            (*words, *((board,) if board else ()), *bounds, limit),
        )
        return tuple(map(_listed, rows))

    def rates(self, event: str = "", limit: int = MOST) -> tuple[PlayerRate, ...]:
        """Of everybody whose matches of that event, or all, were judged; who lost least first. As on a board's page, a name is one
        player's however it is capitalised, as it was written last. In a chouette nobody's: who plays changes from game to game."""
        rows = self._rows(
            f"{_LISTED}select p->>'name', count(*), sum((p->>'decisions')::integer), "
            "sum((p->>'error_rate')::float8 * (p->>'decisions')::integer) "
            "from matches_once m join analyses a on (a.board, a.life, a.match, a.made_of) = (m.board, m.life, m.match, m.last) "
            "cross join lateral json_array_elements(a.verdict::json->'players') p "
            "where m.made_of > 0 and (p->>'decisions')::integer > 0 and p->>'error_rate' is not null and p->>'name' <> '' "
            "and (%s = '' or m.event = %s) group by 1 order by max(m.touched) desc, 1",
            (event, event),
        )
        players: dict[str, list[tuple[str, int, int, float]]] = {}
        for row in rows:
            players.setdefault(key_of(row[0]), []).append(row)
        rates = [_rate_of(players[key]) for key in players.keys() - _UNNAMED]
        return tuple(sorted(rates, key=lambda one: (one.error_rate, one.name))[:limit])

    def events_played(self, limit: int = MOST) -> tuple[str, ...]:
        """What matches were part of, the newest first."""
        rows = self._rows(
            "select event from matches where event <> '' group by 1 order by max(day) desc, 1 limit %s", (limit,)
        )
        return tuple(row[0] for row in rows)

    def is_public(self, key: MatchKey, delay_s: float) -> bool:
        """Whether the match is over, and has been so for that long, or for as long as its tournament has it."""
        rows = self._rows(
            "select 1 from matches m left join tournaments t on t.name = m.event "
            "where (board, life, match) = (%s, %s, %s) and is_over and made_of > 0 "
            "and touched < now() - make_interval(secs => coalesce(t.delay_s, %s))",
            (key.board, key.life, key.match, delay_s),
        )
        return bool(rows)

    def is_over(self, key: MatchKey) -> bool:
        """Whether the match is over, as its line has it."""
        rows = self._rows(
            "select 1 from matches where (board, life, match) = (%s, %s, %s) and is_over and made_of > 0",
            (key.board, key.life, key.match),
        )
        return bool(rows)

    def find(self, board: str, match: str) -> MatchKey | None:
        """A match of a board, in the newest course of its journal that has it."""
        rows = self._rows(
            "select board, life, match from matches where board = %s and match = %s order by life desc limit 1",
            (board, match),
        )
        return MatchKey(*rows[0]) if rows else None

    def of_tournament(self, number: int) -> tuple[MatchKey, ...]:
        """The matches that count in a tournament and are over, round by round."""
        rows = self._rows(
            "select board, life, match from outcomes where tournament = %s and is_over order by round, number",
            (number,),
        )
        return tuple(MatchKey(*row) for row in rows)

    def events(self, key: MatchKey) -> tuple[StoredEvent, ...]:
        """A match's, in order, and after them what it was put right with."""
        of = key.board, key.life, key.match
        return (*self.match(*of), *self.amendments(*of))

    def to_make(self) -> tuple[MatchKey, ...]:
        """Matches of which there is news since their lines were made, AT_ONCE at most: all that are on are looked at for it."""
        rows = self._rows(
            "select m.board, m.life, m.match from matches m join events e on "
            "(e.board, e.life, e.sequence) = (m.board, m.life, m.last) where m.made_of < m.last and "
            "(m.made_of = 0 or m.touched < now() - make_interval(secs => case when e.kind in (%s, %s) then %s else %s end)) "
            "order by m.touched limit %s",
            (GAME_END, AMENDED, IDLE_S, STANDS_S, AT_ONCE),
        )
        return tuple(MatchKey(*row) for row in rows)

    def keep_line(self, key: MatchKey, made_of: int, line: ArchiveLine) -> None:
        """Puts it in the place of an earlier one; a match that is over waits for its verdict from now on, any other has none."""
        with self.transaction(), self._asked() as connection:
            connection.execute(
                "update matches set made_of = %s, day = %s, light = %s, dark = %s, event = %s, round = %s, length = %s, "
                "score_light = %s, score_dark = %s, is_over = %s, problem = %s, words = %s "
                "where board = %s and life = %s and match = %s",
                (
                    made_of, line.day, line.light, line.dark, line.event, line.round, line.length, *line.score, line.is_over,
                    line.problem, line.words, key.board, key.life, key.match,
                ),
            )  # fmt: skip
            if line.is_over:
                connection.execute(
                    "insert into analyses (board, life, match, made_of) values (%s, %s, %s, %s) "
                    "on conflict (board, life, match) do update set made_of = excluded.made_of, verdict = null, "
                    "refusal = null, asked = now() where analyses.made_of <> excluded.made_of",
                    (key.board, key.life, key.match, made_of),
                )
            else:
                connection.execute(
                    "delete from analyses where board = %s and life = %s and match = %s",
                    (key.board, key.life, key.match),
                )

    def to_judge(self) -> tuple[MatchKey, int] | None:
        """The match that has waited longest for its verdict, and the newest event that its line was made of. Nothing is locked
        meanwhile: whoever keeps another line of it, or takes events of it in, must not wait for GNU Backgammon."""
        rows = self._rows(
            "select board, life, match, made_of from analyses where verdict is null and refusal is null "
            "order by asked limit 1"
        )
        return (MatchKey(*rows[0][:3]), rows[0][3]) if rows else None

    def analysis_elsewhere(self, key: MatchKey, made_of: int) -> str | None:
        """The verdict, as JSON, on the very same events of that match, where its board has sent them before: by another name, or in
        another course of its journal. None where there is none. made_of: as of to_judge()."""
        rows = self._rows(
            "select a.verdict from matches m join analyses a using (board, life, match) "
            "join events e on (e.board, e.life, e.sequence) = (a.board, a.life, a.made_of) "
            "where m.match = %s and a.made_of = %s and a.verdict is not null "
            "and e.checksum = (select checksum from events where (board, life, sequence) = (%s, %s, %s)) limit 1",
            (key.match, made_of, key.board, key.life, made_of),
        )
        return rows[0][0] if rows else None

    def keep_analysis(self, key: MatchKey, made_of: int, analysis: str | None, refusal: str | None = None) -> None:
        """analysis: a MatchAnalysis as JSON; refusal: why there is none, in a sentence. Nothing is kept where the match's line was
        made anew since to_judge(): then it waits again."""
        with self._asked() as connection:
            connection.execute(
                "update analyses set verdict = %s, refusal = %s where board = %s and life = %s and match = %s and made_of = %s",
                (analysis, refusal, key.board, key.life, key.match, made_of),
            )

    def analysis(self, key: MatchKey) -> tuple[str | None, str | None]:
        """The verdict as JSON, or why there is none; nothing of a match that has changed since."""
        rows = self._rows(
            "select a.verdict, a.refusal from analyses a join matches m on (m.board, m.life, m.match, m.last) = "
            "(a.board, a.life, a.match, a.made_of) where a.board = %s and a.life = %s and a.match = %s",
            (key.board, key.life, key.match),
        )
        return (rows[0][0], rows[0][1]) if rows else (None, None)


def _rate_of(written: list[tuple[str, int, int, float]]) -> PlayerRate:
    """Of a player, by each way in which his name was written, the newest first: matches, decisions, mEMG lost."""
    names, matches, decisions, lost = zip(*written, strict=True)
    return PlayerRate(names[0], sum(matches), sum(decisions), sum(lost) / sum(decisions))


def _listed(row: tuple[Any, ...]) -> ListedMatch:
    board, life, match, day, light, dark, event, round_, length, score_light, score_dark, is_over, problem, *rates = row
    first, second = (None if rate is None else float(rate) for rate in rates)
    score = score_light, score_dark
    key = MatchKey(board, life, match)
    return ListedMatch(key, day, light, dark, event, round_, length, score, is_over, problem, (first, second))
