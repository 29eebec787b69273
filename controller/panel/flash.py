"""Puts the firmware on a Pico over USB: mpremote copies, check sums are compared, the restarted Pico answers."""

from __future__ import annotations

import contextlib
import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import firmware
from controller.panel.adapter import PanelError
from controller.panel.greeting import greet
from controller.panel.messages import HelloAnswer, Welcome
from controller.panel.serial_panel import SerialPort, find_port
from firmware.messages import FIRMWARE
from firmware.settings import read as read_settings
from vision.outside import FileRefused, read_regular

# A running controller restarts into waiting for new files at a Ctrl-C; its USB line is back within 2 s.
_SETTINGS_BYTES = 1 << 16
_TRIES = 3
_PAUSE_S = 2.5
_LIMIT_S = 60
# After a reset the USB line is away for about a second, the firmware answers 0.7 s after its start.
_ANSWERS = 6
_MAKE_FOLDER = "import os\nif 'firmware' not in os.listdir(): os.mkdir('firmware')"

Run = Callable[[Sequence[str]], str]


def mpremote(arguments: Sequence[str]) -> str:
    """What mpremote prints. Raises PanelError with its last line where it fails or is not installed."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", *arguments],
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise PanelError(f"mpremote has had no answer for {_LIMIT_S} s.") from problem
    if done.returncode != 0:
        reason = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise PanelError(f"mpremote has failed: {reason}")
    return done.stdout


def files_to_copy() -> tuple[tuple[Path, str], ...]:
    """(file here, path on the Pico), main.py at the top level last: an interrupted copy then leaves the old start or none."""
    folder = Path(firmware.__file__).parent
    modules = sorted(path for path in folder.glob("*.py") if path.name != "main.py")
    return (*((path, f"firmware/{path.name}") for path in modules), (folder / "main.py", "main.py"))


def flash(
    port: str = "auto",
    *,
    settings: Path | None = None,
    progress: Callable[[int, int, str], None] = lambda done, of, name: None,
    run: Run = mpremote,
    pause: Callable[[float], None] = time.sleep,
) -> int:
    """Copies the firmware and restarts the Pico; gives the number of files. port: as in find_port().

    settings: a settings.json for the controller, None to leave the one it has. progress: takes (files done, files in
    all, path on the Pico). Raises PanelError where the settings are wrong, the Pico cannot be reached or a file has
    arrived changed.
    """
    files = (*_checked(settings), *files_to_copy())
    device = find_port(port)
    _reach(device, run, pause)
    for done, (path, target) in enumerate(files):
        progress(done, len(files), target)
        run(["connect", device, "resume", "fs", "cp", str(path), f":{target}"])
        arrived = run(["connect", device, "resume", "fs", "sha256sum", f":{target}"]).split()[-1]
        if arrived != hashlib.sha256(path.read_bytes()).hexdigest():
            raise PanelError(f"{target} has not arrived whole on the controller: run this again.")
    progress(len(files), len(files), "")
    run(["connect", device, "resume", "reset"])
    return len(files)


def confirm(port: str = "auto", *, pause: Callable[[float], None] = time.sleep) -> Welcome:
    """The introduction of the firmware that now runs. Raises PanelError where none answers, or another than this program's."""
    reason: object = "nothing answers"
    for _ in range(_ANSWERS):
        try:
            line = SerialPort(find_port(port))
            try:
                welcome = greet(line)
            finally:
                line.close()
        except (PanelError, OSError, ValueError) as problem:
            reason = problem
            pause(_PAUSE_S / 2)
            continue
        if welcome is not None:
            return _current(welcome)
    raise PanelError(
        f"The firmware does not answer ({reason}). Unplug the controller, plug it in and run this again. One whose settings.json"
        " says uart answers on its pins alone, never on USB."
    )


def _current(welcome: Welcome) -> Welcome:
    if welcome.firmware != FIRMWARE or welcome.answer == HelloAnswer.WRONG_PROTOCOL:
        theirs, own = (".".join(str(part) for part in version) for version in (welcome.firmware, FIRMWARE))
        raise PanelError(f"Firmware {theirs} answers, not the {own} of this program: run vrhcab flash.")
    return welcome


def _checked(settings: Path | None) -> tuple[tuple[Path, str], ...]:
    """The settings to copy, refused here rather than on the Pico, where nobody reads the sentence."""
    if settings is None:
        return ()
    try:
        read_settings(read_regular(settings, _SETTINGS_BYTES).decode("utf-8"))
    except RecursionError as problem:
        raise PanelError(f"{settings} can't be the controller's settings: it is nested too deeply.") from problem
    except (FileRefused, ValueError, TypeError) as problem:
        raise PanelError(f"{settings} can't be the controller's settings: {problem}.") from problem
    return ((settings, "settings.json"),)


def _reach(device: str, run: Run, pause: Callable[[float], None]) -> None:
    """Brings the Pico to its prompt, through a restart where the firmware runs, and makes the folder."""
    # The firmware restarts at a Ctrl-C, under which mpremote's own greeting would wait in vain for its time limit.
    with contextlib.suppress(OSError, ValueError):
        # Given back whatever happens: mpremote asks for the line as its only user.
        with contextlib.closing(SerialPort(device)) as port:
            port.write(b"\x03")
        pause(_PAUSE_S)
    for attempt in range(_TRIES):
        try:
            run(["connect", device, "exec", _MAKE_FOLDER])
        except PanelError as problem:
            if attempt == _TRIES - 1:
                raise PanelError(
                    f"The controller on {device} does not give its prompt ({problem}) Close whatever uses it, unplug it,"
                    " plug it in and run this again."
                ) from problem
            pause(_PAUSE_S)
        else:
            return
