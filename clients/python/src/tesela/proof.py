"""What binds the server to the dice of a game, computed here (engine/README.md, "Fair by
proof")."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from tesela.games import is_config_of, seats_of
from tesela.lobby.v1.history_pb2 import Contribution, GameRecord
from tesela.lobby.v1.lobby_pb2 import Table
from tesela.play.v1.contribution_pb2 import (
    CONTRIBUTION_STATE_AFTER_COMMITMENT, CONTRIBUTION_STATE_AWAITED,
    CONTRIBUTION_STATE_UNSPECIFIED, CONTRIBUTION_STATE_WITH_SEAT)

_ENCODING = b"\1"
_SEED_BYTES = 32
_CONTRIBUTION_BYTES_MAX = 64
_ADDED = (CONTRIBUTION_STATE_AFTER_COMMITMENT, CONTRIBUTION_STATE_WITH_SEAT)


@dataclass(frozen=True)
class Verdict:
    """What a check of a record found."""

    ok: bool
    #: What does not hold; empty when all does.
    broken: Sequence[str]
    #: What the check does not cover: the server's word alone, or `tesela verify`'s.
    not_covered: Sequence[str]


def verify(record: GameRecord, *, promised: bytes = b"", added: bytes = b"") -> Verdict:
    """Checks what binds the server to the dice of a finished game. It knows no rule: that the
    moves lead to the result is checked by `tesela verify` and HistoryService.Verify.

    `promised`: what Table.commitment was while the game was played, where the caller noted it.
    `added`: what the caller added to the dice."""
    table = record.table
    if len(record.server_seed) != _SEED_BYTES:
        return Verdict(False, ["The record shows no seed: the game is not over."], [])
    shown = any(one.bytes == added for one in record.contributions)
    checks = (
        # The record says more seats than a hash can cover only if it is altered.
        (table.seat_count < 256 and table.commitment == commitment_of(
            record.server_seed, table.game, record.config, table.seat_count),
         "The seed is not the one that was promised."),
        (not promised or promised == table.commitment, "The promise of the record is another."),
        (all(one.seat < 256 and len(one.bytes) < 256 for one in record.contributions)
         and record.game_seed == game_seed_of(record.server_seed, record.contributions),
         "The dice do not follow from the seeds."),
        (not added or shown, "What you added to the dice is not in the record."),
        (_shown_holds(record),
         "The record shows another configuration or other seats than were used."))
    broken = [sentence for holds, sentence in checks if not holds]
    not_covered = ["moves", "table.result", "table.created_at", "table.ended_at"]
    if not promised:
        not_covered.append("table.commitment")
    return Verdict(not broken, broken, not_covered)


def commitment_of(server_seed: bytes, game: str, config: bytes, seats: int) -> bytes:
    """The hash that the server shows before the game."""
    parts = (b"tesela.commitment", _ENCODING, server_seed, _measured(game.encode()),
             _measured(config), bytes([seats]))
    return sha256(b"".join(parts)).digest()


def game_seed_of(server_seed: bytes, contributions: Sequence[Contribution]) -> bytes:
    """The seed of the dice; `contributions` in the order of seats."""
    mixed = b"".join(bytes([one.seat, len(one.bytes)]) + one.bytes for one in contributions)
    return sha256(b"tesela.seed" + _ENCODING + server_seed + mixed).digest()


def _measured(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part


def _shown_holds(record: GameRecord) -> bool:
    """Whether what a record shows beside what its hashes cover is what they cover: the
    configuration, the seats, and who has added to the dice."""
    table = record.table
    return (table.HasField("config") and table.config.value == record.config
            and is_config_of(table.game, table.config.type_url)
            and table.seat_count == seats_of(table.game, record.config) == len(table.seats)
            and all(taken.seat == seat for seat, taken in enumerate(table.seats))
            and _contributions_hold(table, record.contributions)
            and _states_hold(table, record.contributions))


def _contributions_hold(table: Table, contributions: Sequence[Contribution]) -> bool:
    """Whether each is that of a player at the table, in the order of the seats."""
    seats = [one.seat for one in contributions]
    return (seats == sorted(set(seats))
            and all(seat < len(table.seats) and not table.seats[seat].bot for seat in seats)
            and all(len(one.bytes) <= _CONTRIBUTION_BYTES_MAX for one in contributions))


def _states_hold(table: Table, contributions: Sequence[Contribution]) -> bool:
    """Whether the states of the seats agree with the contributions. A record from before there
    were states has none."""
    if all(taken.contribution == CONTRIBUTION_STATE_UNSPECIFIED for taken in table.seats):
        return True
    added = {one.seat for one in contributions}
    return all((taken.contribution in _ADDED) == (taken.seat in added)
               and taken.contribution != CONTRIBUTION_STATE_AWAITED
               for taken in table.seats)
