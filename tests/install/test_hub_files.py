"""What the hub's installer puts on a machine: checked by the system's own tools, by the broker, and against the program."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import trustme

from controller.config import HubConfig
from controller.hub.rights import first_rights, plugin_path, write_rights
from controller.hub.services import HOW_POSTGRES, Mosquitto, Postgres, mosquitto_program, postgres_folder
from controller.hub.settings import load_hub_settings
from controller.hub.store import Store, migrations
from controller.run.outbox import Outbox
from controller.run.simulated_boards import SimulatedBoard
from tests.hub.table import eventually
from vision.sentence import Sentence

INSTALL = Path(__file__).resolve().parents[2] / "install"
UNITS = ("vrhcab-hub.service", "vrhcab-hub-backup.service", "vrhcab-hub-backup.timer")


@pytest.mark.parametrize("name", ["install-hub.sh", "uninstall-hub.sh", "vrhcab-hub"])
def test_scripts_are_clean(name: str) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not here: sudo apt-get install shellcheck")
    checked = subprocess.run(["shellcheck", "-x", str(INSTALL / name)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here: sudo apt-get install systemd")
    for name in UNITS:
        text = (INSTALL / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace("/opt/vrhcab-hub/current/bin/vrhcab", "/bin/true"), "utf-8")
    for name in ("postgresql.service", "mosquitto.service"):
        (tmp_path / name).write_text("[Service]\nExecStart=/bin/true\n", "utf-8")
    more = tmp_path / "mosquitto.service.d" / "vrhcab.conf"
    more.parent.mkdir()
    shutil.copy(INSTALL / "vrhcab-hub-files.conf", more)
    files = [str(tmp_path / name) for name in (*UNITS, "mosquitto.service")]
    verified = subprocess.run(
        ["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=60, check=False
    )
    assert [line for line in verified.stderr.splitlines() if "vrhcab" in line] == []


def test_uninstalling_takes_off_what_was_installed_and_keeps_the_data() -> None:
    installer, remover = ((INSTALL / name).read_text("utf-8") for name in ("install-hub.sh", "uninstall-hub.sh"))
    for unit in UNITS:
        assert unit in installer
        assert unit in remover
    for path in ("/usr/local/bin/vrhcab-hub", "/opt/vrhcab-hub", "mosquitto.service.d/vrhcab.conf"):
        assert path in installer
        assert path in remover
    assert not re.search(r"rm .*(/var/lib|/etc/vrhcab|passwords)", remover)


def test_the_settings_that_are_installed_are_settings() -> None:
    settings = load_hub_settings(INSTALL / "hub.toml")
    assert settings.broker.tls
    assert not settings.public
    assert settings.web.certificate == "/var/lib/vrhcab/vrhcab.pem"


def test_a_board_gets_through_the_broker_that_is_installed(tmp_path: Path) -> None:
    if mosquitto_program() is None:
        pytest.skip("mosquitto is not here: sudo apt-get install mosquitto")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "hub.crt"))
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "hub.pem"))
    password = "the board's password"
    write_rights(tmp_path / "vrhcab-rights.json", first_rights({"hub": "the hub's", "board-1": password}))
    text = (INSTALL / "vrhcab-hub.mosquitto").read_text("utf-8").replace("@PLUGIN@", str(plugin_path()))
    text = text.replace("/etc/mosquitto", str(tmp_path)).replace("/var/lib/mosquitto", str(tmp_path))
    lines = [line for line in text.splitlines() if not line.startswith(("listener", "message_size_limit"))]
    # Here the listener comes first; the setting that tells listeners apart stands before it in the file that is installed.
    broker = Mosquitto(tmp_path / "broker", tuple(line for line in lines if not line.startswith("per_listener")))
    broker.start()
    said: list[str] = []
    board = SimulatedBoard(tmp_path / "board", 1)
    try:
        address = f"localhost:{broker.port}"
        config = HubConfig(address=address, name="board-1", password=password, ca=str(tmp_path / "hub.crt"))
        with Outbox(config, board.journal, said.append):
            eventually(lambda: any("connected to localhost" in sentence for sentence in said))
    finally:
        board.close()
        broker.stop()


@pytest.fixture
def database() -> Iterator[Postgres]:
    if postgres_folder() is None:
        pytest.skip(HOW_POSTGRES)
    with tempfile.TemporaryDirectory(prefix="vrhcab-backup-") as folder:
        Path(folder).chmod(0o755)
        made = Postgres(Path(folder) / "database")
        made.start()
        yield made
        made.stop()


def test_each_night_who_may_speak_at_the_broker_is_kept_beside_the_database(tmp_path: Path) -> None:
    unit = (INSTALL / "vrhcab-hub-backup.service").read_text("utf-8")
    start = next(line for line in unit.splitlines() if line.startswith("ExecStart=")).partition("=")[2]
    script = shlex.split(start.replace("$$", "$").replace("%%", "%"))
    given, folder = tmp_path / "given", tmp_path / "backups"
    given.mkdir()
    folder.mkdir()
    (given / "rights").write_text("{}")
    dump = tmp_path / "pg_dump"
    dump.write_text('#!/bin/sh\nfor one; do case "$one" in --file=*) echo dumped > "${one#--file=}";; esac; done\n')
    dump.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "CREDENTIALS_DIRECTORY": str(given)}
    subprocess.run(script, cwd=folder, env=environment, check=True)
    assert {path.suffixes[-1]: path.read_text() for path in folder.iterdir()} == {".dump": "dumped\n", ".json": "{}"}
    # Without the database there is no dump by its own name.
    dump.write_text("#!/bin/sh\nexit 1\n")
    shutil.rmtree(folder)
    folder.mkdir()
    assert subprocess.run(script, cwd=folder, env=environment, check=False).returncode != 0
    assert list(folder.glob("*.dump")) == []


def test_a_backup_is_restored_as_the_guide_says(
    database: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one of before an update, which knows nothing of what later versions have made: tables among it would stay."""
    where = ["-h", "127.0.0.1", "-p", str(database.port), "-U", "vrhcab"]
    programs = postgres_folder()
    assert programs is not None
    unit = (INSTALL / "vrhcab-hub-backup.service").read_text("utf-8")
    assert "pg_dump --format=custom" in unit
    assert "pg_restore --clean --if-exists" in (INSTALL / "install-hub.sh").read_text("utf-8")
    known, file = migrations(), str(tmp_path / "hub.dump")
    for version in (9, known[-1][0]):
        with monkeypatch.context() as then:
            then.setattr(
                "controller.hub.store.migrations", lambda version=version: [one for one in known if one[0] <= version]
            )
            store = Store(database.url)
        with store.transaction():
            store.notice("board-1", "kind", Sentence("A sentence."))
        store.close()
        subprocess.run([f"{programs}/pg_dump", *where, "--format=custom", f"--file={file}", "postgres"], check=True)
        Store(database.url).close()
        with psycopg.connect(database.url) as connection:
            connection.execute("delete from notices")
        subprocess.run([f"{programs}/pg_restore", *where, "--clean", "--if-exists", "-d", "postgres", file], check=True)
        with psycopg.connect(database.url) as connection:
            assert connection.execute("select sentence from notices").fetchall() == [("A sentence.",)]
        Store(database.url).close()
        with psycopg.connect(database.url) as connection:
            connection.execute("delete from notices")
    assert "goes into an empty database" in (INSTALL.parent / "docs" / "hub.md").read_text("utf-8")
    first, empty = (f"{database.url} dbname={name}" for name in ("first", "empty"))
    for name in ("first", "empty"):
        subprocess.run([f"{programs}/createdb", *where, "-T", "template0", name], check=True)
    with monkeypatch.context() as then:
        then.setattr("controller.hub.store.migrations", lambda: known[:1])
        Store(first).close()
    with psycopg.connect(first) as connection:
        connection.execute("insert into notices (board, kind, sentence) values ('board-1', 'kind', 'A sentence.')")
    subprocess.run([f"{programs}/pg_dump", *where, "--format=custom", f"--file={file}", "first"], check=True)
    subprocess.run([f"{programs}/pg_restore", *where, "--clean", "--if-exists", "-d", "empty", file], check=True)
    Store(empty).close()
    with psycopg.connect(empty) as connection:
        assert connection.execute("select sentence from notices").fetchall() == [("A sentence.",)]
