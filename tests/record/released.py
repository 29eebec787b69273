"""Files as every released version wrote them: written here without the program's own writers, so that no change of theirs goes
unseen.

Whoever changes a schema, or a version of events or of records, adds an entry and changes none.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path

JOURNALS = {
    1: """
        CREATE TABLE events (
            sequence INTEGER PRIMARY KEY, board TEXT NOT NULL, match TEXT NOT NULL, game INTEGER NOT NULL,
            kind TEXT NOT NULL, version INTEGER NOT NULL, wall_time TEXT NOT NULL, payload TEXT NOT NULL,
            checksum INTEGER NOT NULL
        );
        CREATE TRIGGER events_keep_their_text BEFORE UPDATE ON events
            BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
        CREATE TRIGGER events_stay BEFORE DELETE ON events
            BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
        PRAGMA application_id = 1448233027;
    """,
}
"""Schema of the journal: how its file is made."""

ARCHIVES = {
    1: """
        CREATE TABLE matches (
            id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE, date TEXT NOT NULL, left_name TEXT NOT NULL,
            right_name TEXT NOT NULL, event TEXT NOT NULL, length INTEGER NOT NULL, left_score INTEGER NOT NULL,
            right_score INTEGER NOT NULL, games INTEGER NOT NULL, problems INTEGER NOT NULL, words TEXT NOT NULL,
            record BLOB NOT NULL
        );
        CREATE INDEX matches_by_date ON matches (date DESC, id DESC);
        CREATE TABLE tags (
            match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (match, tag)
        ) WITHOUT ROWID;
        PRAGMA application_id = 1448233025;
    """,
}
"""Schema of the archive: how its file is made."""

START = "4HPwATDgc/ABMA"

EVENTS = {
    1: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "match", "position": START},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2},
    ],
    2: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "match", "position": START,
         "keys": {"cube.beavers": 0}, "clock": True, "event": "Open", "place": "Praha", "round": "Final"},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "role", "seconds": 0.6, "role": "monitor"}, {"type": "clock", "seconds": 0.7, "running": "light"},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 8.0, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATDQZ/ABMA",
         "moves": [[8, 5], [8, 7]], "notation": "8/5 8/7", "legal": True, "roll_seen": True, "sure": 0.97, "took": 4.0},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876, "redo": True,
         "took": 5.25, "said": True},
        {"type": "confirm", "seconds": 10.0, "turn": 1},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early.",
         "reasons": [{"code": "R04", "params": {"name": "Petr"}}]},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "condoned"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "pause", "seconds": 18.0, "on": True}, {"type": "pause", "seconds": 19.0, "on": False},
        {"type": "rewrite", "seconds": 19.5, "to": 14, "given": 1, "then": []},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
        {"type": "set", "seconds": 22.0, "score": [2, 0]},
    ],
    3: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "match", "position": START,
         "keys": {"cube.beavers": 1, "cube.raccoon": True}},
        {"type": "game", "seconds": 0.5, "number": 1}, {"type": "draw", "seconds": 2.0, "light": 3, "dark": 1},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
        {"type": "game", "seconds": 30.0, "number": 2}, {"type": "draw", "seconds": 31.0, "light": 1, "dark": 3},
        {"type": "resign", "seconds": 33.0, "side": "dark", "level": 1}, {"type": "refuse", "seconds": 34.0, "side": "light"},
        {"type": "double", "seconds": 35.0, "side": "dark", "value": 2},
        {"type": "beaver", "seconds": 36.0, "side": "light", "value": 4},
        {"type": "raccoon", "seconds": 37.0, "side": "dark", "value": 8},
    ],
    4: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "match", "position": START,
         "keys": {"chouette.players": 3}, "team": ["Cyril"]},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "found", "seconds": 3.0, "position": "4HPwATCYZ/ABMA", "cube": 1, "owner": None},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": "4HPwATCYZ/ABMA",
         "after": "4HPwATCYs+ABMA", "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True,
         "sure": 0.9876},
        {"type": "team", "seconds": 10.0, "player": "Cyril", "act": "double", "side": "dark"},
        {"type": "team", "seconds": 11.0, "player": "Cyril", "act": "take", "side": "light"},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
        {"type": "names", "seconds": 22.0, "light": "Jana N.", "dark": "Petr"},
    ],
    5: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "match", "position": START,
         "keys": {"chouette.players": 3}, "team": ["Cyril"]},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "found", "seconds": 3.0, "position": "4HPwATCYZ/ABMA", "cube": 1, "owner": None},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": "4HPwATCYZ/ABMA",
         "after": "4HPwATCYs+ABMA", "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True,
         "sure": 0.9876},
        {"type": "team", "seconds": 10.0, "player": "Cyril", "act": "double", "side": "dark"},
        {"type": "team", "seconds": 11.0, "player": "Cyril", "act": "take", "side": "light"},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
        {"type": "mark", "seconds": 21.5, "turn": 2, "mark": "?!"},
        {"type": "names", "seconds": 22.0, "light": "Jana N.", "dark": "Petr"},
    ],
    6: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "text-003", "position": START},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "begins", "seconds": 2.0, "side": "light"},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
    ],
    7: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "text-003", "position": START},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "begins", "seconds": 2.0, "side": "light"},
        {"type": "presumed", "seconds": 3.0, "position": "4HPwATCwZ/ABMA"},
        {"type": "presumed", "seconds": 3.5, "position": None},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
    ],
    8: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "text-003", "position": START},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "begins", "seconds": 2.0, "side": "light"},
        {"type": "presumed", "seconds": 3.0, "position": "4HPwATCwZ/ABMA"},
        {"type": "presumed", "seconds": 3.5, "position": None},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 10.0, "side": "dark", "value": 2},
        {"type": "withdraw", "seconds": 11.0, "side": "dark"},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
    ],
    9: [
        {"type": "match", "seconds": 0.0, "length": 3, "light": "Jana", "dark": "Petr", "rules": "text-003", "position": START},
        {"type": "game", "seconds": 0.5, "number": 1},
        {"type": "begins", "seconds": 2.0, "side": "light"},
        {"type": "presumed", "seconds": 3.0, "position": "4HPwATCwZ/ABMA"},
        {"type": "presumed", "seconds": 3.5, "position": None},
        {"type": "roll", "seconds": 4.0, "side": "light", "dice": [3, 1]},
        {"type": "play", "seconds": 9.25, "side": "light", "dice": [3, 1], "before": START, "after": "4HPwATCwZ/ABMA",
         "moves": [[8, 5], [6, 5]], "notation": "8/5 6/5", "legal": True, "roll_seen": True, "sure": 0.9876},
        {"type": "double", "seconds": 10.0, "side": "dark", "value": 2},
        {"type": "withdraw", "seconds": 11.0, "side": "dark"},
        {"type": "double", "seconds": 12.0, "side": "dark", "value": 2},
        {"type": "take", "seconds": 14.0, "side": "light"},
        {"type": "flag", "seconds": 15.0, "number": 1, "code": "R04", "side": "dark", "text": "Rolled too early."},
        {"type": "resolved", "seconds": 16.0, "number": 1, "how": "stands"},
        {"type": "skip", "seconds": 17.0, "side": "dark"},
        {"type": "double", "seconds": 20.0, "side": "light", "value": 4},
        {"type": "pass", "seconds": 21.0, "side": "dark"},
        {"type": "end", "seconds": 21.0, "winner": "light", "level": 1, "points": 2, "ending": "passed"},
        {"type": "set", "seconds": 22.0, "score": [2, 0], "crawford": False},
    ],
}  # fmt: skip
"""Version of events: a match with one of each kind."""

RECORDS = {
    "vrhcab-record-1": {
        "format": "vrhcab-record-1", "file": "a.mat", "length": 3, "problems": ["line 3: odd."],
        "players": [{"name": "Jana", "color": "light", "rating": 1600.5, "experience": 12}, {"name": "", "color": "dark"}],
        "games": [{
            "score": [0, 0], "crawford": False, "winner": 0, "points": 4, "announced_points": 3, "line": 7, "comment": "c",
            "actions": [
                {"type": "play", "player": 0, "dice": [3, 1], "moves": [[8, 5], [6, 5]], "before": START,
                 "after": "4HPwATCwZ/ABMA", "legal": True, "line": 9, "seconds": 1.5, "confidence": 0.9, "inferred": True,
                 "wall_time": "2026-11-20T12:00:00Z", "corrected": True, "flags": ["R05"], "evidence": ["a.jpg"],
                 "comment": "x"},
                {"type": "double", "player": 1, "value": 2}, {"type": "beaver", "player": 0, "value": 4},
                {"type": "raccoon", "player": 1, "value": 8}, {"type": "take", "player": 0},
                {"type": "roll", "player": 1, "dice": [6, 6]}, {"type": "resign", "player": 1, "points": 4},
            ]}],
        "event": "Open", "round": "1", "place": "Praha", "date": "2026-11-20", "time": "18:30", "transcriber": "t",
        "match_id": "7", "clock": "Live8", "comment": "hello", "rules": "match", "jacoby": False, "beavers": True,
        "crawford_rule": True, "cube_limit": 64, "tags": {"Stake": "1"},
    },
}  # fmt: skip
"""Form of records as JSON: one that says everything it can."""


def write_journal(path: Path, schema: int, version: int) -> list[str]:
    """A journal of a schema with the events of a version; their payloads."""
    payloads = [json.dumps(event, ensure_ascii=False) for event in EVENTS[version]]
    with sqlite3.connect(path) as connection:
        connection.executescript(JOURNALS[schema] + f"PRAGMA user_version = {schema};")
        for sequence, (event, payload) in enumerate(zip(EVENTS[version], payloads, strict=True), start=1):
            row = (sequence, "board-1", "m1", 1, event["type"], version, "2026-11-20T12:00:00.000+00:00", payload)
            checksum = zlib.crc32("\x1f".join(map(str, row)).encode())
            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, checksum))
    connection.close()
    return payloads


def write_archive(path: Path, schema: int) -> None:
    """An archive of a schema with one record."""
    record = RECORDS["vrhcab-record-1"]
    with sqlite3.connect(path) as connection:
        connection.executescript(ARCHIVES[schema] + f"PRAGMA user_version = {schema};")
        connection.execute(
            "INSERT INTO matches VALUES (1, 'x', '2026-11-20', 'Jana', '', 'Open', 3, 4, 0, 1, 1, 'jana open', ?)",
            (zlib.compress(json.dumps(record).encode()),),
        )
        connection.execute("INSERT INTO tags VALUES (1, 'final')")
    connection.close()
