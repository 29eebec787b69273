"""How much the page gives to its clients, so that none of them takes it from the others."""

from __future__ import annotations

import resource
from dataclasses import dataclass

MOST_FILES = 1024
"""Files open at once. select(), with which a library may wait, knows no file number above 1023; a program without it may have
more."""

RESERVE = 200
"""Files that are kept for the journal, pictures, the camera, the watchdog, and the connections that are accepted together."""

GUARANTEED = 100
"""Places that an address may take from one that holds more. Behind one address may be a whole club's phones (NAT), which none
of the limits by address may shut out while there is room; one that is greedy leaves 540 of 640 streams to the others."""


@dataclass(frozen=True)
class Limits:
    """connections: at once, of all clients; guaranteed: see GUARANTEED. Times in seconds, sizes in bytes.

    patience: a client of an address that holds many connections gets another's place only after that one was waited for so long.
    head: for a request's line and headers, from the moment that the connection was made or the last answer was complete.
    idle: without a byte between two requests. A browser that wakes up must not find dead connections here.
    body: for a request's body, and as much more as it takes at `rate` bytes a second.
    stalled: for which a client may read nothing of what waits for it, while more waits than the system takes.
    linger: how long a body that nobody reads is thrown away, so that its sender hears the answer; and how long one is kept waiting
    for the answer that there is no place for another stream.
    keep_alive: silence after which a stream says that it lives. A page that has missed two of these says that it hears nothing
        (static/js/stream.js); one that nobody looks at lets its stream go, so this wakes no phone in a pocket.
    head_size: of a request's line and headers. answers: large answers that wait for their clients, together.
    threads: that make pages for everybody, and as many again for the operators.
    """

    connections: int
    guaranteed: int = GUARANTEED
    patience: float = 3.0
    head: float = 10.0
    idle: float = 5.0
    body: float = 10.0
    rate: float = 100_000.0
    stalled: float = 15.0
    linger: float = 1.0
    keep_alive: float = 2.0
    head_size: int = 16 * 1024
    answers: int = 32 * 1024 * 1024
    threads: int = 4


def limits_here(most: int = MOST_FILES) -> Limits:
    """The limits for this machine; asks it for as many open files as are of use. most: files, for a program that waits with no
    select()."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = most if soft == resource.RLIM_INFINITY else min(soft, most)
    return Limits(connections=max(files - RESERVE, files // 4))
