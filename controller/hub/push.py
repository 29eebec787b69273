"""Calls browsers by Web Push (RFC 8030, 8291, 8292): what is said is encrypted for the browser, and its push service can't
read it.

The addresses come from people's browsers, that is, from anybody who is signed in: so only https at hosts of the public internet is
asked, at the very address that was looked at, no redirection is followed, and nothing of the answer is kept but its status.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Self
from urllib.parse import urlsplit

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from py_vapid import Vapid02

from controller.hub.alerts import Alert
from controller.hub.errors import HubError, StoreError
from controller.hub.subscriptions import PushSubscription, Subscriptions, plain_bytes
from web.hosts import is_loopback

PORT = 443
PATIENCE_S = 10.0
"""For all of one call, however slowly its push service answers."""

AT_ONCE = 4
WAITING = 20
"""Calls of one browser that wait for the one before; beyond that the oldest is left out."""

KEPT_S = 3600
"""Seconds for which a push service keeps what it can't deliver: an alert of yesterday calls nobody."""

HOLDS_S = 12 * 3600
"""For which the hub's signature holds; 24 hours are the most (RFC 8292, section 2)."""

LONGEST = 300
"""Letters of a sentence: push services take 4 kB."""

GONE = (404, 410)

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses that hold one of the older kind (RFC 6052)."""


def is_public(address: str) -> bool:
    """Whether it is one of the public internet, and none of this network, this machine or a tunnel into them."""
    found = ipaddress.ip_address(address)
    inner: list[ipaddress.IPv4Address | None] = []
    if isinstance(found, ipaddress.IPv6Address):
        teredo = found.teredo or (None, None)
        inner = [found.ipv4_mapped, found.sixtofour, *teredo]
        if found in NAT64:
            inner.append(ipaddress.IPv4Address(int(found) & 0xFFFFFFFF))
    return found.is_global and not found.is_multicast and all(one is None or one.is_global for one in inner)


class EndpointError(HubError):
    """It is not asked."""


class _CheckedConnection(http.client.HTTPSConnection):
    """A connection to an address that was looked at, whatever the name means a moment later."""

    def __init__(self, host: str, address: tuple[str, int], tls: ssl.SSLContext) -> None:
        super().__init__(host, address[1], timeout=PATIENCE_S, context=tls)
        self._address, self._tls = address, tls

    def connect(self) -> None:
        sock = socket.create_connection(self._address, PATIENCE_S)
        # Known before the two have come to terms: whoever hangs up meanwhile finds something to hang up.
        self.sock = self._tls.wrap_socket(sock, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()


class Pusher:
    """Takes alerts, and calls everybody in threads of its own, while it is open. contact: where push services reach whoever runs
    this, "mailto:..."; allowed: of addresses; tls: trusts the system's authorities."""

    def __init__(
        self,
        url: str,
        contact: str,
        tell: Callable[[str], None],
        *,
        allowed: Callable[[str], bool] = is_public,
        tls: ssl.SSLContext | None = None,
        port: int = PORT,
    ) -> None:
        self._url, self._contact, self._tell = url, contact, tell
        self._allowed, self._tls, self._port = allowed, tls or ssl.create_default_context(), port
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="push")
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[tuple[Vapid02, PushSubscription, bytes]]] = {}
        self._trouble = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __call__(self, alert: Alert) -> bool:
        """Has everybody called; False where nobody knows whom."""
        try:
            with closing(Subscriptions(self._url)) as opened:
                key, everybody = opened.key(), opened.all()
        except StoreError:
            return False
        for one, language in everybody:
            sentence, tag = alert.in_words(language)[:LONGEST], f"{alert.board} {alert.cause}"[:64]
            body = msgspec.json.encode({"board": alert.board, "sentence": sentence, "tag": tag})
            with self._lock:
                # Whose push service hangs does not hold up the others: of one browser's calls one is under way at a time.
                waiting = self._waiting.get(one.endpoint)
                if waiting is None:
                    waiting = self._waiting[one.endpoint] = deque(maxlen=WAITING)
                    self._pool.submit(self._call_next, one.endpoint)
                waiting.append((key, one, body))
        return True

    def _call_next(self, endpoint: str) -> None:
        """The browser's oldest call that waits; the others go behind those of other browsers."""
        with self._lock:
            call = self._waiting[endpoint].popleft()
        try:
            self._deliver(*call)
        finally:
            with self._lock, suppress(RuntimeError):  # This closes.
                if self._waiting[endpoint]:
                    self._pool.submit(self._call_next, endpoint)
                else:
                    del self._waiting[endpoint]

    def _deliver(self, key: Vapid02, one: PushSubscription, body: bytes) -> None:
        if self._has_left(one):
            return
        status = self._status(key, one, body)
        with suppress(StoreError), closing(Subscriptions(self._url)) as opened:
            if 200 <= status < 300:
                opened.went(one.endpoint)
            else:
                opened.failed(one.endpoint, gone=status in GONE)

    def _has_left(self, one: PushSubscription) -> bool:
        """Whether it is to be called no longer since others were; where the database does not say, it is called."""
        with suppress(StoreError), closing(Subscriptions(self._url)) as opened:
            return not opened.is_known(one.endpoint)
        return False

    def _status(self, key: Vapid02, one: PushSubscription, body: bytes) -> int:
        """What the push service says; 0 where it says nothing."""
        try:
            return self._send(key, one, body)
        except EndpointError:
            return 410  # It never will be one that is asked.
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._say(f"An alert could not be pushed to {urlsplit(one.endpoint).hostname} ({type(error).__name__}).")
            return 0

    def _send(self, key: Vapid02, one: PushSubscription, body: bytes) -> int:
        """The status. Raises EndpointError, OSError, HTTPException, ValueError."""
        address, parts = self._place(one.endpoint), urlsplit(one.endpoint)
        host = parts.hostname or ""
        sealed = http_ece.encrypt(
            body,
            private_key=generate_private_key(SECP256R1()),
            dh=plain_bytes(one.keys.p256dh),
            auth_secret=plain_bytes(one.keys.auth),
            version="aes128gcm",
        )
        origin = f"https://{parts.netloc}"
        headers = {
            **key.sign({"aud": origin, "sub": self._contact, "exp": int(time.time()) + HOLDS_S}),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_S),
            "Urgency": "high",
        }
        with closing(_CheckedConnection(host, address, self._tls)) as line:
            # A service that answers a byte a second would else hold a thread for hours.
            bell = threading.Timer(PATIENCE_S, self._hang_up, (line,))
            bell.start()
            try:
                line.request("POST", parts.path + (f"?{parts.query}" if parts.query else ""), sealed, headers)
                return line.getresponse().status
            finally:
                bell.cancel()

    def _place(self, endpoint: str) -> tuple[str, int]:
        """The address to ask. Raises EndpointError for what nobody shall ever be sent to, OSError where its name is none, or now
        leads to such an address: a network that has lost the internet may answer every name with one of its own."""
        try:
            parts = urlsplit(endpoint)
            port = parts.port
        except ValueError as error:  # no address at all
            raise EndpointError from error
        if (
            parts.scheme != "https"
            or not parts.hostname
            or parts.username is not None
            or port not in (None, self._port)
        ):
            raise EndpointError
        found = socket.getaddrinfo(parts.hostname, self._port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in found]
        if not all(self._allowed(address) for address in addresses):
            if is_loopback(parts.hostname) or parts.hostname in addresses:
                raise EndpointError
            raise OSError
        return addresses[0], self._port

    @staticmethod
    def _hang_up(line: _CheckedConnection) -> None:
        with suppress(OSError):
            if line.sock is not None:
                socket.socket.shutdown(line.sock, socket.SHUT_RDWR)  # not its TLS, which another thread is in

    def _say(self, sentence: str) -> None:
        if sentence != self._trouble:
            self._trouble = sentence
            self._tell(sentence)
