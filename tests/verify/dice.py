"""The dice of a game (engine/README.md, "Fair by proof"): ChaCha20 and exact draws."""

import struct

MASK = 0xFFFFFFFF
CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
# The columns and then the diagonals of a double round (RFC 8439, section 2.3).
QUARTERS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & MASK


def chacha20_block(key: bytes, counter: int, nonce: bytes) -> list[int]:
    """The sixteen words of a block."""
    begin = [*CONSTANTS, *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    s = list(begin)
    for _ in range(10):
        for a, b, c, d in QUARTERS:
            for into, other, turned, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8),
                                              (c, d, b, 7)):
                s[into] = (s[into] + s[other]) & MASK
                s[turned] = _rotated(s[turned] ^ s[into], bits)
    return [(word + first) & MASK for word, first in zip(s, begin)]


class Dice:
    """The draws under a seed, one after the other."""

    def __init__(self, seed: bytes):
        self.seed = seed
        self.drawn = 0
        self.block: list[int] = []

    def word(self) -> int:
        """The next word of the stream."""
        number, at = divmod(self.drawn, 16)
        if at == 0:
            nonce = struct.pack("<3I", number >> 32, 0, 0)
            self.block = chacha20_block(self.seed, number & MASK, nonce)
        self.drawn += 1
        return self.block[at]

    def uniform(self, n: int) -> int:
        """A number from 0 to n - 1."""
        while True:
            product = self.word() * n
            if product & MASK >= (1 << 32) % n:
                return product >> 32
