"""The commands: what they call up, whose files they leave, how they end, and how much of a hostile file they swallow."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from benchmarks.attacking.findings import Finding, Ground, attack, judged, skipped, told
from benchmarks.attacking.journals import foreign_reader
from benchmarks.attacking.pictures import board_pictures, large_png, written
from benchmarks.attacking.program import COMMAND, LEASH, Board, post_pin

NOBODY = 65534
MEMORY = 4 << 30
"""Bytes that a command may address: this machine must survive. onnxruntime and OpenCV address some two GB unused."""
MB = 1 << 20


@dataclass(frozen=True)
class Ended:
    """How a command ended. status: 124 where it had to be stopped; peak: MB resident."""

    status: int
    words: str
    seconds: float
    peak: float

    @property
    def tidy(self) -> bool:
        """One sentence, no traceback, and no status of a fault."""
        return self.status in (0, 1, 2) and "Traceback" not in self.words and "fault of its own" not in self.words

    def __str__(self) -> str:
        last = " ".join(self.words.strip().splitlines()[-1:])[:130]
        return f"exit {self.status} after {self.seconds:.1f} s, {self.peak:.0f} MB: {last}"


def ended(board: Board, *arguments: str, seconds: float = 40.0, stdin: bytes | None = None) -> Ended:
    """A command under a limit of memory and time."""
    began = time.monotonic()
    log, given = board.folder / "command.txt", board.folder / "given.txt"
    given.write_bytes(stdin or b"")
    with log.open("wb") as out, given.open("rb") as into:
        process = subprocess.Popen(
            [*LEASH, "prlimit", f"--as={MEMORY}", "--", str(COMMAND), *arguments],
            stdin=into,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=board.environment,
        )
        peak = 0.0
        while (status := process.poll()) is None and time.monotonic() - began < seconds:
            peak = max(peak, _peak(process.pid))
            time.sleep(0.02)
        if status is None:
            process.kill()
            process.wait()
            status = 124
    with log.open("rb") as said:
        words = said.read(200_000).decode("utf-8", "replace")
    return Ended(status, words, time.monotonic() - began, peak)


def _peak(pid: int) -> float:
    """MB that this process has held at most since it was begun."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("ascii", "replace"))
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


@attack("hostile-arguments")
def arguments(ground: Ground) -> Iterator[Finding]:
    """Numbers that are none, endless digits, deep JSON, empty paths and wrong types: one sentence and exit 1 or 2."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        operator.say("roll", dice=[3, 1], side="light")
        operator.say("play", notation="8/5 6/5")
        identity = (program.state() or {})["match_id"]
        (ground.folder / "m.mat").write_bytes(operator.get(f"/api/matches/{identity}/export.mat").body)
        program.stop()
    match = str(ground.folder / "m.mat")
    config = str(board.config())
    deep, digits = ground.folder / "deep.json", "9" * 23
    deep.write_bytes(b"[" * 200_000)
    half = ground.folder / "half.json"
    half.write_bytes(b'{"count": ' + b"9" * 5000 + b', "order": "\xff"}')
    tomls = {
        "path-empty": '[journal]\npath = ""\n',
        "path-zero": '[journal]\npath = "a\\u0000b"\n',
        "path-folder": f'[journal]\npath = "{ground.folder}"\n',
        "path-device": '[journal]\npath = "/dev/null"\n',
        "nan": "[web]\ndelay_s = nan\n",
        "inf": "[camera]\nfps = inf\n",
        "nan-rule": "[rules]\nclock.delay_s = nan\n",
        "types": "[web]\nport = [1, 2]\nhost = { a = 1 }\n",
        "dates": "[match]\nlength = 2026-01-01\n",
        "huge": "[web]\nport = " + "9" * 5000 + "\n",
        "deep": "a = " + "[" * 5000 + "]" * 5000 + "\n",
        "deep-keys": "a" + ".a" * 5000 + " = 1\n",
        "surrogate": '[match]\nnames = ["\\ud800", "b"]\n',
        "a-list": "[[web]]\nport = 1\n",
    }
    for name, text in tomls.items():
        (ground.folder / f"{name}.toml").write_text(text)
    (ground.folder / "binary.toml").write_bytes(b"\xff\xfe\x00")
    cases: dict[str, tuple[str, ...]] = {
        "analyse --time-limit nan": ("analyse", match, "--time-limit", "nan", "--config", config),
        "analyse --time-limit inf": ("analyse", match, "--time-limit", "inf", "--config", config),
        "analyse --time-limit -1": ("analyse", match, "--time-limit", "-1", "--config", config),
        "analyse --time-limit 1e400": ("analyse", match, "--time-limit", "1e400", "--config", config),
        "archive import": ("archive", "--config", config, "import", match),
        "archive delete": ("archive", "--config", config, "delete", "--yes", digits),
        "archive export": ("archive", "--config", config, "export", "--to", str(ground.folder / "out"), digits),
        "archive tag": ("archive", "--config", config, "tag", digits, "x"),
        "archive list --limit": ("archive", "--config", config, "list", "--limit", digits),
        "archive list bad words": ("archive", "--config", config, "list", '" OR', "*", "\udcff"),
        "flash --settings deep": ("flash", "--settings", str(deep), "--port", "/dev/null"),
        "flash --settings half": ("flash", "--settings", str(half), "--port", "/dev/null"),
        "read --corners NaN": ("read", match, "--corners", "nan,nan nan,nan nan,nan nan,nan"),
        "read --corners @deep": ("read", match, "--corners", f"@{deep}"),
        "read --lens deep": ("read", match, "--lens", str(deep)),
        "calibrate to nowhere": ("calibrate", match, "-o", "/nowhere/x.json"),
        "check deep": ("check", str(deep)),
        "convert deep": ("convert", str(deep), str(ground.folder / "x.mat")),
        "restore deep": ("restore", str(deep)),
        "plays --batch deep": ("plays", "--batch"),
        "plays digits": ("plays", "4HPwATDgc/ABMA", "9" * 5000),
        "transcribe bad names": (
            "transcribe",
            str(ground.folder),
            "-o",
            str(ground.folder / "x.mat"),
            "--names",
            "\udcff,b",
        ),
        "backup onto a folder": ("backup", str(ground.folder), "--config", config),
        "pin of a binary config": ("pin", "--reset", "--config", str(ground.folder / "binary.toml")),
    }
    for name in [*tomls, "binary"]:
        for command in ("run", "doctor", "backup"):
            more = (str(ground.folder / "no.zip"),) if command == "backup" else ()
            # One that starts is right where the value is; then it is stopped.
            cases[f"{command} {name}.toml"] = (command, *more, "--config", str(ground.folder / f"{name}.toml"))
    bad = []
    for what, given in cases.items():
        runs = given[0] == "run"
        stdin = (
            b"[" * 200_000 + b"\n" + b'{"pid": "' + b"9" * 9000 + b'", "dice": 1e999}\n\xff\n'
            if "batch" in what
            else None
        )
        said = ended(board, *given, seconds=8 if runs else 40, stdin=stdin)
        served = (
            runs
            and said.status == 124
            and "Traceback" not in said.words
            and what.split()[1] in ("inf.toml", "path-device.toml")
        )
        if not said.tidy and not served:
            bad.append(f"{what}: {said}")
    shown = "; ".join(bad[:6]) + (f"; and {len(bad) - 6} more" if len(bad) > 6 else "")
    yield judged(
        f"{len(cases)} commands", shown or "a sentence each", "one sentence, exit 0, 1 or 2, no traceback", held=not bad
    )


@attack("endless-files")
def endless(ground: Ground) -> Iterator[Finding]:
    """/dev/zero, pipes, 119 million pixels and files of 3 GB: each command ends by itself and takes little memory."""
    board = Board(ground.folder)
    pipe, sparse, zipped = ground.folder / "pipe.jpg", ground.folder / "sparse.sqlite3", ground.folder / "sparse.zip"
    os.mkfifo(pipe)
    with closing(sqlite3.connect(sparse)) as made:
        made.execute("CREATE TABLE events (a)")
        made.commit()
    for path in (
        sparse,
        zipped,
        ground.folder / "sparse.mat",
        ground.folder / "sparse.jpg",
        ground.folder / "sparse.json",
    ):
        with path.open("ab") as file:
            file.truncate(3 << 30)
    large = ground.folder / "large.png"
    large_png(large, 10_900, 10_900)
    small = board_pictures(1)[0]
    frames = written(ground.folder / "frames", small)
    picture = str(frames / "frame-0000.jpg")
    zero, out = "/dev/zero", str(ground.folder / "out.json")
    cases: dict[str, tuple[str, ...]] = {
        "check /dev/zero": ("check", zero),
        "read /dev/zero": ("read", zero),
        "convert /dev/zero": ("convert", zero, out),
        "analyse /dev/zero": ("analyse", zero),
        "calibrate /dev/zero": ("calibrate", zero, "-o", out),
        "restore /dev/zero": ("restore", zero, "--to", str(ground.folder / "r.sqlite3")),
        "read --corners @/dev/zero": ("read", picture, "--corners", f"@{zero}"),
        "read --lens /dev/zero": ("read", picture, "--lens", zero),
        "transcribe /dev/zero": ("transcribe", zero, "-o", out),
        "archive import /dev/zero": ("archive", "--archive", str(ground.folder / "a.sqlite3"), "import", zero),
        "flash --settings /dev/zero": ("flash", "--settings", zero, "--port", "/dev/null"),
        "run --config /dev/zero": ("run", "--config", zero),
        "read a pipe": ("read", str(pipe)),
        "check a pipe": ("check", str(pipe)),
        "restore a pipe": ("restore", str(pipe)),
        "run --config a pipe": ("run", "--config", str(pipe)),
        "calibrate with 119 million pixels": ("calibrate", str(large), str(large), str(large), "-o", out),
        "read 119 million pixels": ("read", str(large)),
        "restore 3 GB of a journal": ("restore", str(sparse), "--to", str(ground.folder / "s.sqlite3")),
        "restore 3 GB of zeros": ("restore", str(zipped), "--to", str(ground.folder / "z")),
        "check 3 GB": ("check", str(ground.folder / "sparse.mat")),
        "check 3 GB of JSON": ("check", str(ground.folder / "sparse.json")),
        "read 3 GB": ("read", str(ground.folder / "sparse.jpg")),
    }
    for what, given in cases.items():
        said = ended(board, *given, seconds=20 if ground.quick else 40)
        # A telephone's 108 megapixels are read, and are 330 MB of pixels, which the decoder holds twice.
        most = 1000 if what.startswith("read 119") else 700
        held = said.status == 1 and said.tidy and said.peak < most
        yield judged(what, said, f"a sentence and exit 1 within 40 s, under {most} MB", held=held)


@attack("restore-bomb")
def bomb(ground: Ground) -> Iterator[Finding]:
    """A backup that somebody made up: 1.5 MB that unpack to 1.5 GB, a PIN of its maker's, files that are none of ours."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        board.operator(program).mark(7)
        config = str(board.config(program.port))
        good = ground.folder / "good.zip"
        board.vrhcab("backup", str(good), "--config", config)
        program.stop()
    size = ground.count(1500, 700) * MB
    cases = {
        "a picture of 1.5 GB": {"evidence/x.jpg": size},
        "a settings file of 1.5 GB": {"vrhcab.toml": size},
    }
    for what, more in cases.items():
        bad = ground.folder / f"{len(what)}.zip"
        _crafted(good, bad, more)
        target = ground.folder / f"to-{len(what)}"
        said = ended(board, "restore", str(bad), "--to", str(target), seconds=120)
        taken = sum(path.stat().st_size for path in target.rglob("*") if path.is_file()) if target.exists() else 0
        files = sum(1 for path in target.rglob("*")) if target.exists() else 0
        held = said.tidy and taken < 600 * MB and said.peak < 400
        yield judged(
            f"{what} in {bad.stat().st_size / 1e6:.1f} MB",
            f"{said}; {taken / 1e6:.0f} MB, {files} files left",
            "refused, or under 600 MB",
            held=held,
        )
        shutil.rmtree(target, ignore_errors=True)
    # The PIN: what another machine's operator has in a backup must not become this machine's.
    pin = json.dumps(json.loads(board.journal.with_name("desk.json").read_text())).encode()
    names = {
        "desk.json": pin,
        "table.json": b'{"type":"table","corners":"1,1 2,1 2,2 1,2","home":"top-left"}',
        "journal.set-up.json": b'{"ready": true}',
        "vrhcab.toml": b'[web]\nhost = "0.0.0.0"\n',
        "notes.txt": b"x",
        "evidence/../desk.json": pin,
        "journal.sqlite3-wal": b"\x37\x7f\x06\x82" + bytes(4096),
        ".bashrc": b"id",
    }
    for what, options in {"without --with-settings": (), "a folder with --to": ("--to",)}.items():
        left = []
        for name, content in names.items():
            place = Board(ground.folder / f"machine-{len(left)}-{name.replace('/', '_')}-{len(what)}")
            bad = place.folder / "made-up.zip"
            _crafted(good, bad, {name: content})
            target = place.folder / "to"
            given = (*options, str(target)) if options else ("--config", str(place.config()))
            said = ended(place, "restore", str(bad), *given)
            root = target if options else place.journal.parent
            kept = (
                [path for path in root.rglob("*") if path.is_file() and path.name == Path(name).name]
                if root.exists()
                else []
            )
            if (kept and not options) or not said.tidy:
                left.append(f"{name}: {said if not said.tidy else 'put there'}")
        yield judged(
            f"files of others, {what}",
            "; ".join(left)[:300] or "none put there",
            "only journal, archive and pictures",
            held=not left,
        )


def _crafted(good: Path, target: Path, more: Mapping[str, bytes | int]) -> None:
    """The good backup with more files in it, whose manifest is right. A number: so many zeros."""
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        manifest = json.loads(source.read("manifest.json"))
        for name in source.namelist():
            if name not in ("manifest.json", *more):
                out.writestr(name, source.read(name))
        for name, content in more.items():
            digest, size = sha256(), content if isinstance(content, int) else len(content)
            with out.open(name, "w", force_zip64=True) as member:
                if isinstance(content, int):
                    left = size
                    while left:
                        block = bytes(min(left, MB))
                        member.write(block)
                        digest.update(block)
                        left -= len(block)
                else:
                    member.write(content)
                    digest.update(content)
            manifest["entries"] = [one for one in manifest["entries"] if one["name"] != name]
            manifest["entries"].append({"name": name, "size": size, "sha256": digest.hexdigest()})
        out.writestr("manifest.json", json.dumps(manifest))


@attack("owner-and-mode")
def owners(ground: Ground) -> Iterator[Finding]:
    """root runs `pin --reset` and `restore` for a service of another user: what they leave is that user's, in its old mode."""
    if os.geteuid() != 0:
        yield skipped("files of another user", "only root has them")
        return
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        board.operator(program).mark(1)
        config = str(board.config(program.port))
        board.vrhcab("backup", str(ground.folder / "b.zip"), "--config", config)
        program.stop()
    state, desk = board.journal.parent, board.journal.with_name("desk.json")
    for path in (state, *state.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    state.chmod(0o750)
    for mode in (0o600, 0o640):
        os.chown(desk, NOBODY, NOBODY)
        desk.chmod(mode)
        before = _who(desk)
        said = ended(board, "pin", "--reset", "--config", config)
        yield judged(
            f"`pin --reset` of a file of mode {mode:o}",
            f"{before} became {_who(desk)}; exit {said.status}",
            before,
            held=_who(desk) == before,
        )
    desk.unlink()
    ended(board, "pin", "--reset", "--config", config)
    made = _who(desk)
    yield judged(
        "`pin --reset` where no file was", made, "the folder's owner, mode 600", held=made == f"{NOBODY}:{NOBODY} 600"
    )
    strays = [path.name for path in state.rglob("*") if path.stat().st_uid != NOBODY]
    yield judged("other files of root beside it", ", ".join(strays) or "none", "none", held=not strays)
    for path in list(state.iterdir()):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    said = ended(board, "restore", str(ground.folder / "b.zip"), "--config", config)
    left = {path.name: _who(path) for path in state.rglob("*")}
    wrong = {
        name: who
        for name, who in left.items()
        if not who.startswith(f"{NOBODY}:{NOBODY} ") or who.endswith(("4", "5", "6", "7"))
    }
    yield judged(
        "`restore` into a folder of that user",
        f"{wrong or 'all right'}; exit {said.status}, {len(left)} files",
        "that user's, closed to others",
        held=not wrong and bool(left),
    )
    damaged = state / "damaged.sqlite3"
    shutil.copyfile(next(state.glob("journal*.sqlite3"), damaged), damaged)
    os.chown(damaged, NOBODY, NOBODY)
    ended(board, "restore", str(damaged))
    saved = state / "damaged-saved.sqlite3"
    yield judged(
        "`restore` of a damaged journal beside it",
        _who(saved),
        "that user's",
        held=_who(saved).startswith(f"{NOBODY}:"),
    )
    # Whatever the commands that only read leave behind must not keep the service from writing either.
    for given in (("doctor",), ("backup", str(ground.folder / "c.zip")), ("archive", "list")):
        if given[0] == "archive":
            given = ("archive", "--config", config, "import", str(ground.folder / "none.mat"))
        else:
            given = (*given, "--config", config)
        ended(board, *given)
    strays = [f"{path.name} {_who(path)}" for path in state.rglob("*") if path.stat().st_uid != NOBODY]
    yield judged(
        "files of root after doctor, backup, archive import", ", ".join(strays) or "none", "none", held=not strays
    )


def _who(path: Path) -> str:
    if not path.exists():
        return "not there"
    found = path.stat()
    return f"{found.st_uid}:{found.st_gid} {stat.S_IMODE(found.st_mode):o}"


@attack("pin-reset-while-running")
def reset_while_running(ground: Ground) -> Iterator[Finding]:
    """`pin --reset` while the game runs, and after it a restart: the new PIN holds, the old one does not."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        old = board.pin
        said = ended(board, "pin", "--reset", "--config", str(board.config(program.port)))
        new = (re.findall(r"\b(\d{6})\b", said.words) or [""])[0]
        command = operator.mark(1).status
        program.stop()
    with board.running() as program:
        program.wait_page()
        codes = post_pin(program.port, new, "127.0.0.3").status, post_pin(program.port, old, "127.0.0.4").status
    yield judged(
        "after a restart: new PIN, old PIN",
        f"{codes}; the game went on: {command}",
        "303 and 403",
        held=codes == (303, 403) and command in (200, 401),
    )


LOOKED_UP = re.compile(r"resolv\.conf|nsswitch|/etc/hosts|sin_port=htons\(53\)|/etc/services|nscd/socket")
REMOTE = re.compile(r"(?:connect|sendto|sendmsg)\(.*(?:AF_INET6?|sa_family=AF_INET).*")
LOOPBACK = re.compile(
    r'inet_addr\("(?:127\.|192\.0\.2\.)|inet_pton\(AF_INET6, "::1"|inet_pton\(AF_INET6, "::ffff:127\.'
)
"""192.0.2.0/24 is nobody's: a datagram socket is connected there to learn one's own address, and nothing is sent."""
MADE = re.compile(
    r"\b(?:open|openat|openat2|creat|mkdir|mkdirat|rename|renameat|renameat2|link|linkat|symlink|symlinkat)\((.*)"
)


@attack("calls-home")
def calls_home(ground: Ground) -> Iterator[Finding]:
    """A trace of system calls of read, transcribe, run, doctor and check: no name looked up, nobody called, no cache kept."""
    if shutil.which("strace") is None:
        yield skipped("a trace", "strace is not here: apt-get install strace")
        return
    frames = written(ground.folder / "frames", board_pictures(3, every=20)[0])
    picture = str(frames / "frame-0000.jpg")
    settings = f'[camera]\nsource = "frames:{frames}"\n[panel]\nkind = "virtual"\n'
    board = Board(ground.folder, settings)
    config = str(board.config(18_099))
    out = str(ground.folder / "out.mat")
    cases = {
        "read": ("read", picture),
        "transcribe": ("transcribe", str(frames), "-o", out),
        "check": ("check", out),
        "doctor": ("doctor", "--config", config),
        "run": ("run", "--config", config),
        "demo": ("demo", "--seed", "1", "--port", "18098"),
    }
    for what, given in cases.items():
        trace = ground.folder / f"{what}.strace"
        command = [
            "strace",
            "-f",
            "-qq",
            "-s",
            "300",
            "-o",
            str(trace),
            "-e",
            "trace=network,file",
            str(COMMAND),
            *given,
        ]
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=board.environment,
            start_new_session=True,
        )
        try:
            process.wait(ground.count(40, 25) if what in ("run", "demo") else 150)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        lines = trace.read_text("utf-8", "replace").splitlines()
        names = [line for line in lines if LOOKED_UP.search(line) and " = -1 ENOENT" not in line]
        calls = [line for line in lines if REMOTE.search(line) and not LOOPBACK.search(line) and "AF_UNIX" not in line]
        kept = sorted({path for line in lines for path in _written(line) if not _ours(path, ground.folder)})
        yield judged(
            f"`{what}`: names looked up, calls to others ({len(lines)} system calls)",
            f"{len(names)}, {len(calls)}: {_short([*names, *calls])}" if names or calls else "none",
            "none",
            held=not names and not calls and len(lines) > 100,
        )
        yield judged(f"`{what}`: files made elsewhere", ", ".join(kept)[:200] or "none", "none", held=not kept)
    home = [str(path.relative_to(ground.folder)) for path in (ground.folder / "home").rglob("*")]
    yield judged("left in the home folder", ", ".join(home)[:200] or "nothing", "nothing", held=not home)


def _written(line: str) -> list[str]:
    """Paths that a traced call makes or opens to write."""
    found = MADE.search(line)
    if found is None or " = -1 " in line:
        return []
    if re.search(r"\b(open|openat|openat2)\(", line) and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE", line):
        return []
    return re.findall(r'"(/[^"]*)"', line)


def _ours(path: str, folder: Path) -> bool:
    """In the folder of the attack, but not in the home folder there; or no file at all."""
    if path.startswith(str(folder / "home")):
        return False
    return path.startswith((str(folder), "/dev/", "/proc/self/", "/proc/")) or "/__pycache__" in path


def _short(lines: list[str]) -> str:
    return " | ".join(re.sub(r"\s+", " ", line)[:110] for line in lines[:3])


@attack("signals")
def signals(ground: Ground) -> Iterator[Finding]:
    """SIGHUP, SIGTERM, SIGINT, one after the other and many at once: a tidy stop, the log moved into the journal."""
    cases = {
        "SIGHUP": [signal.SIGHUP],
        "SIGTERM": [signal.SIGTERM],
        "SIGINT": [signal.SIGINT],
        "SIGHUP and SIGTERM": [signal.SIGHUP, signal.SIGTERM],
        "ten at once": [signal.SIGTERM, signal.SIGHUP, signal.SIGINT] * 3 + [signal.SIGTERM],
    }
    for number, (what, sent) in enumerate(cases.items()):
        board = Board(ground.folder / str(number))
        with board.running() as program:
            program.wait_page()
            board.operator(program).mark(number + 1)
            began = time.monotonic()
            for one in sent:
                if program.alive:
                    program.process.send_signal(one)
                time.sleep(0.02)
            try:
                code: int | None = program.process.wait(20)
            except subprocess.TimeoutExpired:
                code = None
            took = time.monotonic() - began
            output = program.output
        log = board.journal.with_name(board.journal.name + "-wal")
        left = log.stat().st_size if log.exists() else 0
        held = code == 0 and not left and "Traceback" not in output and took < 10
        yield judged(
            what,
            f"exit {code} after {took:.1f} s, {left} bytes in the log",
            "exit 0 within 10 s, no log left",
            held=held,
        )
    board = Board(ground.folder / "others")
    with board.running() as program:
        program.wait_page()
        operator = board.operator(program)
        for number, one in enumerate((signal.SIGPIPE, signal.SIGWINCH, signal.SIGCONT, signal.SIGURG)):
            program.process.send_signal(one)
            time.sleep(0.2)
            operator.mark(number + 1)
        program.process.send_signal(signal.SIGSTOP)
        time.sleep(1)
        program.process.send_signal(signal.SIGCONT)
        status = operator.mark(99).status
        yield judged(
            "SIGPIPE, SIGWINCH, SIGSTOP and SIGCONT",
            f"{'alive' if program.alive else 'ended'}, command {status}",
            "it goes on",
            held=status == 200,
        )
        foreign_reader(board.journal)


@attack("terminal-gone")
def terminal_gone(ground: Ground) -> Iterator[Finding]:
    """The terminal's other end is closed, or the disk of its log is full, while the game goes on."""
    board = Board(ground.folder)
    reader, writer = os.pipe()
    port = 18_097
    process = subprocess.Popen(
        [str(COMMAND), "run", "--config", str(board.config(port))], stdout=writer, stderr=writer, env=board.environment
    )
    os.close(writer)
    try:
        said, end = b"", time.monotonic() + 60
        while b"PIN" not in said and time.monotonic() < end:
            said += os.read(reader, 4096)
        board.pin = (re.findall(rb"PIN[^\d\n]{0,60}(\d{6})\b", said) or [b""])[0].decode()
        from benchmarks.attacking.program import sign_in

        time.sleep(2)
        operator = sign_in(port, board.pin)
        first = operator.mark(1).status
        os.close(reader)
        codes = [operator.mark(number).status for number in range(2, 6)]
        alive = process.poll() is None
    finally:
        process.kill()
        process.wait()
    yield judged(
        "commands after the terminal has gone",
        f"{first}, then {codes}; {'alive' if alive else f'ended {process.returncode}'}",
        "200 each",
        held=alive and codes == [200] * 4,
    )


@attack("advice-on-the-page")
def advice(ground: Ground) -> Iterator[Finding]:
    """The page's advice on a lost PIN names a command that works where the settings are in another file."""
    board = Board(ground.folder)
    with board.running() as program:
        program.wait_page()
        from benchmarks.attacking.program import fetch

        text = fetch(program.port, "/desk", headers={"Cookie": "lang=en"}).body.decode("utf-8", "replace")
        found = re.findall(r"[^<>\n]*pin --reset[^<>\n]*", text)
    yield told("what it says", " ".join(found)[:200])
    yield judged(
        "it names the settings",
        "yes" if any("--config" in one for one in found) else "no",
        "yes",
        held=any("--config" in one for one in found),
    )
