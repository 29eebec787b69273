"""What the Pico runs at power-up: read the settings, then step the core for ever. Ctrl-C restarts it for an update."""

import sys

from firmware import core, hardware, settings


def configured() -> settings.Settings:
    """settings.json beside this file, or the defaults where there is none or it is wrong (the reason is printed)."""
    try:
        with open("settings.json") as file:
            return settings.read(file.read())
    except OSError:
        pass
    except ValueError as problem:
        print("settings.json is not used:", problem)
    return settings.Settings()


def run() -> None:
    """Never returns: an error resets through the watchdog, which nobody feeds any more."""
    config = configured()
    board = hardware.Pico(config)
    controller = core.Controller(config, board.boot_id, board.now(), board.contacts())
    while True:
        now = board.now()
        board.write(controller.step(now, board.read(), board.contacts()))
        pixels = controller.frame(now)
        if pixels is not None:
            board.show(pixels)
        board.display(controller.segments())
        board.buzz(controller.tone(now))
        board.rest()


def start() -> None:
    """The usual start, or the wait for new files after a Ctrl-C."""
    if hardware.update_wanted():
        hardware.wait_for_update()
    try:
        run()
    except KeyboardInterrupt:
        hardware.restart_for_update()


if sys.implementation.name == "micropython":
    start()
