"""The pass with which the hub lets somebody in at a board's desk: signed by the key that the board has had since it joined.

It names a word that the board has said a moment ago (Here.door), so that neither clock has to be right, and is good once. It is
itsdangerous that signs (HMAC with SHA-256): https://itsdangerous.palletsprojects.com/
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

import msgspec
from itsdangerous import BadData, URLSafeSerializer
from msgspec import Meta, Struct

from controller.record.wire import NAME, Word

LONGEST = 1000
"""Letters of a pass."""

GuestRole = Literal["scorer", "director"]


class GuestPass(Struct, frozen=True):
    """door: the board's word; identity: this pass's own name; who, role: whom it lets in, and as what."""

    board: Annotated[str, Meta(pattern=NAME)]
    door: Word
    identity: Word
    who: Annotated[str, Meta(min_length=1, max_length=40)]
    role: GuestRole


def signed(key: str, one: GuestPass) -> str:
    """As text that can stand in an address."""
    return str(_signer(key).dumps(msgspec.to_builtins(one)))


def read_pass(key: str, text: str) -> GuestPass | None:
    """What it says; None where this key has not signed it."""
    if len(text) > LONGEST:
        return None
    try:
        return msgspec.convert(_signer(key).loads(text), GuestPass)
    except (BadData, msgspec.ValidationError, ValueError, RecursionError):
        return None


def _signer(key: str) -> URLSafeSerializer:
    return URLSafeSerializer(
        key, salt=b"vrhcab desk", signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
    )
