"""A board joins a hub: asks by HTTPS with the code that somebody has brought, and keeps what it gets beside its journal."""

from __future__ import annotations

import hmac
import http.client
import secrets
import ssl
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from controller.config import ConfigError, HubConfig, check_hub
from controller.record.joining import (
    ASK,
    LARGEST_ANSWER,
    TAKE,
    Ask,
    Given,
    Hub,
    JoiningError,
    Offer,
    TakeKey,
    found_by,
    key_of,
    read_invitation,
    sealed,
)
from controller.record.owners import make_folder, replace_file
from controller.run.trusting import pinned_tls
from controller.run.unreachable import why_unreachable
from vision.outside import FileRefused, read_regular

PATIENCE_S = 10.0

Kind = TypeVar("Kind", bound=Struct)


class StrangeCertificateError(JoiningError):
    """Nobody whom we trust vouches for it under that name."""


class JoinedHub(Struct, frozen=True):
    """The hub that this board has joined, as its file holds it. key: by which the hub signs who may come to the desk."""

    hub: HubConfig
    key: str


_joined, _offers, _given = msgspec.json.Decoder(JoinedHub), msgspec.json.Decoder(Offer), msgspec.json.Decoder(Given)


def joined_path(journal: Path) -> Path:
    """The file: beside the journal."""
    return journal.with_name("hub.json")


def load_joined(path: Path) -> JoinedHub | None:
    """What the file holds; None where there is none. Raises JoiningError."""
    if not path.exists():
        return None
    try:
        joined = _joined.decode(read_regular(path, LARGEST_ANSWER))
        check_hub(joined.hub, str(path))
        if joined.hub.address is None:
            raise ConfigError(f"{path}: hub.address is not there.")
    except (FileRefused, OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError, ConfigError) as error:
        raise JoiningError(
            "{path}, which says what hub this board has joined, can't be read. Join the hub again.", path=str(path)
        ) from error
    return joined


def save_joined(path: Path, joined: JoinedHub) -> None:
    """Whole or not at all, for its owner alone. Raises JoiningError."""
    try:
        make_folder(path.parent)
        replace_file(path, msgspec.json.encode(joined))
    except OSError as error:
        raise JoiningError(
            "What the hub gave can't be kept in {path} ({why}).", path=str(path), why=error.strerror
        ) from error


def forget_joined(path: Path) -> None:
    """The board belongs to no hub any more. Raises JoiningError where the file stays."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise JoiningError(
            "{path}, which says what hub this board has joined, can't be removed ({why}). The board belongs to it still.",
            path=str(path),
            why=error.strerror,
        ) from error


def join(invitation: str) -> JoinedHub:
    """What the hub gives for it. Raises JoiningError; the code may be used up by then."""
    code, hub = read_invitation(invitation)
    nonce = secrets.token_hex(16)
    # What is asked first is no secret, and the answer proves itself: so whoever answers is not looked at yet.
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    offer = _asked(hub, ASK, Ask(found_by(code), nonce), _offers, anybody)
    if not hmac.compare_digest(offer.seal.encode(), sealed(key_of(code), nonce, offer.authority).encode()):
        raise JoiningError(
            "Whoever answers there does not know this code: it is another hub, or somebody who stands between. Nothing was sent."
        )
    given = _taken(hub, code, offer.authority)
    host = (given.host or hub.host).strip("[]")
    config = HubConfig(
        address=f"[{host}]:{given.port}" if ":" in host else f"{host}:{given.port}",
        name=given.name,
        password=given.password,
        ca=given.authority or None,
        tls=given.tls,
    )
    return JoinedHub(config, given.key)


def _taken(hub: Hub, code: str, authority: str) -> Given:
    """Shows the code, to a hub that its own authority vouches for, or one that the system trusts."""
    system = ssl.create_default_context()
    if not authority:
        return _asked(hub, TAKE, TakeKey(code), _given, system)
    try:
        pinned = pinned_tls(authority)
    except ssl.SSLError as error:
        raise JoiningError("The authority that {host} names is no certificate.", host=hub.host) from error
    try:
        return _asked(hub, TAKE, TakeKey(code), _given, pinned)
    except StrangeCertificateError:
        return _asked(hub, TAKE, TakeKey(code), _given, system)


def _asked(hub: Hub, path: str, body: Struct, decoder: msgspec.json.Decoder[Kind], tls: ssl.SSLContext) -> Kind:
    if hub.https:
        line: http.client.HTTPConnection = http.client.HTTPSConnection(
            hub.host, hub.port, timeout=PATIENCE_S, context=tls
        )
    else:
        line = http.client.HTTPConnection(hub.host, hub.port, timeout=PATIENCE_S)
    try:
        line.request("POST", path, msgspec.json.encode(body), {"Content-Type": "application/json"})
        answer = line.getresponse()
        if answer.status != 200:
            if answer.status in _REFUSALS:
                raise JoiningError(_REFUSALS[answer.status])
            raise JoiningError("{host} is no hub that boards can join ({status}).", host=hub.host, status=answer.status)
        return decoder.decode(answer.read(LARGEST_ANSWER))
    except ssl.SSLCertVerificationError as error:
        raise StrangeCertificateError(
            "The certificate of {host} does not hold for that name ({why}). Use a name that the hub's certificate has.",
            host=hub.host,
            why=error.verify_message,
        ) from error
    except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
        why = why_unreachable(error) or (error.strerror or str(error) if isinstance(error, OSError) else "?")
        raise JoiningError(
            "{host} port {port} does not answer as a hub does ({why}).", host=hub.host, port=hub.port, why=why
        ) from error
    finally:
        line.close()


_REFUSALS = {
    403: "This code holds no longer, or never did. Ask a director of the hub for another.",
    429: "Too many wrong codes from here. Wait a little, then try again.",
    503: "The hub can't take a board in just now: its broker or its database does not answer. The code still holds.",
}
