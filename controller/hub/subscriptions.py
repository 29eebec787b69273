"""Who has asked to be called by Web Push, in the hub's database, and the key by which push services know the hub."""

from __future__ import annotations

import base64
from typing import Annotated

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Meta, Struct
from py_vapid import Vapid02

from controller.hub.acts import Acts
from vision.sentence import Sentence

MOST_OF_ONE = 10
"""Browsers of one person; beyond that the oldest goes."""

MOST_FAILURES = 10
FAILING_DAYS = 3
"""So many in a row, and for so long, after which nobody tries any more: it may be the hub that reaches nobody, or a push service
that takes nothing for hours."""

Letters = Annotated[str, Meta(max_length=200, pattern=r"^[A-Za-z0-9_-]+=*$")]


class Keys(Struct, frozen=True):
    """As the browser gives them, in base64url: its public key (P-256, uncompressed), and a secret."""

    p256dh: Letters
    auth: Letters


class PushSubscription(Struct, frozen=True):
    """As PushSubscription.toJSON() has it."""

    endpoint: Annotated[str, Meta(max_length=1000, pattern="^https://")]
    keys: Keys

    def is_sound(self) -> bool:
        """Whether something can be encrypted for it."""
        try:
            EllipticCurvePublicKey.from_encoded_point(SECP256R1(), plain_bytes(self.keys.p256dh))
            return len(plain_bytes(self.keys.auth)) == 16
        except ValueError:
            return False


class Subscriptions(Acts):
    """Those of the database. Every method raises StoreError."""

    def add(self, who: str, one: PushSubscription, language: str) -> None:
        """That browser is called from now on, in that language."""
        with self.transaction():
            self._rows(
                "insert into subscriptions (endpoint, who, p256dh, auth, language) values (%s, %s, %s, %s, %s) "
                "on conflict (endpoint) do update set who = excluded.who, p256dh = excluded.p256dh, auth = excluded.auth, "
                "language = excluded.language, failed = 0, failing_since = null returning who",
                (one.endpoint, who, one.keys.p256dh, one.keys.auth, language),
            )
            self._rows(
                "delete from subscriptions where endpoint in (select endpoint from subscriptions where who = %s "
                "order by added desc, endpoint offset %s) returning who",
                (who, MOST_OF_ONE),
            )
            self.keep_act(who, Sentence("is called on one more phone"))

    def remove(self, who: str, endpoint: str) -> None:
        """That browser of theirs is called no longer."""
        self._rows("delete from subscriptions where who = %s and endpoint = %s returning who", (who, endpoint))

    def is_known(self, endpoint: str) -> bool:
        """Whether that browser is called."""
        return bool(self._rows("select 1 from subscriptions where endpoint = %s", (endpoint,)))

    def all(self) -> tuple[tuple[PushSubscription, str], ...]:
        """Whom to call, and in which language."""
        rows = self._rows("select endpoint, p256dh, auth, language from subscriptions order by endpoint")
        return tuple((PushSubscription(row[0], Keys(row[1], row[2])), row[3]) for row in rows)

    def went(self, endpoint: str) -> None:
        """It was called."""
        self._rows(
            "update subscriptions set failed = 0, failing_since = null where endpoint = %s and failed > 0 returning who",
            (endpoint,),
        )

    def failed(self, endpoint: str, *, gone: bool) -> None:
        """It could not be called. gone: its push service says that there is no such browser any more."""
        self._rows(
            "update subscriptions set failed = failed + 1, failing_since = coalesce(failing_since, now()) where endpoint = %s "
            "returning who",
            (endpoint,),
        )
        self._rows(
            "delete from subscriptions where endpoint = %s and "
            "(failed >= %s and failing_since < now() - make_interval(days => %s) or %s) returning who",
            (endpoint, MOST_FAILURES, FAILING_DAYS, gone),
        )

    def key(self) -> Vapid02:
        """The hub's, made now where there was none."""
        rows = self._rows("select private from push_key")
        if not rows:
            made = Vapid02()
            made.generate_keys()
            # Another program may have been first.
            self._rows(
                "insert into push_key (private) values (%s) on conflict do nothing returning one",
                (made.private_pem().decode(),),
            )
            rows = self._rows("select private from push_key")
        return Vapid02.from_pem(rows[0][0].encode())


def public_key(key: Vapid02) -> str:
    """As a browser wants it."""
    point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def plain_bytes(text: str) -> bytes:
    """Out of base64url, with or without its end. Raises ValueError."""
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
