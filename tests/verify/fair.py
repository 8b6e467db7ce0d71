"""The hashes of "Fair by proof" (engine/README.md), from that page and hashlib alone."""

import hashlib
import hmac

VERSION = b"\x01"
CONTRIBUTION_BYTES_MAX = 64


def _measured(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def commitment(server_seed: bytes, game: str, config: bytes, seats: int) -> bytes:
    """What the server shows before the first move."""
    return hashlib.sha256(b"tesela.commitment" + VERSION + server_seed + _measured(game.encode())
                          + _measured(config) + bytes([seats])).digest()


def game_seed(server_seed: bytes, contributions: list[tuple[int, bytes]]) -> bytes:
    """The key of the dice; `contributions` are pairs of a seat and what its player added."""
    seats = [seat for seat, _ in contributions]
    if seats != sorted(set(seats)):
        raise ValueError("the contributions are in the order of the seats, one for each")
    if any(len(added) > CONTRIBUTION_BYTES_MAX for _, added in contributions):
        raise ValueError(f"a contribution has at most {CONTRIBUTION_BYTES_MAX} bytes")
    added = b"".join(bytes([seat, len(data)]) + data for seat, data in contributions)
    return hashlib.sha256(b"tesela.seed" + VERSION + server_seed + added).digest()


def daily_seed(secret: bytes, date: str, game: str) -> bytes:
    """The server's seed of a day (YYYY-MM-DD) for a game."""
    message = b"tesela.daily" + VERSION + date.encode() + _measured(game.encode())
    return hmac.new(secret, message, hashlib.sha256).digest()
