"""How long the client waits, and how often it tries."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Times in seconds, and how often."""

    #: For the answer to the upgrade: the server that was found may stand still.
    upgrade_max: float = 4.0
    welcome_max: float = 8.0
    ping_every: float = 5.0
    pong_max: float = 5.0
    #: For the server's part of the closing handshake.
    close_max: float = 0.5
    #: For the next bytes of a call; the server sends some every twenty seconds.
    silence_max: float = 60.0
    backoff_first: float = 0.3
    backoff_max: float = 10.0
    resend_after: float = 0.2
    resends_max: int = 6
    #: From one question to the next.
    ask_every: float = 0.26
    #: Welcomes in a row of servers that have lost the table, before it begins anew.
    older_owners_max: int = 6


LIMITS = Limits()


def backoff(attempt: int, limits: Limits = LIMITS) -> float:
    """The wait before attempt 0, 1, 2 …, in seconds: doubles up to a maximum; half of it is
    chance, so that the clients of a server that restarts don't come back all at once."""
    full = min(limits.backoff_max, limits.backoff_first * 2.0 ** min(attempt, 30))
    return full / 2 + random.random() * full / 2
