"""Ports for the servers that tests and benchmarks start."""

import contextlib
import random
import socket

_given: set[int] = set()


def free_port() -> int:
    """A TCP port that nobody listens on now, another one each time, and none of those that the
    system gives to clients."""
    while True:
        port = random.randrange(10_240, 32_768)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            if port not in _given:
                _given.add(port)
                return port
