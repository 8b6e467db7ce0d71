"""Messages of protocol buffers, as far as the configurations need them.

https://protobuf.dev/programming-guides/encoding
"""


def varints(data: bytes) -> list[int]:
    """What a packed field holds."""
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value, shift = 0, 0
    if shift:
        raise ValueError("the configuration ends within a number")
    return numbers


def fields(data: bytes) -> dict[int, list]:
    """The values of each field by its number: int for a varint, bytes for what has a length."""
    found: dict[int, list] = {}
    at = 0

    def number() -> int:
        nonlocal at
        begin = at
        while at < len(data) and data[at] >= 0x80:
            at += 1
        at += 1
        return varints(data[begin:at])[0]

    while at < len(data):
        tag = number()
        if tag & 7 == 0:
            value = number()
        elif tag & 7 == 2:
            length = number()
            value, at = data[at:at + length], at + length
        else:
            raise ValueError(f"no configuration has a field of the wire type {tag & 7}")
        found.setdefault(tag >> 3, []).append(value)
    return found


def field_of(entry) -> tuple[int, object]:
    """The number and the kind of a field in a game's CONFIG: an int alone is that of a number; a
    list has the one of a list of numbers. A dict is the kind of messages, by their fields; a tuple
    of names that of an enumeration; or it is bool."""
    if isinstance(entry, list):
        return entry[0], list
    return entry if isinstance(entry, tuple) else (entry, int)
