"""Who did what at the hub: kept in its database beside what was done."""

from __future__ import annotations

from controller.hub.store import AT_DESK, Database

NEWEST = 100
"""Acts that are told."""


class Acts(Database):
    """The base of whatever people change. Every method raises StoreError."""

    def keep_act(self, who: str, what: str, about: str = "") -> None:
        """what: a sentence that the page's catalogues have."""
        with self._asked() as connection:
            connection.execute("insert into acts (who, what, about) values (%s, %s, %s)", (who, what, about))

    def acts(self) -> tuple[tuple[str, str, str, str], ...]:
        """When (UTC), who, what and about what; the newest first. Of what was done at boards' desks no more than that either: it is
        a hundred times as much, and must not push the rest out of sight."""
        rows = self._rows(
            "select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), who, what, about from ("
            "(select * from acts where what <> %s order by id desc limit %s) union all "
            "(select * from acts where what = %s order by id desc limit %s)) newest order by at desc, id desc",
            (AT_DESK, NEWEST, AT_DESK, NEWEST),
        )
        return tuple((row[0], row[1], row[2], row[3]) for row in rows)
