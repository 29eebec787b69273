"""https on the page's own port: what a certificate's files say to the server."""

from __future__ import annotations

import ssl
from pathlib import Path

from web.errors import WebError

MISSING = "the certificate or its key is not in it"


def tls_context(certificate: Path, key: Path | None = None) -> ssl.SSLContext:
    """What the server needs for https. key: None where it lies in the certificate's file.

    Raises:
        WebError: a file can't be read, is no PEM, asks for a password, or the two do not belong together.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    asked: list[str] = []

    def no_password() -> str:
        """A key with a password would ask for it at the terminal, where nobody may be."""
        asked.append("the key needs a password")
        return ""

    try:
        context.load_cert_chain(certificate, key, password=no_password)
    except ssl.SSLError as error:
        files = f"{certificate} and {key}" if key else str(certificate)
        raise WebError(
            f"{files} can't be used for https ({error.reason or ''.join(asked) or MISSING}). A certificate and its key without a "
            "password are wanted, as PEM. A new one for this network: vrhcab certificate"
        ) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise WebError(
            f"The certificate {certificate} can't be read ({why}). Make one with: vrhcab certificate"
        ) from error
    return context
