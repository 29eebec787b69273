"""Mosquitto and PostgreSQL for a while, in user space: own folders, own ports, nothing left behind.

For the demo, the tests and the measurements; a hall's hub uses the system's services.
"""

from __future__ import annotations

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from controller.config import HubConfig, WebConfig
from controller.hub.errors import HubError
from controller.hub.rights import first_rights, new_password, plugin_path, write_rights
from controller.hub.settings import BrokerSettings, DatabaseSettings, HubSettings
from controller.record.wire import LARGEST

PATIENCE_S = 60.0
HOW_MOSQUITTO = "Mosquitto is not here: sudo apt-get install mosquitto"
HOW_POSTGRES = "PostgreSQL is not here: sudo apt-get install postgresql"


PORTS = range(20_000, 32_000)
"""Below those that the system gives to outgoing connections: what is stopped and started again finds its port free."""


def free_port() -> int:
    """A port that nothing listens on."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def mosquitto_program() -> str | None:
    """Where it is, None where it is not."""
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def postgres_folder() -> Path | None:
    """The folder of PostgreSQL's programs, the newest version's; None where there is none. Debian keeps it off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def _user() -> dict[str, Any]:
    """As whom to start PostgreSQL, which root may not."""
    if os.geteuid():
        return {}
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise HubError("PostgreSQL does not run as root, and there is no other user. Start this as one.")


class Mosquitto:
    """A broker on a port of this machine. lines: more of its settings, such as files of passwords and rights."""

    def __init__(self, folder: Path, lines: tuple[str, ...], *, persistent: bool = False) -> None:
        """Raises HubError where it is not installed."""
        program = mosquitto_program()
        if program is None:
            raise HubError(HOW_MOSQUITTO)
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        self._program, self._settings, self._log = program, folder / "mosquitto.conf", folder / "mosquitto.log"
        kept = (f"persistence true\npersistence_location {folder}/", "autosave_interval 1") if persistent else ()
        text = (f"listener {self.port} 127.0.0.1", f"message_size_limit {LARGEST}", "user root", *kept, *lines)
        self._settings.write_text("\n".join(text) + "\n", "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begins to listen, where it does not yet. Raises HubError where it can't."""
        if self._process is not None:
            return
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._program, "-c", str(self._settings)], stdout=log, stderr=log, start_new_session=True
            )
        _wait(self._listens, self._process, self._log, "Mosquitto")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Ends, as that signal has it."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(PATIENCE_S)
            self._process = None


class Postgres:
    """A database cluster in a folder of its own, reached by a socket there and by a port of this machine."""

    def __init__(self, folder: Path) -> None:
        """Makes the cluster. Raises HubError where PostgreSQL is not installed, or can't."""
        programs = postgres_folder()
        if programs is None:
            raise HubError(HOW_POSTGRES)
        self.port, self._programs, self._user = free_port(), programs, _user()
        folder.mkdir(parents=True, exist_ok=True)
        self._data, self._log = folder / "data", folder / "postgres.log"
        self._data.mkdir(mode=0o700)
        if self._user:
            for path in (folder, self._data):
                os.chown(path, self._user["user"], self._user["group"])
        asked = f"{programs}/initdb -U vrhcab --auth=trust --encoding=UTF8 --locale=C --no-instructions -D".split()
        made = subprocess.run([*asked, str(self._data)], capture_output=True, text=True, cwd="/", **self._user)
        if made.returncode:
            raise HubError(f"PostgreSQL can't make its files ({made.stderr.strip().splitlines()[-1:]}).")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """For psycopg."""
        return f"host=127.0.0.1 port={self.port} user=vrhcab dbname=postgres"

    def start(self) -> None:
        """Answers when this returns. Raises HubError where it does not."""
        if self._process is not None:
            return
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
                 "-c", "unix_socket_directories=", "-c", "shared_buffers=32MB", "-c", "max_connections=100"],
                stdout=log, stderr=log, cwd="/", start_new_session=True, **self._user,
            )  # fmt: skip
        _wait(self._answers, self._process, self._log, "PostgreSQL")

    def _answers(self) -> bool:
        asked = [str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def kill(self) -> None:
        """As if its machine had lost power, as far as programs go: every one of its processes ends at once."""
        if self._process is None:
            return
        # Each of its processes has a group of its own, so they are found by their parent.
        others = _children(self._process.pid)
        self._process.send_signal(signal.SIGKILL)
        for one in others:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self._process.wait(PATIENCE_S)
        self._process = None
        end = time.monotonic() + PATIENCE_S
        while any(map(_runs, others)) and time.monotonic() < end:
            time.sleep(0.01)

    def stop(self) -> None:
        """Ends in an orderly way, without waiting for its clients."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE_S)
            self._process = None


def rights_lines(path: Path, passwords: Mapping[str, str]) -> tuple[str, ...]:
    """Settings of a broker that knows a hub and boards by these passwords. Raises HubError where its plugin is not installed."""
    plugin = plugin_path()
    if plugin is None:
        raise HubError(HOW_MOSQUITTO)
    write_rights(path, first_rights(passwords))
    return ("allow_anonymous false", f"plugin {plugin}", f"plugin_opt_config_file {path}")


class Hall:
    """A broker and a database for some boards, each with a password; all of it in one folder, while this is open."""

    def __init__(self, folder: Path, names: tuple[str, ...]) -> None:
        """Raises HubError where one of the two is not installed."""
        folder.chmod(0o755)  # The database belongs to another user where root starts this.
        self._passwords = {name: new_password() for name in ("hub", *names)}
        lines = (*rights_lines(folder / "rights.json", self._passwords), "max_queued_messages 10000")
        self.broker = Mosquitto(folder / "broker", lines)
        self.database = Postgres(folder / "database")

    def __enter__(self) -> Self:
        self.database.start()
        try:
            self.broker.start()
        except BaseException:
            self.database.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.broker.stop()
        self.database.stop()

    def settings(self, web: WebConfig, *, public: bool = True) -> HubSettings:
        """Of its hub."""
        broker = BrokerSettings(port=self.broker.port, password=self._passwords["hub"], tls=False)
        return HubSettings(public=public, broker=broker, database=DatabaseSettings(url=self.database.url), web=web)

    def board(self, name: str) -> HubConfig:
        """What a board of it has in its settings."""
        address = f"127.0.0.1:{self.broker.port}"
        return HubConfig(address=address, name=name, password=self._passwords[name], tls=False)


def _stat(pid: int) -> list[str]:
    """Of a process, from its state on (proc(5)); nothing where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def _children(parent: int) -> list[int]:
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if (found := _stat(pid)) and int(found[1]) == parent]


def _runs(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"])


def _wait(ready: Any, process: subprocess.Popen[bytes], log: Path, name: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            last = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
            raise HubError(f"{name} did not start ({' '.join(last)}).")
        time.sleep(0.02)
