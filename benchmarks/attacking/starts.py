"""What lies beside the journal, or is given to the camera, must not keep the page from coming up, at any start."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attacking.disks import sentences
from benchmarks.attacking.findings import Finding, Ground, attack, judged
from benchmarks.attacking.pictures import board_pictures, jpeg, written
from benchmarks.attacking.program import Board, Program

WATCH_S = 5.0
"""Seconds for which a program that has come up must stay, with the camera's pictures before it."""


def camera(folder: Path, more: str = "") -> str:
    """Settings of a table whose camera is a folder of pictures."""
    return f'[camera]\nsource = "frames:{folder}"\n{more}\n[panel]\nkind = "virtual"\n'


def comes_up(board: Board, seconds: float = WATCH_S, wait: float = 20.0) -> tuple[bool, str]:
    """Whether the page comes up and stays; how that was."""
    with board.running() as program:
        try:
            program.wait_page(wait)
        except RuntimeError:
            return False, _how(program)
        end = time.monotonic() + seconds
        while time.monotonic() < end and program.alive:
            time.sleep(0.1)
        if not program.alive:
            return False, _how(program)
        view = program.state()
        if view is None:
            return False, "the page went away"
        if "Traceback" in program.output:
            return False, "a traceback on the terminal: " + program.output.strip().splitlines()[-1][:120]
        over = "is over" in json.dumps(view) or "is over" in program.output
        return not over, f"up; {str(view.get('camera', ''))[:100]}"


def _how(program: Program) -> str:
    words = " ".join(program.output.strip().splitlines()[-2:])[-160:]
    return f"ended with {program.process.poll()}: {words}" if not program.alive else f"no page: {words}"


def _laid(board: Board, corners: str, home: str = "bottom-right") -> tuple[int, str]:
    """A person shows on the page where the board lies; the answer."""
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        time.sleep(1)
        reply = operator.say("table", corners=corners, home=home)
        time.sleep(0.5)
        alive = program.alive
    return reply.status if alive else -1, reply.body.decode("utf-8", "replace")[:120]


def _text(corners: Any) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)


CORNERS = {
    "outside the picture": "5000,5000 9000,5000 9000,8000 5000,8000",
    "half outside": "-400,-300 900,-300 900,500 -400,500",
    "negative": "-900,-900 -100,-900 -100,-100 -900,-100",
    "one point": "100,100 100,100 100,100 100,100",
    "on a line": "0,0 100,100 200,200 300,300",
    "crossed": "100,100 900,600 900,100 100,600",
    "anticlockwise": "100,600 900,600 900,100 100,100",
    "a pixel": "100,100 101,100 101,101 100,101",
    "huge": "1e300,1e300 1e301,1e300 1e301,1e301 1e300,1e301",
    "huge whole numbers": " ".join(["9" * 60 + ",1"] * 4),
    "NaN": "nan,nan nan,nan nan,nan nan,nan",
    "one NaN": "100,100 900,nan 900,600 100,600",
    "infinity": "inf,inf -inf,inf inf,-inf 0,0",
    "three": "100,100 900,100 900,600",
    "words": "here there everywhere nowhere",
    "empty": "",
}
HOSTILE: dict[str, Any] = {
    "null": None,
    "a number": 7,
    "a huge number": 10**400,
    "a list": [[1, 2], [3, 4]],
    "an object": {"a": {"b": {}}},
    "a long text": "9" * 1_000_000,
    "a lone surrogate": "\ud800",
}


def _files(good: dict[str, Any]) -> dict[str, bytes]:
    """Contents for table.json: the program's own form with each field spoilt, and what is no such thing at all."""
    found = {}
    for name, corners in CORNERS.items():
        found[f"corners {name}"] = json.dumps({**good, "corners": corners}).encode()
    for field in good:
        for name, value in HOSTILE.items():
            found[f"{field} {name}"] = json.dumps({**good, field: value}).encode()
        found[f"{field} NaN"] = json.dumps({**good, field: float("nan")}).encode()
        found[f"without {field}"] = json.dumps({k: v for k, v in good.items() if k != field}).encode()
    found |= {
        "empty": b"",
        "noise": os.urandom(5000),
        "not UTF-8": b'{"type":"table","corners":"\xff\xfe","home":"bottom-right"}',
        "deep": b"[" * 200_000,
        "deep in a field": b'{"type":"table","corners":' + b"[" * 100_000 + b"]" * 100_000 + b',"home":"top-left"}',
        "40 MB": b'{"type":"table","corners":"' + b"1" * (40 << 20) + b'","home":"top-left"}',
        "an array": b"[1,2,3]",
        "zeros": bytes(4096),
    }
    return found


@attack("start-table-json")
def table_json(ground: Ground) -> Iterator[Finding]:
    """table.json says corners that no board of this picture can have, or is no such file at all: the page comes up, twice."""
    pictures, corners = board_pictures(2)
    board = Board(ground.folder, camera(written(ground.folder / "frames", pictures)))
    file = board.journal.with_name("table.json")
    code, said = _laid(board, _text(corners))
    yield judged("the board shown as it lies", f"{code} {said}", "200", held=code == 200 and file.exists())
    good = json.loads(file.read_bytes()) if file.exists() else {"type": "table", "corners": "", "home": "bottom-right"}
    cases = _files(good)
    names = list(cases) if not ground.quick else ["corners outside the picture", "corners one NaN", "deep", "not UTF-8"]
    bad = []
    for name in names:
        for turn in (1, 2):
            file.write_bytes(cases[name])
            held, how = comes_up(board, ground.count(4, 3))
            if not held:
                bad.append(f"{name} (start {turn}): {how}")
                break
            if turn == 1 and not name.startswith("corners"):
                break
    shown = "; ".join(bad[:4]) + (f"; and {len(bad) - 4} more" if len(bad) > 4 else "")
    yield judged(
        f"{len(names)} contents", shown or "the page came up with each", "the page comes up, and stays", held=not bad
    )


@attack("start-table-at-the-desk")
def table_at_the_desk(ground: Ground) -> Iterator[Finding]:
    """An operator shows corners that no board can have: refused or harmless, now and at the next start."""
    pictures, _ = board_pictures(2)
    board = Board(ground.folder, camera(written(ground.folder / "frames", pictures)))
    names = list(CORNERS) if not ground.quick else ["outside the picture", "one point"]
    bad = []
    for name in names:
        code, said = _laid(board, CORNERS[name][:400])
        if code not in (200, 400, 409):
            bad.append(f"{name}: {code} {said}")
            board.journal.with_name("table.json").unlink(missing_ok=True)
            continue
        held, how = comes_up(board, 3)
        if not held:
            bad.append(f"{name}, at the next start: {how}")
            board.journal.with_name("table.json").unlink(missing_ok=True)
    shown = "; ".join(bad[:4]) + (f"; and {len(bad) - 4} more" if len(bad) > 4 else "")
    yield judged(
        f"{len(names)} kinds of corners", shown or "none did harm", "refused with a sentence, or harmless", held=not bad
    )


@attack("start-other-size")
def other_size(ground: Ground) -> Iterator[Finding]:
    """The corners were saved at another picture size: they are rescaled, or the board is found anew."""
    for was, now in (((1280, 720), (640, 360)), ((640, 360), (1280, 720)), ((1280, 720), (960, 720))):
        folder = ground.folder / f"{was[0]}-{now[0]}x{now[1]}"
        pictures, corners = board_pictures(2, was)
        board = Board(folder, camera(written(folder / "frames", pictures)))
        _laid(board, _text(corners))
        import cv2

        written(folder / "frames", [cv2.resize(picture, now) for picture in pictures])
        right = [(x * now[0] / was[0], y * now[1] / was[1]) for x, y in corners]
        with board.running() as program:
            try:
                program.wait_page()
                operator = board.operator(program)
                place, end = None, time.monotonic() + 10
                while time.monotonic() < end and program.alive and place is None:
                    place = (operator.get("/api/setup").json or {}).get("place")
                    time.sleep(0.3)
            except RuntimeError:
                place = None
            how = "" if program.alive else _how(program)
        if place is None:
            yield judged(f"{was} read at {now}", how or "no board, the set-up is asked for", "it goes on", held=not how)
            continue
        off = max(
            abs(a - b)
            for got, want in zip(place["corners"], right, strict=True)
            for a, b in zip(got, want, strict=True)
        )
        yield judged(f"{was} read at {now}", f"corners {off:.0f} px off", "2 % of the width", held=off <= now[0] * 0.02)


@attack("start-files-beside")
def files_beside(ground: Ground) -> Iterator[Finding]:
    """What lies beside the journal is a folder, a pipe, noise or may not be read: the page comes up, or a sentence says why not."""
    pictures, corners = board_pictures(2)
    frames = written(ground.folder / "frames", pictures)
    names = (
        "table.json",
        "journal.set-up.json",
        "desk.json",
        "evidence",
        "archive.sqlite3",
        "journal.sqlite3.lock",
        "corrections",
    )
    kinds = (
        ("folder", "pipe", "noise", "link to nothing", "link to itself", "deep")
        if not ground.quick
        else ("pipe", "deep")
    )
    bad, tried = [], 0
    for name in names:
        for kind in kinds:
            folder = ground.folder / f"{name}-{kind}".replace(" ", "-")
            board = Board(folder, camera(frames))
            board.journal.parent.mkdir(parents=True)
            _put(board.journal.with_name(name), kind)
            held, how = comes_up(board, 2, 15)
            tried += 1
            # A PIN file or a lock that can't be used may end the start, with a sentence; nothing may hang or fail with a traceback.
            refused = (
                re.search(r"ended with [12]: ", how) is not None
                and "Traceback" not in how
                and "fault of its own" not in how
            )
            if not held and not (refused and name in ("desk.json", "journal.sqlite3.lock")):
                bad.append(f"{name} is {kind}: {how}")
    shown = "; ".join(bad[:4]) + (f"; and {len(bad) - 4} more" if len(bad) > 4 else "")
    yield judged(
        f"{tried} things beside the journal",
        shown or "none did harm",
        "the page, or a sentence and exit 1",
        held=not bad,
    )
    del corners


def _put(path: Path, kind: str) -> None:
    if kind == "folder":
        path.mkdir()
        (path / "x").write_text("x")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "noise":
        path.write_bytes(os.urandom(3000))
    elif kind == "link to nothing":
        path.symlink_to(path.with_name("nowhere") / "x")
    elif kind == "link to itself":
        path.symlink_to(path)
    else:
        path.write_bytes(b"[" * 100_000)


@attack("start-lens-missing")
def lens_missing(ground: Ground) -> Iterator[Finding]:
    """The lens file is not there, or a picture is broken: the reason is said everywhere, never that the match is over."""
    pictures, _ = board_pictures(3)
    frames = written(ground.folder / "frames", pictures)
    broken = written(ground.folder / "broken", pictures)
    (broken / "frame-0001.jpg").write_bytes(b"\xff\xd8\xff" + os.urandom(4000))
    garbage = ground.folder / "garbage.json"
    garbage.write_text('{"camera": [1e400, NaN], "size": -3}')
    cases = {
        "a lens file that isn't there": (camera(frames, f'lens = "{ground.folder}/lens.json"'), "lens"),
        "a lens file that is none": (camera(frames, f'lens = "{garbage}"'), "lens|garbage"),
        "a lens that is a folder": (camera(frames, f'lens = "{frames}"'), "lens|frames|folder"),
        "a broken picture": (camera(broken), "frame-0001|picture"),
        "no such folder": (camera(ground.folder / "nowhere"), "nowhere|folder"),
        "no such camera": ('[camera]\nsource = "camera:97"\n', "camera"),
        "a pipe for a camera": ('[camera]\nsource = "camera:/dev/null"\n', "camera|null"),
    }
    for number, (what, (settings, word)) in enumerate(cases.items()):
        board = Board(ground.folder / str(number), settings)
        with board.running() as program:
            try:
                program.wait_page(30)
                end, view = time.monotonic() + 8, program.state() or {}
                while time.monotonic() < end and program.alive and not re.search(word, sentences(view), re.I):
                    time.sleep(0.3)
                    view = program.state() or view
            except RuntimeError:
                view = {}
            code, output = program.process.poll(), program.output
        page = json.dumps(view)
        lie = "is over" in page or "is over" in output
        reason = re.search(word, sentences(view) if code is None else output, re.I)
        told = f"exit {code}: {' '.join(output.split())[-120:]}" if code is not None else f"page: {sentences(view)}"
        yield judged(
            what,
            told[:200] + (' ("the match on the board is over")' if lie else ""),
            "the reason on the page while it is tried again, or a non-zero end with it",
            held=not lie and reason is not None and code != 0 and "Traceback" not in output,
        )


@attack("photos-at-the-desk")
def photos(ground: Ground) -> Iterator[Finding]:
    """200 photos at the desk, eight at a time: what the program holds afterwards and at most."""
    pictures, _ = board_pictures(4, (1600, 1200), 30)
    sent = [jpeg(picture) for picture in pictures]
    board, count = Board(ground.folder), ground.count(200, 24)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.mark(1)
        before, most, codes, lock = program.resident(), 0.0, dict[int, int](), threading.Lock()
        numbers = iter(range(count))

        def work() -> None:
            for number in numbers:
                reply = operator.post("/api/photo", sent[number % 4], 120, **{"Content-Type": "image/jpeg"})
                with lock:
                    codes[reply.status] = codes.get(reply.status, 0) + 1

        threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        commands, mark, end = [], 1, time.monotonic() + 500
        while any(thread.is_alive() for thread in threads) and time.monotonic() < end:
            most = max(most, program.resident())
            mark += 1
            reply = operator.mark(mark)
            commands.append(reply.seconds if reply.status == 200 else 99.0)
            time.sleep(0.3)
        time.sleep(2)
        after = program.resident()
    yield judged(
        f"memory after {count} photos",
        f"{before:.0f} MB before, at most {most:.0f}, {after:.0f} after; answers {codes}",
        "300 MB more than before, at most and after",
        held=most - before < 300 and after - before < 300 and codes.get(200, 0) > 0,
    )
    yield judged(
        "the operator's commands meanwhile", f"slowest {max(commands, default=0):.2f} s", "1 s", held=max(commands) <= 1
    )
