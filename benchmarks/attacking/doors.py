"""Who may see and do what: delays, the PIN's lock-out, sessions, Host, silent recorders' flags, and words that are no words."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attacking.findings import Finding, Ground, attack, judged, quiet, skipped, told
from benchmarks.attacking.program import (
    SPEAKING,
    Board,
    Operator,
    Program,
    Reply,
    cookie_of,
    fetch,
    post_pin,
    raw,
    sign_in,
)

SECRET = "Telltale"
"""In the names of a match that viewers may not see yet."""
CLOCK = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
FORMS = ("mat", "sgf", "json", "csv", "txt")


def addresses(port: int, identity: str, matches: list[str]) -> list[str]:
    """Every address that the page describes, its parts filled in, and those of pages."""
    document = fetch(port, "/api/openapi.json").json or {"paths": {}}
    found = ["/", "/?lang=en", "/desk?lang=en", "/replay", f"/replay?match={identity}", "/setup", "/healthz"]
    found += [f"/overlay/{part}" for part in ("board", "score", "clock", "roll", "pips")]
    for path, item in document["paths"].items():
        if "get" not in item:
            continue
        for match in matches:
            filled = path.replace("{identity}", match).replace("{number}", "1")
            for which in ("before", "after", "clip") if "{which}" in filled else ("",):
                ending = "webm" if which == "clip" else "jpg"
                one = filled.replace("{which}", which).replace("{ending}", ending)
                found += [one.replace("{form}", form) for form in FORMS] if "{form}" in one else [one]
    return list(dict.fromkeys(found))


def open_stream(port: int, path: str, seconds: float, headers: str = "") -> bytes:
    """What a stream says in so many seconds."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    return raw(port, f"GET {path} HTTP/1.1\r\n{host}{headers}\r\n".encode(), seconds)


@attack("delay-without-a-key")
def delay(ground: Ground) -> Iterator[Finding]:
    """With a delay set, every address of the page is asked without a key and without signing in: nothing newer is shown."""
    for what, web in {
        "a delay of 10 minutes": "delay_s = 600",
        "a delay of 5 turns": "delay_turns = 5",
        "a delay for viewers, overlays at once behind a key": 'delay_s = 600\noverlay_key = "sesame"',
        "overlays later than viewers": "overlay_delay_s = 600",
    }.items():
        board = Board(ground.folder / re.sub(r"\W+", "-", what))
        with board.running(web=web) as program:
            program.wait_served()
            operator = board.operator(program)
            quiet = _healthz(program)
            operator.say("match", length=7, light=f"{SECRET}-L", dark=f"{SECRET}-D", event=f"{SECRET}-E")
            operator.say("roll", dice=[3, 1], side="light")
            operator.say("play", notation="24/20", stands=True)
            seen = [row["id"] for row in operator.get("/api/matches").json or []]
            identity = (operator.get("/api/state").json or {}).get("match_id", "?")
            leaks = []
            only_overlays = "overlay_delay" in web
            for path in addresses(program.port, identity, [identity, *seen]):
                for query in ("", "for=overlay", "for=viewers", "for=overlay&key=", "for=&key=x", "key=sesam"):
                    if only_overlays and "for=overlay" not in query:
                        continue
                    asked = path + ("&" if "?" in path else "?") + query if query else path
                    body = (
                        open_stream(program.port, asked, 1.0, "Last-Event-ID: 0\r\n")
                        if path == "/events"
                        else fetch(program.port, asked, timeout=20).body
                    )
                    if SECRET.encode() in body or b"24/20" in body:
                        leaks.append(asked)
            for path in ("/api/state", f"/api/matches/{identity}"):
                if only_overlays:
                    continue
                for header in ({"X-Forwarded-For": "127.0.0.1"}, {"Cookie": "desk=1"}, {"If-None-Match": '"0"'}):
                    if SECRET.encode() in fetch(program.port, path, headers=header).body:
                        leaks.append(f"{path} {header}")
            said = _healthz(program)
        yield judged(
            what, f"shown at {', '.join(leaks[:6])} ({len(leaks)})" if leaks else "nowhere", "nowhere", held=not leaks
        )
        if not only_overlays:
            yield judged("/healthz meanwhile", f"{quiet}, then {said}", "the same", held=quiet == said)


def _healthz(program: Program) -> Any:
    return (fetch(program.port, "/healthz").json or {}).get("sequence")


@attack("pin-lock-out")
def lock_out(ground: Ground) -> Iterator[Finding]:
    """Strangers at 200 addresses try PINs: how many are looked at, and who is locked out."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program, "127.0.0.2")
        codes = dict[int, int]()
        one = [post_pin(program.port, f"{number:06d}", "127.9.0.1").status for number in range(10)]
        for number in range(ground.count(200, 80)):
            status = post_pin(
                program.port, f"{100000 + number:06d}", f"127.9.{number // 200 + 1}.{number % 200 + 1}"
            ).status
            codes[status] = codes.get(status, 0) + 1
        forged = []
        for number in range(8):
            reply = fetch(
                program.port,
                "/desk",
                "POST",
                b"pin=000000",
                {
                    "X-Forwarded-For": f"10.0.0.{number}",
                    "Forwarded": f"for=10.0.0.{number}",
                    "Content-Type": "application/x-www-form-urlencoded",
                },
                "127.9.0.1",
            )
            forged.append(reply.status)
        command = operator.mark(1).status
        try:
            again = sign_in(program.port, board.pin, "127.0.0.2").mark(2).status
        except RuntimeError as error:
            again = str(error)[:90]  # type: ignore[assignment]
        body = json.dumps({"now": board.pin, "new": "740291"}).encode()
        changed = operator.post("/api/setup/pin", body).status
    looked = codes.get(403, 0)
    yield judged(
        "PINs of one address that were looked at", f"{one.count(403)} of 10: {one}", "5", held=one.count(403) <= 5
    )
    yield judged("with a forged X-Forwarded-For", f"{forged}", "none", held=403 not in forged)
    yield judged(
        "PINs of 200 addresses that were looked at", f"{looked}: {codes}", "60 in 15 minutes", held=looked <= 60
    )
    yield judged("a signed-in operator's command", command, "200", held=command == 200)
    yield judged("signing in from an address that has signed in before", again, "200", held=again == 200)
    yield judged("the operator changes the PIN", changed, "200", held=changed == 200)


@attack("pin-flood")
def pin_flood(ground: Ground) -> Iterator[Finding]:
    """Two hundred PINs at once, each from another address: commands and pages go on, and no memory is taken for hashes."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program, "127.0.0.2")
        operator.mark(1)
        before, most, slow = program.resident(), 0.0, []
        threads = [
            threading.Thread(
                target=post_pin, args=(program.port, "000000", f"127.9.{n // 200}.{n % 200 + 1}"), daemon=True
            )
            for n in range(ground.count(200, 60))
        ]
        for thread in threads:
            thread.start()
        number, end = 1, time.monotonic() + 30
        while any(thread.is_alive() for thread in threads) and time.monotonic() < end:
            number += 1
            reply = operator.mark(number)
            slow.append(reply.seconds if reply.status == 200 else float("inf"))
            most = max(most, program.resident() - before)
    yield judged(
        "slowest command", f"{max(slow, default=0):.2f} s of {len(slow)}", "1 s", held=max(slow, default=0) <= 1
    )
    yield judged("memory", f"{most:+.0f} MB", "150 MB", held=most <= 150)


@attack("session-copied")
def copied(ground: Ground) -> Iterator[Finding]:
    """A cookie was copied before its owner signed out, or the PIN changed: it is dead afterwards, also after a restart."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        thief = Operator(program.port, operator.cookie, operator.token, "127.9.0.1")
        first = thief.mark(1).status
        left = operator.post("/desk/leave", b"{}").status
        after = thief.mark(2).status, thief.get("/api/legal").status
        other = board.operator(program)
        still = Operator(program.port, other.cookie, other.token)
        program.stop()
    port_after = ()
    with board.running() as program:
        program.wait_page()
        thief.port = still.port = program.port
        port_after = (thief.mark(3).status, thief.get("/api/legal").status)
        kept = still.mark(4).status
        renewed = board.operator(program)
        body = json.dumps({"now": board.pin, "new": "582047"}).encode()
        changed = renewed.post("/api/setup/pin", body).status
        old = still.mark(5).status
    yield judged("the copy works before (so that this attack is one)", first, "200", held=first == 200)
    yield judged("after its owner signed out", f"{left}, then {after}", "401 or 403", held=set(after) <= {401, 403})
    yield judged("after a restart", port_after, "401 or 403", held=set(port_after) <= {401, 403})
    yield told("a session that nobody ended, after a restart", kept)
    yield judged("after another PIN", f"{changed}, then {old}", "401 or 403", held=changed == 200 and old in (401, 403))


@attack("session-for-ever")
def for_ever(ground: Ground) -> Iterator[Finding]:
    """An operator does something every hour: after 12 hours the session ends (the program's clock is put forward)."""
    if not CLOCK.exists():
        yield skipped("12 hours", "libfaketime is not here: apt-get install libfaketime")
        return
    now = ground.folder / "now"
    now.write_text("+0")
    environment = {
        "LD_PRELOAD": str(CLOCK),
        "FAKETIME_TIMESTAMP_FILE": str(now),
        "FAKETIME_NO_CACHE": "1",
    }
    board = Board(ground.folder)
    with board.running(environment=environment) as program:
        program.wait_page()
        operator = board.operator(program)
        alive, cookie = 0, operator.cookie
        for hour in range(1, 17):
            now.write_text(f"+{hour}h")
            time.sleep(0.05)
            reply = operator.get("/api/legal")
            if reply.status != 200:
                break
            alive = hour
            operator.cookie = cookie_of(reply) or operator.cookie
    yield judged(
        "last hour at which the session still worked",
        f"{alive}, first cookie {'renewed' if cookie != operator.cookie else 'kept'}",
        "11 or 12",
        held=11 <= alive <= 12,
    )


HOSTS = {
    "evil.example": False,
    "evil.example:8080": False,
    "127.0.0.1.evil.example": False,
    "local": False,
    "evil.example/.local": False,
    "evil@board.local": False,
    "a..b": False,
    ".": False,
    "": False,
    "[::1": False,
    "\xff\xfe": False,
    "x" * 5000: False,
    "127.0.0.1:PORT": True,
    "localhost:PORT": True,
    "board.local:PORT": True,
    "board.local": True,
    "192.168.1.20:PORT": True,
    "[::1]:PORT": True,
}


@attack("host-rebinding")
def hosts(ground: Ground) -> Iterator[Finding]:
    """Hosts that are no address, no .local and no name of ours are refused; no Host brings a traceback."""
    board, wrong = Board(ground.folder), []
    with board.running() as program:
        program.wait_page()
        for host, good in HOSTS.items():
            host = host.replace("PORT", str(program.port))
            for path in (
                "/?lang=en",
                "/api/state",
                "/healthz",
                "/qr.svg",
                "/desk",
                "/static/page.css",
                "/api/matches",
                "/nowhere",
            ):
                said = raw(
                    program.port,
                    f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1"),
                    5,
                )
                code = said[9:12].decode("ascii", "replace")
                fine = code in ("200", "302", "303", "404") if good else code in ("400", "403", "404", "421", "431", "")
                if path == "/nowhere" and good:
                    fine = code == "404"
                if not fine:
                    wrong.append(f"{host[:40]!r} {path} {code}")
        two = raw(program.port, b"GET / HTTP/1.1\r\nHost: board.local\r\nHost: evil.example\r\n\r\n", 3)[9:12]
        none = raw(program.port, b"GET / HTTP/1.1\r\n\r\n", 3)[9:12]
        evil = {
            "Host": "evil.example",
            "Origin": "http://evil.example",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        let_in = fetch(program.port, "/desk", "POST", b"pin=" + board.pin.encode(), evil)
        traceback = "Traceback" in program.output
    yield judged(
        "hosts by address",
        "; ".join(wrong[:6]) + f" ({len(wrong)})" if wrong else "as wanted",
        "names of others refused",
        held=not wrong,
    )
    yield judged(
        "signing in by way of another host",
        let_in.status,
        "4xx",
        held=400 <= let_in.status < 500 and let_in.status != 429,
    )
    yield judged("two hosts, none", f"{two!r}, {none!r}", "400 each", held={two, none} <= {b"400", b""})
    yield quiet(traceback)


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


@attack("recorder-keeps-silent")
def recorder(ground: Ground) -> Iterator[Finding]:
    """A silent recorder's running match with an illegal play in it: no viewer learns of it from a list, a record or an export."""
    board = Board(ground.folder, '[camera]\nsource = "none"\n[match]\nlength = 5\n[rules]\ndevice.role = "recorder"\n')
    words = re.compile(
        rb'illegal|not legal|"legal":\s*false|R0\d|flag(?!s"?\s*:\s*\[\])|nelegal|wrong|problem(?!s":\s*\[\])', re.I
    )
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.say("roll", dice=[3, 1], side="light")
        quiet = _viewers_bodies(program)
        done = operator.say("play", notation="8/2 6/1", stands=True)
        loud = _viewers_bodies(program)
        insider = operator.get("/api/state").body
    leaks = {path: sorted({one.group()[:30] for one in words.finditer(body)}) for path, body in loud.items()}
    before = {path: {one.group()[:30] for one in words.finditer(body)} for path, body in quiet.items()}
    told_them = {path: found for path, found in leaks.items() if set(found) - before.get(path, set())}
    yield told(
        "the operator's command",
        f"{done.status} {done.body[:80]!r}; operator's view speaks: {bool(words.search(insider))}",
    )
    lists = {path: found for path, found in told_them.items() if not path.startswith("/api/state")}
    for what, found in (("in lists, records and exports", lists), ("in the view itself", set(told_them) - set(lists))):
        where = "; ".join(f"{path.rsplit('/', 1)[-1]}: {told_them[path]}" for path in found)[:300]
        yield judged(f"viewers learn of it {what}", where or "nowhere", "nowhere while the match runs", held=not found)


def _viewers_bodies(program: Program) -> dict[str, bytes]:
    identity = (program.state() or {}).get("match_id", "")
    paths = ["/api/state", "/api/state?for=overlay", "/api/matches", f"/api/matches/{identity}"]
    paths += [f"/api/matches/{identity}/export.{form}" for form in FORMS]
    paths += [f"/api/matches/{identity}/analysis", "/api/flags/1/before.jpg", "/api/turns/1/before.jpg"]
    found = {path: fetch(program.port, path) for path in paths}
    return {path: reply.body if reply.status == 200 else b"" for path, reply in found.items()}


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


@attack("changes-from-elsewhere")
def elsewhere(ground: Ground) -> Iterator[Finding]:
    """Changes with an operator's cookie but without the token, from another page, or by GET; a cookie that somebody has made up."""
    board, done = Board(ground.folder), []
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.mark(1)
        undo = json.dumps({"type": "score", "light": 9, "dark": 9}).encode()
        good, name = operator.headers, operator.cookie.partition("=")[0]
        tries: dict[str, dict[str, str]] = {
            "no token": {k: v for k, v in good.items() if k != "X-CSRF-Token"},
            "another token": good | {"X-CSRF-Token": "x" * len(operator.token)},
            "an empty token": good | {"X-CSRF-Token": ""},
            "another origin": good | {"Origin": "http://evil.example"},
            "another port": good | {"Origin": "http://127.0.0.1:1"},
            "origin null": good | {"Origin": "null"},
            "a made-up cookie": good | {"Cookie": f"{name}=eyJkZXNrIjp0cnVlfQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb"},
            "an unsigned cookie": good | {"Cookie": f"{name}=eyJkZXNrIjp0cnVlLCJ0b2tlbiI6IngifQ", "X-CSRF-Token": "x"},
            "no cookie": {k: v for k, v in good.items() if k != "Cookie"},
        }
        for what, headers in tries.items():
            code = fetch(program.port, "/api/command", "POST", undo, headers).status
            if code not in (401, 403):
                done.append(f"{what}: {code}")
        for method in ("GET", "PUT", "PATCH", "DELETE"):
            if fetch(program.port, "/api/command", method, undo, good).status < 400:
                done.append(method)
        view = program.state() or {}
        if view["light"]["score"] != 0 or view["dark"]["score"] != 1:
            done.append("the score has changed")
        flags = fetch(program.port, "/desk?lang=en").headers.get("set-cookie", "")
        cookie = post_pin(program.port, board.pin).headers.get("set-cookie", "")
    held = all(word in cookie for word in ("HttpOnly", "SameSite=Strict"))
    yield judged("done", "; ".join(done) or "none", "none", held=not done)
    yield judged("the cookie", cookie.partition(";")[2][:100] or flags, "HttpOnly, SameSite=Strict", held=held)


@attack("files-of-others")
def modes(ground: Ground) -> Iterator[Finding]:
    """Under umask 022: may others read the journal, its log, the PIN's file, pictures, a backup, a bundle of the doctor?"""
    board = Board(ground.folder)
    old = os.umask(0o022)
    try:
        with board.running(web='overlay_key = "open-sesame-4711"') as program:
            program.wait_page()
            board.operator(program).mark(1)
            config = str(board.config(program.port, web='overlay_key = "open-sesame-4711"'))
            Path(config).write_text(
                Path(config).read_text() + '[mqtt]\nhost = "127.0.0.1"\nusername = "u"\npassword = "mqtt-secret-4712"\n'
            )
            board.vrhcab("backup", str(ground.folder / "backup.zip"), "--config", config)
            board.vrhcab("doctor", "--config", config, "--bundle", str(ground.folder / "bundle.zip"))
            board.vrhcab("archive", "--config", config, "import", str(board.journal))
            found = [path for path in board.journal.parent.rglob("*") if path.is_file()]
            found += [path for path in (ground.folder / "backup.zip", ground.folder / "bundle.zip") if path.exists()]
            wide = [f"{path.name} {path.stat().st_mode & 0o777:o}" for path in found if path.stat().st_mode & 0o007]
            folder = board.journal.parent.stat().st_mode & 0o777
            program.stop()
    finally:
        os.umask(old)
    secrets = _secrets_in(ground.folder / "bundle.zip", board)
    yield judged("files that others may read", ", ".join(wide) or "none", "none", held=not wide and len(found) > 3)
    yield told("the journal's folder", f"{folder:o}")
    yield judged("secrets in the doctor's bundle", ", ".join(secrets) or "none", "none", held=not secrets)


def _secrets_in(bundle: Path, board: Board) -> list[str]:
    import zipfile

    if not bundle.exists():
        return ["there is no bundle"]
    kept = json.loads(board.journal.with_name("desk.json").read_text())
    words = {"the overlay key": "open-sesame-4711", "the broker's password": "mqtt-secret-4712", "the PIN": board.pin}
    words |= {f"desk.json's {key}": value for key, value in kept.items() if isinstance(value, str) and len(value) > 10}
    with zipfile.ZipFile(bundle) as archive:
        text = b"\n".join(archive.read(name) for name in archive.namelist()).decode("utf-8", "replace")
    return [what for what, word in words.items() if word and word in text]
