"""Reads the profiles of callgrind, one for each thread, and divides their cost by rooms."""

import collections
import pathlib
import re

COMPRESSED = re.compile(r"\((\d+)\)(?: (.*))?$")
ALLOCATORS = re.compile(
    r"(malloc|calloc|realloc|aligned_alloc|posix_memalign|operator new(\[\])?\(.*)$")
ROUNDS = 60  # until shares stand still; calls are less deep


class Profile:
    """The cost of one thread: instructions of functions, and calls from one to another."""

    def __init__(self):
        self.own = collections.Counter()  # function -> instructions
        self.calls = collections.Counter()  # (caller, called) -> calls
        self.below = collections.Counter()  # (caller, called) -> instructions

    @classmethod
    def read(cls, path: pathlib.Path) -> "Profile":
        profile, names = cls(), {}

        def name_of(text: str) -> str:
            number, name = COMPRESSED.match(text).groups()
            if name is not None:
                # One function has several names when callgrind met it in recursion.
                names[number] = re.sub(r"'\d+$", "", name)
            return names[number]

        function, called, count = "", "", 0
        for line in path.read_text().splitlines():
            if line.startswith("fn="):
                function = name_of(line[3:])
            elif line.startswith("cfn="):
                called = name_of(line[4:])
            elif line.startswith("calls="):
                count = int(line[6:].split()[0])
            elif line and (line[0].isdigit() or line[0] in "+-*"):
                parts = line.split()
                cost = int(parts[1]) if len(parts) > 1 else 0
                if count:
                    profile.calls[function, called] += count
                    profile.below[function, called] += cost
                    count = 0
                else:
                    profile.own[function] += cost
        return profile

    def minus(self, other: "Profile") -> "Profile":
        """What this profile has more."""
        rest = Profile()
        for name in ("own", "calls", "below"):
            mine, theirs = getattr(self, name), getattr(other, name)
            getattr(rest, name).update({key: max(0, mine[key] - theirs[key]) for key in mine})
        return rest

    def instructions(self) -> int:
        return sum(self.own.values())

    def has(self, pattern: str) -> bool:
        return any(re.search(pattern, name) for name in self.own)

    def by_room(self, rooms: list[tuple[str, str]], rest: str) -> tuple[dict, dict]:
        """Instructions and allocations by room. A room begins at the functions that match its
        pattern, and what they call belongs to it, up to where another begins. A function that
        several rooms call is divided among them, as what their calls of it cost."""
        begins = {}
        for name in set(self.own) | {called for _, called in self.calls}:
            begins[name] = next((room for room, pattern in rooms if re.search(pattern, name)), None)
        callers = collections.defaultdict(list)
        for (caller, called), cost in self.below.items():
            if cost and caller != called:
                callers[called].append((caller, cost))
        shares = {name: {room or rest: 1.0} for name, room in begins.items()}
        for _ in range(ROUNDS):
            for name, room in begins.items():
                if room or not callers[name]:
                    continue
                total = sum(cost for _, cost in callers[name])
                mixed = collections.Counter()
                for caller, cost in callers[name]:
                    for which, share in shares.get(caller, {rest: 1.0}).items():
                        mixed[which] += share * cost / total
                shares[name] = mixed
        instructions, allocations = collections.Counter(), collections.Counter()
        for name, cost in self.own.items():
            for room, share in shares[name].items():
                instructions[room] += cost * share
        for (caller, called), count in self.calls.items():
            if ALLOCATORS.match(called) and not ALLOCATORS.match(caller):
                for room, share in shares.get(caller, {rest: 1.0}).items():
                    allocations[room] += count * share
        return instructions, allocations
