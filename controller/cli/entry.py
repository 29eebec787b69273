"""`vrhcab`, as it is installed. Nothing slow is imported here: until the commands are, Ctrl-C ends it without a traceback."""

from __future__ import annotations

import signal


def program() -> None:
    """The whole command."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # under nohup and the like it is not
    if usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from controller.cli import main

    if usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main.program()
