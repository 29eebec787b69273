"""The program as a user starts it, in a folder of its own; its operator, and plain HTTP to its page from any loopback address."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("vrhcab")
LEASH = ("setpriv", "--pdeathsig", "KILL", "--") if shutil.which("setpriv") else ()
"""What is started ends when the attacker is killed."""
PATIENCE = 90.0
"""Seconds that a busy machine may need to start the program."""
SPEAKING = (
    '[camera]\nsource = "none"\n[match]\nlength = 0\n[panel]\nkind = "virtual"\n[rules]\ndevice.role = "monitor"\n'
)
"""Settings of a board that is kept by hand. A silent recorder lights no lamps, and keeps its records to itself."""
ANSWER_S = 60.0
"""Seconds after which a request counts as not answered."""
FORMS = ("mat", "sgf", "json", "csv", "txt")
"""Endings of the page's exports."""


def free_port() -> int:
    """A port that nothing uses, below those that the system gives to thousands of clients."""
    while True:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass(frozen=True)
class Reply:
    """An answer of the page; status 0: none came, and body says why. headers: by name in small letters; seconds: from connecting
    to the last byte."""

    status: int
    body: bytes
    headers: Mapping[str, str]
    seconds: float

    @property
    def json(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


def fetch(
    port: int,
    path: str,
    method: str = "GET",
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    source: str = "127.0.0.1",
    timeout: float = ANSWER_S,
) -> Reply:
    """One request on a connection of its own. source: the loopback address that it comes from."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=(source, 0))
    try:
        connection.request(method, path, body, dict(headers or {}))
        answer = connection.getresponse()
        read = answer.read()
        return Reply(answer.status, read, {k.lower(): v for k, v in answer.getheaders()}, time.monotonic() - began)
    except (OSError, http.client.HTTPException) as error:
        return Reply(0, repr(error).encode(), {}, time.monotonic() - began)
    finally:
        connection.close()


def raw(port: int, sent: bytes, seconds: float = 5.0, source: str = "127.0.0.1") -> bytes:
    """What comes back for these bytes until the other side closes or is silent for so long."""
    got = b""
    with closing(socket.create_connection(("127.0.0.1", port), seconds, (source, 0))) as line:
        try:
            line.sendall(sent)
            while part := line.recv(65536):
                got += part
        except OSError:
            pass
    return got


def open_stream(port: int, path: str, seconds: float, headers: str = "") -> bytes:
    """What a stream says in so many seconds."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    return raw(port, f"GET {path} HTTP/1.1\r\n{host}{headers}\r\n".encode(), seconds)


@dataclass
class Operator:
    """Somebody signed in at the desk. cookie: as the page set it; slowest: seconds of commands, in their order."""

    port: int
    cookie: str
    token: str
    source: str = "127.0.0.1"
    slowest: list[float] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        """What each change carries."""
        return {
            "Cookie": self.cookie,
            "X-CSRF-Token": self.token,
            "Origin": f"http://127.0.0.1:{self.port}",
            "Content-Type": "application/json",
        }

    def get(self, path: str, timeout: float = ANSWER_S) -> Reply:
        """A page or a list as an operator sees it."""
        return fetch(self.port, path, headers={"Cookie": self.cookie}, source=self.source, timeout=timeout)

    def post(self, path: str, body: bytes, timeout: float = ANSWER_S, **headers: str) -> Reply:
        """A change."""
        return fetch(self.port, path, "POST", body, self.headers | headers, self.source, timeout)

    def say(self, kind: str, **fields: Any) -> Reply:
        """One command of the desk; see docs/page.md."""
        reply = self.post("/api/command", json.dumps({"type": kind, **fields}).encode())
        self.slowest.append(reply.seconds)
        return reply

    def mark(self, number: int) -> Reply:
        """A command that leaves exactly one event, by which it can be told from all others: a score of this number."""
        return self.say("score", light=number // 1000, dark=number % 1000)


def cookie_of(reply: Reply) -> str:
    """The cookie that an answer sets; "" for none."""
    return reply.headers.get("set-cookie", "").split(";")[0]


def post_pin(port: int, pin: str, source: str = "127.0.0.1") -> Reply:
    """What the desk answers to a PIN."""
    form = urllib.parse.urlencode({"pin": pin}).encode()
    headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/x-www-form-urlencoded"}
    return fetch(port, "/desk", "POST", form, headers, source)


def sign_in(port: int, pin: str, source: str = "127.0.0.1") -> Operator:
    """Raises RuntimeError where the desk does not let this PIN in."""
    reply = post_pin(port, pin, source)
    cookie = cookie_of(reply)
    for page in ("/desk", "/setup"):
        shown = fetch(port, page, headers={"Cookie": cookie + "; lang=en"}, source=source)
        found = re.search(rb'name="csrf" content="([^"]+)"', shown.body)
        if found:
            return Operator(port, cookie, found[1].decode(), source)
    raise RuntimeError(f"The desk did not let the operator in: {reply.status} {shown.status} {shown.body[:300]!r}")


def marks_in(view: Mapping[str, Any]) -> int:
    """The number of the newest mark that a view shows."""
    return int(view["light"]["score"]) * 1000 + int(view["dark"]["score"])


class Program:
    """A running vrhcab."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path, port: int) -> None:
        self.process, self._log, self.port = process, log, port

    @property
    def output(self) -> str:
        """All that it has said, both streams."""
        with suppress(FileNotFoundError):
            return self._log.read_text("utf-8", "replace")
        return ""

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.poll() is None

    def state(self, query: str = "", timeout: float = ANSWER_S) -> dict[str, Any] | None:
        """The page's newest view; None where there is none."""
        found = fetch(self.port, "/api/state" + query, timeout=timeout).json
        return found if isinstance(found, dict) and "sequence" in found else None

    def wait_page(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The first view. Raises RuntimeError with the program's words where none comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.alive:
            view = self.state(timeout=5)
            if view is not None:
                return view
            time.sleep(0.05)
        raise RuntimeError(f"No page after {seconds:.0f} s, status {self.process.poll()}: {self.output[-600:]}")

    def wait_served(self, seconds: float = PATIENCE) -> None:
        """Waits for the page alone, whether viewers may see anything yet or not. Raises RuntimeError."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.alive:
            if fetch(self.port, "/healthz", timeout=5).status == 200:
                return
            time.sleep(0.05)
        raise RuntimeError(f"No page after {seconds:.0f} s, status {self.process.poll()}: {self.output[-600:]}")

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def stop(self, number: int = signal.SIGTERM, seconds: float = 30.0) -> int | None:
        """Sends a signal; the exit status, None where it goes on."""
        self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def resident(self) -> float:
        """MB of memory that it holds."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1])
        except (OSError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def written(self) -> int:
        """Bytes that it has sent to disks, by the kernel's count."""
        try:
            text = Path(f"/proc/{self.process.pid}/io").read_text("ascii")
        except OSError:
            return 0
        return int(re.findall(r"^write_bytes: (\d+)", text, re.M)[0])

    def spooled(self) -> int:
        """Bytes in open files that have no name any more, and in its folder of temporary files."""
        total = 0
        try:
            for entry in os.scandir(f"/proc/{self.process.pid}/fd"):
                try:
                    name = os.readlink(entry.path)
                    if name.endswith("(deleted)") or "/tmp-of-it/" in name:
                        total += os.stat(entry.path).st_size
                except OSError:
                    continue
        except OSError:
            return total
        return total


@dataclass
class Board:
    """One table: its folder, settings, and PIN. settings: TOML text without the port and the journal's path."""

    folder: Path
    settings: str = '[camera]\nsource = "none"\n[match]\nlength = 0\n[panel]\nkind = "virtual"\n'
    pin: str = ""
    journal: Path = Path()

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.journal == Path():
            self.journal = self.folder / "state" / "journal.sqlite3"
        (self.folder / "home").mkdir(exist_ok=True)
        (self.folder / "tmp-of-it").mkdir(exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        """Of every process that is started here."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "NOTIFY", "WATCHDOG"))}
        return kept | {
            "XDG_STATE_HOME": str(self.folder / "xdg"),
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp-of-it"),
            "PYTHONUNBUFFERED": "1",
        }

    def config(self, port: int = 8080, journal: Path | None = None, web: str = "") -> Path:
        """The settings file, written anew."""
        path = self.folder / f"vrhcab-{port}.toml"
        text = f'{self.settings}\n[journal]\npath = "{journal or self.journal}"\n[web]\nport = {port}\npublic_lists = true\n{web}\n'
        path.write_text(text, "utf-8")
        return path

    @contextmanager
    def running(
        self,
        *,
        web: str = "",
        before: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        journal: Path | None = None,
        arguments: Sequence[str] | None = None,
    ) -> Iterator[Program]:
        """`vrhcab run --config` here; killed at the end. before: a command in front of it (prlimit); arguments: instead of run."""
        port = free_port()
        log = self.folder / f"output-{port}-{time.monotonic_ns()}.txt"
        if arguments is None:
            arguments = ("run", "--config", str(self.config(port, journal, web)))
        else:
            arguments = (*arguments, "--port", str(port))
        command = [*LEASH, *before, str(COMMAND), *arguments]
        with log.open("ab") as out:
            process = subprocess.Popen(
                command,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=self.environment | dict(environment or {}),
                # A signal of the attacker's own terminal is none of its business.
                start_new_session=True,
            )
        program = Program(process, log, port)
        try:
            yield program
        finally:
            process.kill()
            process.wait()
            self._learn(program)

    def operator(self, program: Program, source: str = "127.0.0.1") -> Operator:
        """Signs in with the PIN that the first start has said."""
        self._learn(program)
        return sign_in(program.port, self.pin, source)

    def _learn(self, program: Program) -> None:
        found = re.search(r"PIN[^\d\n]{0,60}(\d{6})\b", program.output)
        if found:
            self.pin = found[1]

    def vrhcab(
        self, *arguments: str, seconds: float = 60.0, before: Sequence[str] = (), stdin: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """A command that ends; status 124 where it does not within so many seconds."""
        command = [*before, str(COMMAND), *arguments]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment
        )
        try:
            out, err = process.communicate(stdin, seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return subprocess.CompletedProcess(command, 124, out, err)
        return subprocess.CompletedProcess(command, process.returncode, out, err)


class Notified:
    """systemd's side of the watchdog: a socket of its own; what came over it, and when."""

    LIMIT_S = 20.0

    def __init__(self, folder: Path) -> None:
        # A short path: the kernel takes 107 letters.
        self._path = Path("/tmp") / f"vrhcab-notify-{os.getpid()}-{time.monotonic_ns() % 10**9}"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(self._path))
        self._line.settimeout(0.5)
        self.fed: list[float] = []
        self._open = True
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def environment(self) -> dict[str, str]:
        """For the program."""
        return {"NOTIFY_SOCKET": str(self._path), "WATCHDOG_USEC": str(int(self.LIMIT_S * 1e6))}

    def longest(self, since: float) -> float:
        """Longest silence between two signs of life from then to now, s."""
        times = [since, *(at for at in self.fed if at > since), time.monotonic()]
        return max(b - a for a, b in pairwise(times))

    def _listen(self) -> None:
        while self._open:
            try:
                message = self._line.recv(4096)
            except TimeoutError:
                continue
            except OSError:
                return
            if b"WATCHDOG=1" in message:
                self.fed.append(time.monotonic())

    def close(self) -> None:
        """Takes the socket away."""
        self._open = False
        self._thread.join(2)
        self._line.close()
        self._path.unlink(missing_ok=True)


def journal_copy(journal: Path, folder: Path) -> Path:
    """A copy of a journal's files, byte by byte, beside which SQLite may do what it likes."""
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("", "-wal"):
        source = journal.with_name(journal.name + suffix)
        target = folder / ("copy.sqlite3" + suffix)
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copyfile(source, target)
    (folder / "copy.sqlite3-shm").unlink(missing_ok=True)
    return folder / "copy.sqlite3"
