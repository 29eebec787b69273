"""Words that are no words: numbers without end, bodies that are none, names that exports take for more, requests in disguise."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attacking.findings import Finding, Ground, attack, judged, quiet
from benchmarks.attacking.program import FORMS, SPEAKING, Board, Reply, fetch, open_stream, raw

ODD = {
    "two lengths": "Content-Length: 4\r\nContent-Length: 60\r\n\r\npin=",
    "lengths that differ in one line": "Content-Length: 4, 60\r\n\r\npin=",
    "length and chunks": "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks spelt otherwise": "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks twice": "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "chunks and identity": "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "a tab before chunked": "Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "a blank before the colon": "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "a negative length": "Content-Length: -5\r\n\r\n",
    "a length with a sign": "Content-Length: +4\r\n\r\npin=",
    "a length in hexadecimal": "Content-Length: 0x4\r\n\r\npin=",
    "a length of 100 digits": f"Content-Length: {'9' * 100}\r\n\r\n",
    "digits of another script": "Content-Length: ٤\r\n\r\npin=",
    "a folded header": "X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a bare line feed": "X-A: b\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a zero in a header": "X-A: \0\r\nContent-Length: 0\r\n\r\n",
    "a chunk's negative length": "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n0\r\n\r\n",
    "a chunk's length with a sign": "Transfer-Encoding: chunked\r\n\r\n+4\r\npin=\r\n0\r\n\r\n",
    "a chunk's length with underlines": "Transfer-Encoding: chunked\r\n\r\n0_4\r\npin=\r\n0\r\n\r\n",
    "a chunk that is too long": "Transfer-Encoding: chunked\r\n\r\n1\r\npin=\r\n0\r\n\r\n",
}
AMBIGUOUS = set(ODD) - {"a folded header", "a bare line feed"}


@attack("numbers-without-end")
def numbers(ground: Ground) -> Iterator[Finding]:
    """Flags, turns and steps of 100, 5,000 and 20,000 digits, negative ones, and digits of other scripts."""
    board, wrong = Board(ground.folder), []
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        for number in (
            "9" * 19,
            "9" * 100,
            "9" * 5000,
            "9" * 20000,
            "-1",
            "%D9%A1",
            "1e9",
            "0x1",
            "%00",
            "1/../1",
            "%2e%2e",
        ):
            for path in (
                f"/api/flags/{number}/frame.jpg",
                f"/api/flags/{number}/before.jpg",
                f"/api/turns/{number}/clip.webm",
                f"/api/matches/{number}",
                f"/api/matches/{number}/export.mat",
                f"/api/matches/{number}/analysis",
                f"/replay?match={number}#1",
            ):
                code = operator.get(path).status
                if code >= 500 or code == 0:
                    wrong.append(f"{path[:40]} {code}")
        for value in ("9" * 25, "9" * 5000, "-5", "\xb2"):
            said = open_stream(program.port, "/events", 1, f"Last-Event-ID: {value}\r\n")
            if said[9:12] not in (b"200", b"400", b"431"):
                wrong.append(f"Last-Event-ID {value[:10]}: {said[:20]!r}")
        for kind, fields in {
            "flag": {"number": 10**100, "how": "stands"},
            "score": {"light": 10**30, "dark": -1},
            "correct": {"turn": 10**19, "notation": "8/5"},
            "cube": {"value": 2**70},
            "match": {"length": 10**50, "light": "a", "dark": "b"},
        }.items():
            code = operator.say(kind, **fields).status
            if code not in (400, 409):
                wrong.append(f"{kind} {code}")
        traceback = "Traceback" in program.output
    yield judged(
        "answers", "; ".join(wrong[:6]) + f" ({len(wrong)})" if wrong else "4xx or 200", "never 500", held=not wrong
    )
    yield quiet(traceback)


BODIES = {
    "bad UTF-8": b"\xff\xfe\x00{",
    "bad UTF-8 in a text": b'{"type": "match", "length": 5, "light": "\xff", "step": "pin", "now": "\xff", "new": "\xfe"}',
    "a lone surrogate": rb'{"type": "match", "length": 5, "light": "\ud800", "dark": "b", "now": "\ud800", "new": "1"}',
    "deep": b"[" * 60_000,
    "deep objects": b'{"a":' * 12_000,
    "a long number": b"9" * 60_000,
    "a number in a field": b'{"step": 1e999, "now": 1e999, "type": "score", "light": ' + b"9" * 50_000 + b"}",
    "NaN": b'{"type": "score", "light": NaN, "dark": 0}',
    "empty": b"",
    "null": b"null",
    "zeros": bytes(1000),
    "a BOM": b"\xef\xbb\xbf{}",
    "UTF-16": '{"type": "undo"}'.encode("utf-16"),
    "a long text": b'{"type": "' + b"x" * 60_000 + b'", "by": "' + b"y" * 1000 + b'"}',
}


@attack("bodies-that-are-none")
def bodies(ground: Ground) -> Iterator[Finding]:
    """Every address that takes something gets bad UTF-8, deep JSON, endless numbers, from an operator and from a stranger."""
    board, wrong = Board(ground.folder), []
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        document = fetch(program.port, "/api/openapi.json").json or {"paths": {}}
        paths = [path for path, item in document["paths"].items() if "post" in item] + ["/desk", "/setup"]
        fills = {"{what}": "lamps", "{group}": "error", "{button}": "undo", "{identity}": "x", "{number}": "1"}
        for path in paths:
            for old, new in fills.items():
                path = path.replace(old, new)
            if path == "/desk/leave":
                continue
            for what, body in BODIES.items():
                form = {"Content-Type": "application/x-www-form-urlencoded"} if path in ("/desk", "/setup") else {}
                code = operator.post(path, body, **form).status
                bare = fetch(program.port, path, "POST", body, form, f"127.9.4.{len(what)}").status
                wrong += [f"{path} {what} {one}" for one in (code, bare) if one >= 500 or one == 0]
        command = board.operator(program, "127.0.0.5").say("undo").status
        traceback = "Traceback" in program.output
        lived = program.alive
    yield judged(
        "answers", "; ".join(wrong[:6]) + f" ({len(wrong)})" if wrong else "4xx or 200", "never 500", held=not wrong
    )
    yield quiet(traceback)
    yield judged(
        "a command afterwards",
        f"{command}, {'alive' if lived else 'ended'}",
        "200 or 409",
        held=lived and command in (200, 409),
    )


NAMES = {
    "a new line": ("Jana\r\nSet-Cookie: x=1", "Petr\nDark: 9"),
    "a formula": ("=cmd|'/C calc'!A0", "+1+1"),
    "other formulas": ("@SUM(A1)", "-2+3"),
    "a tab before one": ("\t=1+1", "\r=1+1"),
    "brackets and semicolons": ("[W];(B[", "\\]){};"),
    "quotes and commas": ('a","b', "a;b,c"),
    "a match's words": (" 7 point match", "Game 1"),
    "separators of lines": ("a\u2028b", "a\u0085b\x0b\x0c"),
    "zeros and escapes": ("a\x00b", "a\x1b[31mb"),
    "right to left": ("a\u202egpj.exe", "\u200f"),
    "a path": ("../../etc/passwd", "..\\..\\x"),
    "markup": ("<script>alert(1)</script>", "&amp;<img src=x onerror=y>"),
    "only blanks": ("   ", "\u00a0"),
    "outside the first plane": ("\U0001f3b2" * 40, "\U00010348"),
}


@attack("names-in-exports")
def names(ground: Ground) -> Iterator[Finding]:
    """Names with line ends, formulas, brackets and markup, as players, event, place and round: refused, or whole in all exports."""
    board, wrong, refused = Board(ground.folder, SPEAKING), [], 0
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        for what, (light, dark) in NAMES.items():
            said = operator.say("match", length=5, light=light, dark=dark, event=light, place=dark, round=light)
            if said.status != 200:
                refused += 1
                wrong += [f"{what}: {said.status}"] if said.status >= 500 else []
                continue
            operator.say("roll", dice=[3, 1], side="light")
            operator.say("play", notation="8/5 6/5")
            identity = (program.state() or {}).get("match_id", "")
            for form in FORMS:
                reply = fetch(program.port, f"/api/matches/{identity}/export.{form}")
                fault = _export_fault(board, reply, form, ground.folder / f"x.{form}")
                wrong += [f"{what} .{form}: {fault}"] if fault else []
            page = fetch(program.port, f"/replay?match={identity}&lang=en").body
            if b"<script>alert" in page or b"<img src=x" in page:
                wrong.append(f"{what}: markup in the page")
        traceback = "Traceback" in program.output
    yield judged(
        f"{len(NAMES)} pairs of names in five exports ({refused} pairs refused)",
        "; ".join(wrong[:6]) + f" ({len(wrong)})" if wrong else "whole in each",
        "refused, or each export whole: one game, one play, no header, no formula",
        held=not wrong,
    )
    yield quiet(traceback)


def _export_fault(board: Board, reply: Reply, form: str, path: Path) -> str:
    """What is wrong with an export of one play; "" for nothing."""
    if reply.status != 200:
        return f"status {reply.status}"
    if (
        "set-cookie" in reply.headers
        or "dark" in reply.headers
        or len(reply.headers.get("content-disposition", "")) > 2000
    ):
        return "headers of its own"
    if "problem" in reply.headers.get("content-disposition", ""):
        return "problem.txt: " + reply.body.decode("utf-8", "replace")[:80]
    disposition = reply.headers.get("content-disposition", "")
    if re.search(r"\.\./|\.\.\\|[\x00-\x1f]", disposition):
        return f"file name {disposition[:60]!r}"
    if form == "csv":
        for row in csv.reader(io.StringIO(reply.body.decode("utf-8-sig", "replace"))):
            for cell in row:
                if cell.startswith(("=", "+", "@", "\t", "\r")) or re.match(r"-\D|-.*[^\d.]", cell):
                    return f"a cell begins as a formula: {cell[:30]!r}"
    if form == "txt":
        return "an escape sequence" if b"\x1b" in reply.body else ""
    if form == "csv":
        return ""
    path.write_bytes(reply.body)
    out = board.folder / "read-back.json"
    out.unlink(missing_ok=True)
    said = board.vrhcab("convert", str(path), str(out), seconds=60)
    if said.returncode or not out.exists():
        return "not read back: " + said.stderr.decode("utf-8", "replace").strip()[-80:]
    record = json.loads(out.read_bytes())
    plays = sum(action["type"] == "play" for game in record["games"] for action in game["actions"])
    return "" if (len(record["games"]), plays) == (1, 1) else f"{len(record['games'])} games, {plays} plays read back"


@attack("requests-in-disguise")
def smuggled(ground: Ground) -> Iterator[Finding]:
    """Requests that two servers could read in two ways, each with another behind it: refused, and the connection is closed."""
    board, wrong = Board(ground.folder), []
    with board.running() as program:
        program.wait_page()
        host = f"Host: 127.0.0.1:{program.port}\r\n"
        for what, rest in ODD.items():
            head = f"POST /desk HTTP/1.1\r\n{host}Content-Type: application/x-www-form-urlencoded\r\n"
            hidden = f"GET /api/openapi.json HTTP/1.1\r\n{host}\r\n"
            said = raw(program.port, (head + rest + hidden).encode("utf-8"), 3, "127.9.5.1")
            codes = re.findall(rb"HTTP/1\.[01] (\d\d\d)", said)
            # Whatever it takes the first for, a doubtful one must not let a second one by.
            if (what in AMBIGUOUS and b"200" in codes) or any(
                code.startswith(b"5") and code != b"501" for code in codes
            ):
                wrong.append(f"{what}: {[code.decode() for code in codes]}")
        methods = {}
        for method in ("TRACE", "CONNECT", "PROPFIND", "get", "G\0T", "OPTIONS", "DELETE", "X" * 3000):
            said = raw(program.port, f"{method} / HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode(), 3)
            methods[method[:8]] = said[9:12].decode("ascii", "replace")
            if methods[method[:8]].startswith("5") and methods[method[:8]] != "501":
                wrong.append(f"{method[:8]}: {methods[method[:8]]}")
            if method == "TRACE" and b"127.0.0.1" in said:
                wrong.append("TRACE says the request back")
        for target in (
            "http://evil.example/",
            "//evil.example/",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/static/..%2f..%2fsecurity.py",
            "/static/%00",
            "*",
            "/\udcff",
        ):
            line = f"GET {target} HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode("utf-8", "surrogateescape")
            said = raw(program.port, line, 3)
            code = said[9:12]
            if (
                code.startswith(b"5")
                or b"root:" in said
                or b"import " in said
                or b"Location: http://evil" in said
                or b"Location: //evil" in said
            ):
                wrong.append(f"{target!r}: {code.decode()}")
        traceback = "Traceback" in program.output
        lived = program.state() is not None
    yield judged(
        f"{len(ODD)} doubtful requests, {len(methods)} methods, 7 targets",
        "; ".join(wrong[:6]) + f" ({len(wrong)})" if wrong else "refused",
        "no second answer, no 500, nothing said back",
        held=not wrong and lived,
    )
    yield quiet(traceback)
