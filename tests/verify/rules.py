"""What the rules of all games share."""


class Illegal(Exception):
    """A move that the rules do not allow."""


class Untrue(Exception):
    """Where a record and the rules part."""


def require(allowed: bool, why: str) -> None:
    """Refuses what is not allowed."""
    if not allowed:
        raise Illegal(why)


def u64(value: int) -> bytes:
    """Eight bytes of a digest, the lowest first."""
    return (value & (1 << 64) - 1).to_bytes(8, "little")


def ranks(orders: list) -> list[int]:
    """The rank of each: 1 and the number of those who are better, that is greater."""
    return [1 + sum(other > own for other in orders) for own in orders]
