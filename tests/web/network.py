"""A network between browser and page that can go dead as a phone's does: connections stay open, and nothing comes through."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Network:
    """Forwards to a port of this machine. change(): what is connected now hears nothing more; new connections work, until
    swallow(): then nothing comes through at all, and nobody is told."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._age = 0
        self._dark = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def change(self) -> None:
        self._age += 1

    def swallow(self, dark: bool = True) -> None:
        self._dark = dark
        self.change()

    def close(self) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._target))
                self._open += [phone, server]
                for source, sink in ((phone, server), (server, phone)):
                    threading.Thread(target=self._forward, args=(source, sink, self._age), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket, age: int) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if age == self._age and not self._dark:
                    sink.sendall(data)


@contextmanager
def network(target: int) -> Iterator[Network]:
    """A network to that port, until the block ends."""
    made = Network(target)
    try:
        yield made
    finally:
        made.close()
