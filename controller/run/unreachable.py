"""Why another machine can't be reached, for whoever has written its name into the settings, in the middle of a sentence."""

from __future__ import annotations

import socket
import ssl

from vision.sentence import Sentence

NO_TLS = Sentence("no TLS comes about there: is the port one for TLS?")


def why_unreachable(problem: Exception) -> Sentence | None:
    """What stands behind an error of a connection; None for one that is rare. An authority that is missing is another matter."""
    match problem:
        case socket.gaierror() | UnicodeError():
            return Sentence("no machine of that name is known here")
        case ConnectionRefusedError():
            return Sentence("nothing listens there")
        case TimeoutError():
            return Sentence("no answer came in time")
        case ssl.SSLError():
            return NO_TLS
    return None
