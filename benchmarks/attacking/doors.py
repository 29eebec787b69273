"""Who may see and do what: delays, the PIN's lock-out, sessions, Host, silent recorders' flags, and files of others."""

from __future__ import annotations

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
    FORMS,
    Board,
    Operator,
    Program,
    cookie_of,
    fetch,
    open_stream,
    post_pin,
    raw,
    sign_in,
)

SECRET = "Telltale"
"""In the names of a match that viewers may not see yet."""
CLOCK = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


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
