"""Boards that join with a code: made by a director, good for one board and some minutes."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from controller.hub.acts import Acts
from controller.hub.rights import check_board, new_password
from controller.record.joining import MINUTES, found_by, key_of, new_code, plain
from vision.sentence import Sentence


@dataclass(frozen=True)
class Joined:
    """What a board gets: its name, its broker's password, and the key that signs who comes to its desk."""

    name: str
    password: str
    key: str


@dataclass(frozen=True)
class Member:
    """A board on the director's list. joined: when, "" where it was not with a code; by: who had invited it."""

    name: str
    joined: str = ""
    by: str = ""


class Codes(Acts):
    """Those of the database. Every method raises StoreError."""

    def offer(self, who: str, board: str, hub: str) -> str:
        """A code for that board, which is shown this once, in the place of an earlier one. Raises HubError for no name."""
        check_board(board, hub)
        code = new_code()
        with self.transaction():
            self._rows(
                "insert into codes (board, found, seal, made_by, until) "
                "values (%s, %s, %s, %s, now() + make_interval(mins => %s)) on conflict (board) do update set "
                "found = excluded.found, seal = excluded.seal, made_by = excluded.made_by, until = excluded.until "
                "returning board",
                (board, found_by(plain(code)), key_of(plain(code)), who, MINUTES),
            )
            self.keep_act(who, Sentence("has invited the board"), board)
        return code

    def seal_key(self, found: str) -> str | None:
        """The key that is made of the code which is found by that; None where it is none, or holds no longer."""
        rows = self._rows("select seal from codes where found = %s and until > now()", (found,))
        return str(rows[0][0]) if rows else None

    def take(self, code: str, let_in: Callable[[str, str], None]) -> Joined | None:
        """Uses the code up. let_in: gives a name its password at the broker; where it raises, the code still holds. None as
        seal_key()."""
        with self.transaction():
            rows = self._rows(
                "delete from codes where found = %s and until > now() returning board, made_by",
                (found_by(plain(code)),),
            )
            if not rows:
                return None
            board, made_by = rows[0]
            joined = Joined(board, new_password(), secrets.token_urlsafe(32))
            self._rows(
                "insert into members (board, key, invited_by) values (%s, %s, %s) on conflict (board) do update set "
                "key = excluded.key, invited_by = excluded.invited_by, joined = now() returning board",
                (board, joined.key, made_by),
            )
            self._rows("update boards set removed = false where name = %s returning name", (board,))
            self.keep_act(made_by, Sentence("invited a board that has joined:"), board)
            let_in(board, joined.password)
        return joined

    def waiting(self) -> tuple[tuple[str, str], ...]:
        """Boards that have a code, and until when it holds (UTC)."""
        rows = self._rows(
            "select board, to_char(until at time zone 'UTC', 'HH24:MI') from codes where until > now() order by board"
        )
        return tuple((row[0], row[1]) for row in rows)

    def members(self) -> dict[str, Member]:
        """Boards that have joined with a code."""
        rows = self._rows(
            "select board, to_char(joined at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), invited_by from members order by board"
        )
        return {row[0]: Member(*row) for row in rows}

    def key(self, board: str) -> str | None:
        """By which the hub signs for that board; None where it has not joined with a code."""
        rows = self._rows("select key from members where board = %s", (board,))
        return str(rows[0][0]) if rows else None

    def dismiss(self, who: str, board: str, shut_out: Callable[[str], None]) -> None:
        """Its code and its key hold no longer, and nobody waits for it. shut_out: takes its rights at the broker; where it raises,
        nothing has changed."""
        with self.transaction():
            self._rows("delete from codes where board = %s returning board", (board,))
            self._rows("delete from members where board = %s returning board", (board,))
            self._rows("update boards set removed = true where name = %s returning name", (board,))
            self.keep_act(who, Sentence("has removed the board"), board)
            shut_out(board)
