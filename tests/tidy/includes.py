"""Who may include whom (DESIGN.md, "The house"): dependencies point one way."""

import re

from tree import Finding, Tree, matches

# What a standard header's name looks like; Boost's have a slash, C's and the system's a dot.
STANDARD = r"[a-z_]+$"
# The rules never touch the world: no clock, thread, socket, file or chance but Rng.
IMPURE = {"thread", "mutex", "condition_variable", "future", "fstream", "iostream", "filesystem",
          "random", "ctime"}
# Where *.pb.h may appear inside the server: its edges. The Connect gateway needs protobuf's own.
PROTO_ROOMS = ("server/codec/", "server/lobby/", "server/store/record", "server/pch.h",
               "server/net/connect_")
# The folders of clients/cli, each with the folders beside it that it may include: no circles. Those
# that need the server's code (its codecs, and the check of a record) have "server".
CLI_FOLDERS = {
    "base": (),
    "client": ("base",),
    "screen": (),
    "simulate": ("base",),
    "games": ("base", "screen", "simulate", "server"),
    "table": ("base", "client", "games", "screen"),
    "play": ("base", "client", "games", "screen", "table"),
    "load": ("base", "client", "server"),
    "tools": ("base", "client", "games", "simulate", "server"),
    "admin": ("base", "client"),
}


def _cli_rooms():
    """The entries of ROOMS for the folders of clients/cli."""
    for folder, others in CLI_FOLDERS.items():
        beside = (f"clients/cli/{other}/" for other in (folder, *others) if other != "server")
        server = ("server/",) if "server" in others else ()
        yield f"clients/cli/{folder}/", (*beside, "engine/", *server)


# Room -> prefixes of what it may include in quotes. The first room that fits a file counts.
ROOMS = {
    "engine/core/": ("engine/core/",),
    "engine/strategy/": ("engine/",),
    "engine/": ("engine/core/", "{room}/"),
    "server/": ("engine/", "server/"),
    **dict(_cli_rooms()),
    # The top: the program's main.cc.
    "clients/cli/": tuple(f"clients/cli/{folder}/" for folder in CLI_FOLDERS),
    "clients/": ("clients/", "engine/", "server/"),
}


def check_includes(tree: Tree):
    """Findings of every include in engine/, server/ and clients/."""
    for path, text in tree.items():
        if not path.endswith((".cc", ".h")):
            continue
        room = next((r for r in ROOMS if path.startswith(r)), None)
        if room is None:
            continue
        own = "/".join(path.split("/")[:2])
        allowed = tuple(prefix.format(room=own) for prefix in ROOMS[room])
        for line, match in matches(text, r'^\s*#\s*include\s+([<"])([^>"]+)[>"]'):
            kind, target = match.groups()
            if message := _breach(path, kind, target, allowed):
                yield Finding(path, line, message)


def _breach(path: str, kind: str, target: str, allowed: tuple[str, ...]) -> str | None:
    if target.endswith(".pb.h"):
        if path.startswith("clients/") or path.startswith(PROTO_ROOMS):
            return None
        return f"{target}: generated messages stay at the edges ({', '.join(PROTO_ROOMS)})"
    if kind == '"':
        return None if target.startswith(allowed) else (
            f"{target}: may include only {', '.join(allowed)}")
    if not path.startswith("engine/"):
        return None
    if not re.match(STANDARD, target):
        return f"<{target}>: the engine includes nothing but the standard library and itself"
    clocked = target == "chrono" and not path.startswith("engine/strategy/")
    if target in IMPURE or clocked:
        return f"<{target}>: the engine is pure: no clock, no thread, no file, no chance but Rng"
    return None
