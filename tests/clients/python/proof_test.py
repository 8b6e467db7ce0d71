"""The hashes of the proof, against the vectors of the second verifier."""

import json
import os
import unittest
from pathlib import Path

from tesela import verify
from tesela.game.v1.azul_pb2 import AzulConfig
from tesela.games import pack
from tesela.lobby.v1.history_pb2 import Contribution, GameRecord
from tesela.lobby.v1.lobby_pb2 import Table
from tesela.play.v1.contribution_pb2 import CONTRIBUTION_STATE_AFTER_COMMITMENT
from tesela.play.v1.play_pb2 import SeatOccupant
from tesela.proof import commitment_of, game_seed_of

VECTORS = [json.loads(line) for line in
           Path(os.environ["TESELA_VECTORS"]).read_text("utf-8").splitlines()]


def honest() -> GameRecord:
    """A game of two, in which the second player has added to the dice."""
    config = AzulConfig(players=2)
    seed, added = bytes(32), [Contribution(seat=1, bytes=b"dice")]
    seats = [SeatOccupant(seat=0), SeatOccupant(seat=1)]
    seats[1].contribution = CONTRIBUTION_STATE_AFTER_COMMITMENT
    return GameRecord(
        table=Table(game="azul", config=pack(config), seats=seats, seat_count=2,
                    commitment=commitment_of(seed, "azul", config.SerializeToString(), 2)),
        server_seed=seed, config=config.SerializeToString(), contributions=added,
        game_seed=game_seed_of(seed, added))


class Proof(unittest.TestCase):
    """verify, and its parts."""

    def test_the_hashes_are_those_of_the_second_verifier(self) -> None:
        """Commitments and seeds."""
        for vector in (one for one in VECTORS if one["kind"] in ("commitment", "seed")):
            seed = bytes.fromhex(vector["serverSeed"])
            if vector["kind"] == "commitment":
                hashed = commitment_of(seed, vector["game"], bytes.fromhex(vector["config"]),
                                       vector["seats"])
                self.assertEqual(vector["commitment"], hashed.hex())
            else:
                added = [Contribution(seat=one["seat"], bytes=bytes.fromhex(one["bytes"]))
                         for one in vector["contributions"]]
                self.assertEqual(vector["seed"], game_seed_of(seed, added).hex())

    def test_whatever_of_a_record_is_altered_that_is_checked_it_notices(self) -> None:
        """One forgery at a time."""
        record = honest()
        promised = record.table.commitment
        self.assertEqual([], verify(record, promised=promised, added=b"dice").broken)
        self.assertFalse(verify(record, promised=bytes(32)).ok)
        self.assertFalse(verify(record, added=b"others").ok)
        table = record.table
        for name, part, value in (
                ("game", table, "2048"), ("commitment", table, b"another"),
                ("seat_count", table, 3), ("seat_count", table, 258),
                ("server_seed", record, bytes([1]) * 32), ("server_seed", record, b""),
                ("game_seed", record, b"another"), ("config", record, b"\x08\x03"),
                ("value", table.config, b"\x08\x03"), ("seat", table.seats[0], 1),
                ("type_url", table.config, "example.org/tesela.game.v1.AzulConfig"),
                ("bot", table.seats[1], True), ("contribution", table.seats[0], 3),
                ("contribution", table.seats[1], 4), ("bytes", record.contributions[0], b"Dice"),
                ("seat", record.contributions[0], 0), ("seat", record.contributions[0], 257)):
            with self.subTest(name=name, value=value):
                kept = getattr(part, name)
                setattr(part, name, value)
                self.assertFalse(verify(record).ok)
                setattr(part, name, kept)
        self.assertTrue(verify(record).ok)


if __name__ == "__main__":
    unittest.main()
