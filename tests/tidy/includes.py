"""Who may include whom (docs/ARCHITECTURE.md, The folders of server/): one way only."""

import re

from tree import Finding, Tree, matches

# What a standard header's name looks like; Boost's have a slash, C's and the system's a dot.
STANDARD = r"[a-z_]+$"
# The rules never touch the world: no clock, thread, socket, file or chance but Rng.
IMPURE = {"thread", "mutex", "condition_variable", "future", "fstream", "iostream", "filesystem",
          "random", "ctime"}
# Which of the files outside the folders of games know them.
REGISTRY = re.compile(r"engine/strategy/registry\.")
# Where *.pb.h may appear inside the server: its edges. The Connect gateway needs protobuf's own.
PROTO_FOLDERS = ("server/archive/", "server/games/", "server/codec/", "server/execution/",
                 "server/directory/", "server/history/", "server/picture/", "server/rpc/",
                 "server/services/", "server/ops/admin/", "server/pch.h")
# The folders of server/, lowest first: each includes only itself and those before it. GAME is the
# folder of any game.
SERVER_LAYERS = (
    "base/sockets", "base/threads", "base/urls", "base", "base/printing", "base/log",
    "metrics", "tracing", "quota",
    "games", "games/GAME", "codec", "execution", "archive", "store", "store/lives",
    "store/sql/session", "store/sql/merging", "store/sql/notices",
    "store/sql",
    "store/sqlite/files", "store/sqlite/database", "store/sqlite/read", "store/sqlite/write",
    "store/sqlite/backup", "store/sqlite", "store/postgres/connection", "store/postgres/write",
    "store/postgres/schema", "store/postgres", "store/migration", "store/backend",
    "upgrade", "retention", "bots", "replay", "check", "tables/core", "tables/members", "tables",
    "accounts",
    "directory/lobby", "directory", "sweeping", "matchmaking", "history", "picture",
    "net", "net/http", "fetch", "oidc", "push",
    "rpc", "rpc/grpc",
    "nodes", "nodes/searches", "services/history", "services", "services/conduct",
    "services/friends", "services/notifications", "stream",
    "ops", "ops/admin",
    "app",
)
# The folders of clients/cli, each with those it may include besides itself and the engine: no
# circles.
CLI_FOLDERS = {
    "base": ("server/base/printing",),
    "client": ("base",),
    "screen": ("base", "server/base/printing"),
    "simulate": ("base",),
    "games": ("base", "screen", "simulate", "server/games"),
    "table": ("base", "client", "games", "screen"),
    "play": ("base", "client", "games", "screen", "table", "server/base/printing",
             "server/games"),
    "load": ("base", "client", "server/games"),
    "train": ("base", "simulate"),
    "tools": ("base", "client", "games", "simulate", "train", "server/execution", "server/games"),
    "admin": ("base", "client", "screen", "table"),
    "account": ("base", "client", "play", "server/base/urls"),
}


def _cli_folders():
    """The entries of FOLDERS for clients/cli, and last its top: the program's main.cc."""
    for folder, others in CLI_FOLDERS.items():
        allowed = (other if "/" in other else f"clients/cli/{other}" for other in (folder, *others))
        yield f"clients/cli/{folder}/", ("engine/", *(f"{other}/" for other in allowed))
    yield "clients/cli/", tuple(f"clients/cli/{folder}/" for folder in CLI_FOLDERS)


# Folder -> prefixes of what it may include in quotes. The first folder that fits a file counts.
FOLDERS = {
    "engine/core/": ("engine/core/",),
    "engine/strategy/": ("engine/",),
    "engine/": ("engine/core/", "{folder}/"),
    "server/": ("engine/", "server/"),
    **dict(_cli_folders()),
    "clients/": ("clients/", "engine/", "server/"),
}


def check_includes(tree: Tree):
    """Findings of every include in engine/, server/ and clients/."""
    for path, text in tree.items():
        if not path.endswith((".cc", ".h")):
            continue
        folder = next((f for f in FOLDERS if path.startswith(f)), None)
        if folder is None:
            continue
        own = "/".join(path.split("/")[:2])
        allowed = tuple(prefix.format(folder=own) for prefix in FOLDERS[folder])
        for line, match in matches(text, r'^\s*#\s*include\s+([<"])([^>"]+)[>"]'):
            kind, target = match.groups()
            if message := (_breach(path, kind, target, allowed) or _upward(path, target)
                           or _foreign(path, target)):
                yield Finding(path, line, message)


def _folder(path: str) -> str:
    return path.removeprefix("server/").rpartition("/")[0]


def _layer(path: str) -> int | None:
    """Where a file of server/ stands among the layers; none for those of server/ itself."""
    folder = re.sub(r"^games/(?!wire$)\w+$", "games/GAME", _folder(path))
    return SERVER_LAYERS.index(folder) if folder in SERVER_LAYERS else None


def _upward(path: str, target: str) -> str | None:
    if not path.startswith("server/") or not target.startswith("server/"):
        return None
    own, other = _layer(path), _layer(target)
    if own is None and path.count("/") > 1:
        return f"{path}: its folder is not among SERVER_LAYERS of tests/tidy/includes.py"
    if own is not None and other is None and target != "server/pch.h":
        return f"{target}: a folder includes nothing of the composition root"
    if own is None or other is None or other < own or _folder(path) == _folder(target):
        return None
    return (f"{target}: {SERVER_LAYERS[own]} does not stand above {SERVER_LAYERS[other]}; "
            "a folder includes only itself and those below it")


def _game(path: str) -> str | None:
    """The game whose folder a file of engine/ stands in."""
    return next((part for part in path.split("/")[1:-1] if part not in ("core", "strategy")), None)


def _foreign(path: str, target: str) -> str | None:
    strategies = path.startswith("engine/strategy/") and not REGISTRY.match(path)
    if not strategies or _game(target) in (None, _game(path)):
        return None
    return f"{target}: strategies know the game of their folder, and only the registry all games"


def _breach(path: str, kind: str, target: str, allowed: tuple[str, ...]) -> str | None:
    if target.endswith(".pb.h"):
        if path.startswith("clients/") or path.startswith(PROTO_FOLDERS):
            return None
        return f"{target}: generated messages stay at the edges ({', '.join(PROTO_FOLDERS)})"
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
