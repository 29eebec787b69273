"""What the installer puts on a machine: checked by the tools of the system where they are there, and against the program."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from controller.config import load_config
from controller.panel import serial_panel
from controller.run.watchdog import PAGE_S

PROJECT = Path(__file__).resolve().parents[2]
INSTALL = PROJECT / "install"
SCRIPTS = [
    INSTALL / "install.sh",
    INSTALL / "uninstall.sh",
    INSTALL / "common.sh",
    INSTALL / "pi-camera.sh",
    Path(__file__).with_name("in_container.sh"),
]
INSTALLER = SCRIPTS[0].read_text("utf-8")
REMOVER = SCRIPTS[1].read_text("utf-8")


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[method-assign,assignment]  # keys keep their capitals
    parser.read(INSTALL / name, "utf-8")
    return parser


SERVICE = unit("vrhcab.service")["Service"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_clean(script: Path) -> None:
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not here: sudo apt-get install shellcheck")
    checked = subprocess.run(["shellcheck", "-x", str(script)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("name", ["vrhcab.service", "vrhcab-name.service"])
def test_systemd_finds_nothing_wrong(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here: sudo apt-get install systemd")
    text = (INSTALL / name).read_text("utf-8")
    # Only the program's own path is not there where it is not installed.
    (tmp_path / name).write_text(text.replace("/opt/vrhcab/current/bin/vrhcab", "/bin/true"), "utf-8")
    (tmp_path / "avahi-daemon.service").write_text("[Service]\nExecStart=/bin/true\n", "utf-8")
    verified = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / name)], capture_output=True, text=True, timeout=60, check=False
    )
    said = [line for line in verified.stderr.splitlines() if name in line]
    assert said == [], verified.stderr


def test_the_service_is_watched_and_started_again() -> None:
    assert SERVICE["Type"] == "notify"
    assert SERVICE["Restart"] == "on-failure"
    # Fed six times in that time; the camera may be waited for 15 s, and the page for PAGE_S.
    assert int(SERVICE["WatchdogSec"]) / 2 > 15 + PAGE_S
    assert "WATCHDOG" not in SERVICE.get("Environment", "")


def test_games_and_settings_lie_where_the_installer_puts_them() -> None:
    assert SERVICE["StateDirectory"] == "vrhcab"
    assert SERVICE["WorkingDirectory"] == "/var/lib/vrhcab"
    assert "XDG_STATE_HOME=/var/lib " in SERVICE["Environment"]
    assert "--config /etc/vrhcab/vrhcab.toml" in SERVICE["ExecStart"]
    assert "state=/var/lib/vrhcab\nsettings=/etc/vrhcab/vrhcab.toml\n" in INSTALLER
    assert '[ -e "$settings" ] ||' in INSTALLER


def test_groups_are_the_users_and_devices_stay_reachable() -> None:
    assert SERVICE["User"] == "vrhcab"
    assert "for group in video gpio dialout" in INSTALLER
    assert "SupplementaryGroups" not in SERVICE
    assert "PrivateDevices" not in SERVICE


EXPOSURE = 20
"""Ten times what systemd-analyze says; what is left are the network, the devices, port 80 and the owners of files."""


def test_the_service_may_do_little_else(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here: sudo apt-get install systemd")
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}"]
    judged = subprocess.run(
        [*command, str(INSTALL / "vrhcab.service")], capture_output=True, text=True, timeout=60, check=False
    )
    assert judged.returncode == 0, judged.stdout


def test_camera_pins_and_pico_are_the_only_devices() -> None:
    text = (INSTALL / "vrhcab.service").read_text("utf-8")
    allowed = re.findall(r"^DeviceAllow=(\S+) rw$", text, re.MULTILINE)
    kinds = {"video4linux", "media", "dma_heap", "gpiochip", "ttyACM", "ttyUSB"}
    assert set(allowed) == {f"char-{kind}" for kind in kinds} | {"/dev/gpiomem"}
    assert SERVICE["DevicePolicy"] == "closed"
    # A phone is a connection, a connection a file.
    assert int(SERVICE["LimitNOFILE"]) >= 8192


def test_uninstalling_takes_off_every_file_and_keeps_the_games() -> None:
    for target in re.findall(r'"\$here/[\w.-]+" (/etc/[\w./-]+)', INSTALLER):
        assert target in REMOVER or Path(target).name in REMOVER, target
    before_asking = REMOVER.split("--purge deletes")[1].split("answer", 1)[0]
    assert "rm -rf /var/lib" not in before_asking
    assert "rm -rf /etc" not in before_asking


def checkout(folder: Path) -> None:
    """One empty file in each folder of the program, and documents."""
    included = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]["find"]
    packages = [name.removesuffix("*") for name in included["include"]]
    for name in ["pyproject.toml", "README.md", "docs/a.md", "docs/a.svg", *(f"{name}/a.py" for name in packages)]:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()


def test_who_runs_the_program_may_read_it_whatever_roots_umask(tmp_path: Path) -> None:
    """A machine on which root's files are root's alone; a Python that makes an empty environment stands for the real one."""
    home = tmp_path / "op t"
    home.mkdir(mode=0o700)
    checkout(tmp_path)
    script = f"""set -euo pipefail
        umask 077
        home="{home}" project="{tmp_path}"
        . "{INSTALL / "common.sh"}"
        python3() {{
            mkdir -p "${{@: -1}}/bin"
            for name in python vrhcab; do printf '#!/bin/sh\\n' > "${{@: -1}}/bin/$name"; chmod +x "${{@: -1}}/bin/$name"; done
        }}
        make_version mqtt --version
        take_version
        """
    subprocess.run(["bash", "-c", script], check=True)
    made = [home, *home.rglob("*")]
    assert {"python", "a.md"} <= {path.name for path in made}
    assert [path for path in made if path.stat().st_mode & 0o005 < (5 if path.is_dir() else 4)] == []


def test_a_version_is_built_from_a_copy_so_that_neither_build_leaves_the_other_anything(tmp_path: Path) -> None:
    """A pip that writes down what it is given, and leaves files where it builds as setuptools does."""
    project = tmp_path / "vrhcab"
    project.mkdir()
    checkout(project)
    program = {path.relative_to(project) for path in project.rglob("*.*") if path.parent.name != "docs"}
    (project / "build").mkdir()
    (project / "build" / "old.py").touch()
    before = sorted(project.rglob("*"))
    pip = tmp_path / "pip"
    pip.write_text(f"""#!/bin/sh
        for last; do :; done
        cd "${{last%\\[mqtt\\]}}" && find . -type f > "{tmp_path}/built" && mkdir vrhcab.egg-info build
        """)
    pip.chmod(0o755)
    script = f"""set -euo pipefail
        home="{tmp_path}/opt" project="{project}"
        . "{INSTALL / "common.sh"}"
        python3() {{ mkdir -p "${{@: -1}}/bin"; cp "{pip}" "${{@: -1}}/bin/python"; ln -s /bin/true "${{@: -1}}/bin/vrhcab"; }}
        make_version mqtt --version
        """
    subprocess.run(["bash", "-c", script], check=True)
    assert {Path(line) for line in (tmp_path / "built").read_text().splitlines()} == program
    assert sorted(project.rglob("*")) == before
    assert {path.name for path in (tmp_path / "opt").rglob("*")} >= {"versions", "python"}
    assert list((tmp_path / "opt").rglob("build")) == []


def uninstalled(machine: Path, answer: str, *choices: str) -> subprocess.CompletedProcess[str]:
    """uninstall.sh on a machine whose root is a folder."""
    machine.mkdir(exist_ok=True)
    script = machine / "uninstall.sh"
    script.write_text(re.sub(r"(?<![\w.])/(?=(?:etc|opt|run|usr|var)/)", f"{machine}/", REMOVER), "utf-8")
    tools = 'id() { echo 0; }; systemctl() { :; }; deluser() { :; }; export -f id systemctl deluser; exec bash "$@"'
    return subprocess.run(
        ["bash", "-c", tools, "bash", str(script), *choices], input=answer, capture_output=True, text=True, check=False
    )


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    for name in ("var/lib/vrhcab/journal.sqlite3", "etc/vrhcab/vrhcab.toml", "opt/vrhcab/uninstall.sh"):
        (tmp_path / "m" / name).parent.mkdir(parents=True)
        (tmp_path / "m" / name).touch()
    return tmp_path / "m"


@pytest.mark.parametrize(("answer", "kept"), [("delete\n", False), ("yes\n", True), ("", True)])
def test_purging_deletes_the_games_only_where_it_is_told_so(machine: Path, answer: str, kept: bool) -> None:
    done = uninstalled(machine, answer, "--purge")
    assert done.returncode == 0
    assert not (machine / "opt/vrhcab").exists()
    assert (machine / "var/lib/vrhcab/journal.sqlite3").exists() is kept
    assert (machine / "etc/vrhcab/vrhcab.toml").exists() is kept
    assert ("Games are kept in" in done.stdout) is kept


def test_purging_leaves_a_hub_on_the_same_machine_its_settings_and_backups(machine: Path) -> None:
    unit = machine / "etc/systemd/system/vrhcab-hub.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    done = uninstalled(machine, "delete\n", "--purge")
    assert done.returncode == 1
    assert "A hub is on this machine too" in done.stderr
    assert (machine / "opt/vrhcab").exists()
    assert (machine / "var/lib/vrhcab/journal.sqlite3").exists()
    assert uninstalled(machine, "").returncode == 0
    assert not (machine / "opt/vrhcab").exists()
    assert (machine / "var/lib/vrhcab/journal.sqlite3").exists()


def test_the_settings_that_are_installed_are_settings() -> None:
    config = load_config(INSTALL / "vrhcab.toml")
    assert (config.web.host, config.panel.kind) == ("0.0.0.0", "none")


def test_the_rule_names_the_pico_that_the_panel_looks_for() -> None:
    (rule,) = [line for line in (INSTALL / "70-vrhcab.rules").read_text("utf-8").splitlines() if line[0] != "#"]
    terms = dict(re.findall(r'([\w{}]+)\+?==?"([^"]*)"(?:, |$)', rule))
    assert (terms["ATTRS{idVendor}"], terms["ATTRS{idProduct}"], terms["GROUP"]) == ("2e8a", "0005", "dialout")
    assert "$attr{serial}" in terms["SYMLINK"]
    assert serial_panel._BY_ID_PATTERN == "usb-MicroPython_*"


def test_the_page_is_announced_where_it_is() -> None:
    service = ElementTree.parse(INSTALL / "vrhcab.avahi").getroot().find("service")
    assert service is not None
    assert (service.findtext("type"), service.findtext("port")) == ("_http._tcp", "8080")


@pytest.mark.parametrize(
    ("camera", "said", "fetched"),
    [
        ("is not there", "", False),
        ("loads", "", False),
        ("loads with a simplejpeg of its own", "", True),
        ("never loads", "The Pi's camera can't be used", True),
    ],
)
def test_the_environment_gets_a_simplejpeg_where_the_system_s_can_not_be_loaded(
    camera: str, said: str, fetched: bool, tmp_path: Path
) -> None:
    pip, python = tmp_path / "pip.txt", tmp_path / "python"
    loads = {"loads": "true", "loads with a simplejpeg of its own": f"[ -e {pip} ]"}.get(camera, "false")
    sees = "false" if camera == "is not there" else "true"
    python.write_text(
        f"""#!/bin/sh
case "$*" in
*find_spec*) {sees} ;;
*"import picamera2"*) {loads} ;;
*"pip install"*simplejpeg) echo "$@" >>{pip} ;;
*) exit 9 ;;
esac
""",
        "utf-8",
    )
    python.chmod(0o755)
    done = subprocess.run([INSTALL / "pi-camera.sh", python], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(said) if said else not done.stderr
    assert pip.exists() == fetched
