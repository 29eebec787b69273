"""The computer's own troubles, read from a made-up /sys, /dev and made-up system commands."""

from __future__ import annotations

import errno
import shlex
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.config import PanelConfig, config_from, places
from controller.doctor import machine as looks
from controller.doctor import panel
from controller.doctor.bundle import write_bundle
from controller.doctor.examine import examine
from controller.doctor.finding import Finding, in_words
from controller.doctor.machine import Machine
from controller.record.journal import Journal
from tests.programs import free_port
from tests.web.views import start_view
from web.app import Audience, create_app
from web.delay import Delay
from web.hub import ViewHub
from web.server import serve


@pytest.fixture(autouse=True)
def _state_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may have games of his own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


class Pi(Machine):
    """A machine that answers one system command."""

    def __init__(self, root: Path, answer: str | None = None) -> None:
        super().__init__(root)
        object.__setattr__(self, "answer", answer)

    def output_of(self, *command: str) -> str | None:
        return str(self.answer) if self.answer is not None else None  # type: ignore[attr-defined]


def at(root: Path, millidegrees: int) -> Machine:
    zone = root / "sys/class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text(f"{millidegrees}\n", "utf-8")
    return Machine(root)


@pytest.mark.parametrize(("degrees", "level"), [(48.5, "ok"), (70.0, "warning"), (79.9, "warning"), (83.2, "problem")])
def test_a_hot_processor(tmp_path: Path, degrees: float, level: str) -> None:
    found = looks.temperature(at(tmp_path, int(degrees * 1000)))
    assert found.level == level
    assert f"{degrees:.0f} °C" in found.sentence
    assert bool(found.do) == (level != "ok")


def test_a_machine_without_a_thermometer(tmp_path: Path) -> None:
    assert looks.temperature(Machine(tmp_path)).level == "note"


@pytest.mark.parametrize(
    ("said", "level", "words"),
    [
        ("throttled=0x0", "ok", "full speed"),
        ("throttled=0x50000", "warning", "at times the voltage is too low, the processor is slowed down"),
        ("throttled=0x50005", "problem", "Right now the voltage is too low"),
        ("throttled=0x80008", "problem", "Right now it is too hot"),
        ("VCHI initialization failed", "note", "Only a Raspberry Pi"),
        (None, "note", "Only a Raspberry Pi"),
    ],
)
def test_throttling_bits_in_words(tmp_path: Path, said: str | None, level: str, words: str) -> None:
    found = looks.throttling(Pi(tmp_path, said))
    assert found.level == level
    assert words in found.sentence


def test_low_voltage_asks_for_a_power_supply_and_heat_for_air(tmp_path: Path) -> None:
    assert "power supply" in looks.throttling(Pi(tmp_path, "throttled=0x10000")).do
    assert "fan" in looks.throttling(Pi(tmp_path, "throttled=0x80000")).do


@pytest.mark.parametrize(("free", "level"), [(50e9, "ok"), (0.9e9, "warning"), (0.1e9, "problem")])
def test_a_filling_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, level: str) -> None:
    usage = type("usage", (), {"free": free})
    monkeypatch.setattr(looks.shutil, "disk_usage", lambda folder: usage)
    assert looks.disk(tmp_path / "not" / "yet" / "journal.sqlite3").level == level


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks.os, "access", lambda path, mode: False)
    found = looks.disk(tmp_path / "journal.sqlite3")
    assert (found.level, str(tmp_path) in found.sentence) == ("problem", True)
    (tmp_path / "notes.txt").write_text("", "utf-8")
    found = looks.disk(tmp_path / "notes.txt" / "journal.sqlite3")
    assert (found.level, found.sentence[-44:]) == (
        "problem",
        "notes.txt is no folder, so no journal can lie in it."[-44:],
    )


@pytest.mark.parametrize(
    ("now", "said", "level"),
    [(0.0, None, "problem"), (1.8e9, "no", "warning"), (1.8e9, "yes", "ok"), (1.8e9, None, "note")],
)
def test_a_clock_nobody_set(tmp_path: Path, now: float, said: str | None, level: str) -> None:
    assert looks.clock(Pi(tmp_path, said), now).level == level


def test_a_port_that_another_program_has_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        found = looks.network("127.0.0.1", other.getsockname()[1])
    assert (found.level, found.do[:19]) == ("problem", "Choose another port")


def test_a_port_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "_hindrance", lambda host, port: PermissionError(errno.EACCES, "") if port else None)
    found = looks.network("127.0.0.1", 80)
    assert (found.level, found.sentence[:36]) == ("warning", "Port 80 is reserved for the system: ")


@pytest.mark.parametrize("host", ["999.1.1.1", "192.0.2.1", "no such machine"])
def test_a_host_of_another_machine(host: str) -> None:
    found = looks.network(host, 8080)
    assert (found.level, found.sentence) == ("problem", f'"{host}" is no address of this machine.')


def test_who_sees_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "_hindrance", lambda host, port: None)
    assert "Only this machine" in looks.network("127.0.0.1", 8080).sentence
    monkeypatch.setattr(looks, "_own_address", lambda: "192.168.7.5")
    assert "http://192.168.7.5:8080" in looks.network("0.0.0.0", 8080).sentence
    assert "https://192.168.7.5:8080" in looks.network("0.0.0.0", 8080, https=True).sentence
    assert "http://127.0.0.2:8080" not in looks.network("127.0.0.2", 8080).sentence
    monkeypatch.setattr(looks, "_is_here", lambda host: True)
    assert "http://10.42.0.1:8080" in looks.network("10.42.0.1", 8080).sentence
    assert "http://[fd00::5]:8080" in looks.network("fd00::5", 8080).sentence
    monkeypatch.setattr(looks, "_own_address", lambda: None)
    assert looks.network("0.0.0.0", 8080).level == "warning"
    assert looks.network("10.42.0.1", 8080).level == "ok"


def test_a_header_is_a_problem_only_where_the_settings_use_it(tmp_path: Path) -> None:
    assert panel.header(PanelConfig(), Machine(tmp_path)).level == "note"
    missing = panel.header(PanelConfig(kind="gpio"), Machine(tmp_path))
    assert (missing.level, "no GPIO" in missing.sentence) == ("problem", True)


def test_a_pin_map_in_conflict_is_told(tmp_path: Path) -> None:
    found = panel.header(PanelConfig(kind="gpio", pins={"undo": 17}), Machine(tmp_path))
    assert found.level == "problem"
    assert "both turn_light and undo on GPIO 17" in found.sentence


@pytest.mark.parametrize(("library", "level"), [("lgpio", "ok"), (None, "problem")])
def test_pins_need_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str | None, level: str) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    monkeypatch.setattr(panel.gpio, "real_library", lambda name: library)
    assert panel.header(PanelConfig(kind="gpio"), Machine(tmp_path)).level == level


class Pins:
    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("settings", "level", "words"),
    [
        (PanelConfig(kind="gpio", pin_factory="mock"), "note", "simulated"),
        (PanelConfig(kind="gpio", pin_factory="lgpio"), "problem", "can't be reached through lgpio"),
        (PanelConfig(kind="gpio", pin_factory="rpigpio"), "ok", "through rpigpio"),
        (PanelConfig(kind="gpio"), "ok", "through rpigpio"),
        (PanelConfig(pin_factory="lgpio"), "ok", "through rpigpio"),
    ],
)
def test_pins_are_reached_as_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: PanelConfig, level: str, words: str
) -> None:
    def factory(name: str) -> Pins:
        if name != "rpigpio":
            raise ImportError(name)
        return Pins()

    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    monkeypatch.setattr(panel.gpio, "_real_factory", factory)
    found = panel.header(settings, Machine(tmp_path))
    assert (found.level, words in found.sentence) == (level, True), found


def test_findings_in_words_say_what_to_do_below() -> None:
    text = in_words([Finding("disk", "problem", "Full.", "Make room."), Finding("clock", "ok", "Set.")])
    assert text.splitlines() == [
        "[FAIL] disk         Full.",
        "                     -> Make room.",
        "[ ok ] clock        Set.",
    ]


@pytest.mark.parametrize(("camera", "level"), [("ok", "ok"), ("The camera 0 has stopped giving pictures.", "problem")])
def test_a_running_referee_is_asked_for_its_camera(camera: str, level: str) -> None:
    hub = ViewHub()
    hub.publish(replace(start_view(), camera=camera))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        config = config_from({"web": {"port": server.port}, "camera": {"source": "camera:/dev/no-such-camera"}})
        found = next(examine(config))
        assert looks.network("127.0.0.1", server.port).level == "note"
    assert (found.check, found.level) == ("camera", level)
    assert "running referee" in found.sentence
    assert (camera in found.sentence) == (camera != "ok")


@pytest.mark.parametrize("demo", [True, False])
def test_a_demo_is_no_running_referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo: bool) -> None:
    """Whoever runs it, and the referee is none where a demo runs beside it, at another port."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    hub = ViewHub()
    hub.publish(start_view())
    beside = tmp_path / "vrhcab" / f"{'journal' if demo else 'demo-1-some-3'}.sqlite3"
    with serve(create_app(hub, demo=demo), "127.0.0.1", 0) as server, Journal(beside):
        settings = config_from({"web": {"port": server.port}, "camera": {"source": "camera:/dev/no-such-camera"}})
        camera, *_, network = examine(settings)
    if demo:
        assert (camera.level, "no-such-camera" in camera.sentence) == ("problem", True)
        assert (network.level, network.sentence) == ("problem", f"Port {settings.web.port} is taken by a demo.")
    else:
        assert (camera.sentence[:32], network.level) == ("The running referee has the came", "note")


@pytest.mark.parametrize("host", ["::1", "127.0.0.2"])
def test_a_running_referee_is_found_at_whatever_address_it_serves(host: str) -> None:
    hub = ViewHub()
    hub.publish(start_view())
    with serve(create_app(hub), host, 0) as server:
        config = config_from(
            {"web": {"host": host, "port": server.port}, "camera": {"source": "camera:/dev/no-such-camera"}}
        )
        assert "running referee" in next(examine(config)).sentence
        assert looks.network(host, server.port).level == "note"


def test_a_running_referee_whose_viewers_see_the_board_later() -> None:
    hub = ViewHub()
    hub.publish(start_view())
    with serve(create_app(hub, audience=Audience(Delay(600.0))), "127.0.0.1", 0) as server:
        web = {"port": server.port, "delay_s": 600.0}
        found = next(examine(config_from({"web": web, "camera": {"source": "camera:/dev/no-such-camera"}})))
        assert looks.network("127.0.0.1", server.port).level == "note"
        hub.hang_up()
    assert (found.level, "the desk shows" in found.sentence) == ("note", True)


def test_the_camera_that_somebody_has_chosen_is_looked_at(tmp_path: Path) -> None:
    settings = {"source": "camera:/dev/no-such-camera"}
    config = config_from(
        {"camera": settings, "web": {"port": free_port()}, "journal": {"path": str(tmp_path / "games.sqlite3")}}
    )
    (tmp_path / "camera.json").write_text(
        '{"source": "camera:/dev/another-camera", "instead_of": "camera:/dev/no-such-camera"}', "utf-8"
    )
    assert "another-camera" in next(examine(config)).sentence


def test_a_running_referee_says_what_makes_its_pictures_hard_to_read() -> None:
    weak = ("Too dark: grain is 20 % of the board's contrast, 14 % may be.", "Put a lamp over the board.")
    hub = ViewHub()
    hub.publish(replace(start_view(), picture=(weak,)))
    with serve(create_app(hub), "127.0.0.1", 0) as server:
        config = config_from({"web": {"port": server.port}, "camera": {"source": "camera:/dev/no-such-camera"}})
        camera, picture = islice(examine(config), 2)
    assert camera.level == "ok"
    assert (picture.check, picture.level, picture.sentence, picture.do) == ("picture", "warning", *weak)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"rules": {"preset": "Match"}}, "There is no rule set 'Match'."),
        ({"rules": {"cube": {"foo": 1}}}, "There is no rule cube.foo"),
        ({"rules": {"clock": {"delay_s": float("nan")}}}, "Rule clock.delay_s must be a whole number"),
        ({"rules": {"preset": "money", "device": {"role": "coach"}}}, "Nobody is coached in a match for stakes."),
        ({"match": {"length": 0, "clock": True}}, "Single games have no clock"),
        ({"rules": {"preset": "money"}, "match": {"clock": True}}, "Single games have no clock"),
        ({"web": {"key": "vrhcab.key"}}, "The settings have a key for https and no certificate."),
        ({"web": {"certificate": "none.pem"}}, "The certificate none.pem can't be read"),
        ({"journal": {"path": "notes.txt"}}, "notes.txt is not a journal"),
        ({"journal": {"path": "folder"}}, "folder can't be the journal: it is a folder"),
        (
            {"journal": {"path": "damaged/games.sqlite3"}},
            "The desk's PIN file damaged/desk.json is damaged. Make a new PIN with: vrhcab pin --reset (with --config or ",
        ),
        ({"hub": {"address": "hub.local", "ca": "hub.crt"}}, "The authority of the hub, [hub] ca = 'hub.crt'"),
    ],
)
def test_settings_with_which_no_referee_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, dict[str, object]], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("White won, 7-5.\n", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "desk.json").write_text("{", "utf-8")
    kept = {"journal": {"path": "games.sqlite3"}, "camera": {"source": "none"}}
    found = list(examine(config_from(kept | settings)))
    assert [one.sentence[: len(sentence)] for one in found if one.check == "settings"] == [sentence]
    assert {one.check for one in found} >= {"camera", "network"}
    assert {one.level for one in found if one.check == "settings"} == {"problem"}
    assert not [one for one in examine(config_from(kept)) if one.check == "settings"]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"mqtt": {"host": "localhost"}}, "The settings name an MQTT broker, but its library is not here"),
        ({"hub": {"address": "hub.local"}}, "This board belongs to a hub, but the library that reaches it is not here"),
    ],
)
def test_a_broker_needs_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, dict[str, object]], sentence: str
) -> None:
    for module in ("controller.run.mqtt", "controller.run.outbox"):
        monkeypatch.setitem(sys.modules, module, None)
    kept = {"journal": {"path": str(tmp_path / "games.sqlite3")}, "camera": {"source": "none"}}
    found = [one for one in examine(config_from(kept | settings)) if one.check == "settings"]
    assert [(one.level, one.sentence[: len(sentence)]) for one in found] == [("problem", sentence)]
    assert found[0].sentence.endswith(f"Install it: {shlex.quote(sys.executable)} -m pip install 'vrhcab[mqtt]'")


@pytest.mark.parametrize(
    ("name", "corners", "sentence"),
    [
        ("hub.json", None, "{folder}/hub.json, which says what hub this board has joined, can't be read."),
        ("table.json", None, "{folder}/table.json does not say where the board lies"),
        ("notes.txt", "1,1 2,2 3,3 4,4", "The corners cross or lie on one line."),
    ],
)
def test_what_the_referee_goes_on_without_is_told(
    tmp_path: Path, name: str, corners: str | None, sentence: str
) -> None:
    (tmp_path / name).write_text("{", "utf-8")
    journal = {"path": str(tmp_path / "games.sqlite3")}
    camera = {"source": f"frames:{tmp_path / 'none'}", "corners": corners}
    found = [one for one in examine(config_from({"journal": journal, "camera": camera})) if one.check == "settings"]
    wanted = sentence.format(folder=tmp_path)
    assert [(one.level, one.sentence[: len(wanted)]) for one in found] == [("warning", wanted)]


def test_a_journal_that_nobody_may_look_at_keeps_from_no_other_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(places, "check_target", closed)
    path = tmp_path / "games.sqlite3"
    found = list(examine(config_from({"journal": {"path": str(path)}, "camera": {"source": "none"}})))
    (told,) = (one for one in found if one.check == "settings")
    assert (told.level, told.sentence[:50]) == ("problem", f"The journal {path} can't be looked at"[:50])
    assert {one.check for one in found} >= {"camera", "clock", "network"}


def test_nor_does_the_usual_journal_s_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, exists = tmp_path / "state" / "vrhcab", Path.exists

    def there(path: Path) -> bool:
        if path.parent == folder:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return exists(path)

    monkeypatch.setattr(Path, "exists", there)
    settings = config_from({"camera": {"source": "none"}})
    found = list(examine(settings))
    (told,) = (one for one in found if one.check == "settings")
    assert told.level == "problem"
    assert told.sentence.startswith(f"The journal {folder / 'journal.sqlite3'} can't be looked at: Permission denied.")
    assert {one.check for one in found} >= {"camera", "clock", "network"}
    write_bundle(tmp_path / "report.zip", settings, found)


@contextmanager
def endless() -> Iterator[int]:
    """The port of a program that answers whatever is asked, and goes on for ever."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    line, _ = server.accept()
                    with line, suppress(OSError):
                        line.recv(4096)
                        line.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
                        while True:
                            line.sendall(b"--frame " * 1000)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def test_another_program_that_answers_without_end_is_another_program() -> None:
    with endless() as port:
        found: list[Finding] = []
        look = threading.Thread(target=lambda: found.append(looks.network("127.0.0.1", port)), daemon=True)
        look.start()
        look.join(30)
        assert [one.sentence for one in found] == [f"Port {port} is taken by another program."]
