"""Whom a board believes that it talks to its hub: an authority of the hub's own, or those that the system trusts."""

from __future__ import annotations

import errno
import ssl
from pathlib import Path

from vision.outside import FileRefused, named_path

PEM = "-----BEGIN"

_NO_TIME = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME (OpenSSL 1.1.0); Python's ssl has no name for it."""


def hub_tls(ca: str | None) -> ssl.SSLContext:
    """ca: file with the authority that signed the broker's certificate, or that certificate itself (PEM); None: the system's.

    Raises OSError where it can't be read, or is no certificate.
    """
    if ca is None:
        return ssl.create_default_context()
    return pinned_tls(ca if PEM in ca else _path(ca).read_text("ascii", "ignore"))


def _path(text: str) -> Path:
    try:
        return named_path(text)
    except FileRefused as error:
        raise OSError(errno.ENOENT, str(error), text) from error


def pinned_tls(authority: str) -> ssl.SSLContext:
    """Trusts that authority (PEM, with whatever text around it) alone. A board's clock may be years off, without a battery to keep
    it: from when to when a certificate holds is not asked here.

    Raises OSError where it is no certificate.
    """
    if PEM not in authority:
        # Of nothing at all ssl makes trust in whatever the system trusts.
        raise ssl.SSLError(ssl.SSL_ERROR_SSL, "there is no certificate in it")
    context = ssl.create_default_context(cadata=authority.encode("ascii", "ignore").decode("ascii"))
    context.verify_flags |= ssl.VerifyFlags(_NO_TIME)
    return context
