"""Who did what at the hub: kept in its database beside what was done."""

from __future__ import annotations

from controller.hub.store import Database


class Acts(Database):
    """The base of whatever people change. Every method raises StoreError."""

    def keep_act(self, who: str, what: str, about: str = "") -> None:
        """what: a sentence that the page's catalogues have."""
        with self._asked() as connection:
            connection.execute("insert into acts (who, what, about) values (%s, %s, %s)", (who, what, about))

    def acts(self, limit: int = 100) -> tuple[tuple[str, str, str, str], ...]:
        """When, who, what and about what; the newest first."""
        rows = self._rows(
            "select to_char(at, 'YYYY-MM-DD HH24:MI'), who, what, about from acts order by id desc limit %s", (limit,)
        )
        return tuple((row[0], row[1], row[2], row[3]) for row in rows)
