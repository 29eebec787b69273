"""Whom a board believes that it talks to its hub: an authority of the hub's own, or those that the system trusts."""

from __future__ import annotations

import errno
import ssl

from vision.outside import FileRefused, named_path, read_regular

PEM = "-----BEGIN"

LARGEST = 1_000_000
"""Bytes of a file of certificates; all that a system trusts are 200 kB."""

_NO_TIME = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME (OpenSSL 1.1.0); Python's ssl has no name for it."""


def hub_tls(ca: str | None) -> ssl.SSLContext:
    """ca: file with the authority that signed the broker's certificate, or that certificate itself (PEM); None: the system's.

    Raises OSError where it can't be read, or is no certificate.
    """
    if ca is None:
        return ssl.create_default_context()
    return pinned_tls(ca if PEM in ca else authority_text(ca))


def authority_text(path: str) -> str:
    """What is in that file, of which only ASCII counts. Raises OSError, for what is no file, too."""
    try:
        return read_regular(named_path(path), LARGEST).decode("ascii", "ignore")
    except FileRefused as error:
        raise OSError(errno.ENOENT, str(error), path) from error


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
