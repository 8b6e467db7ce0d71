"""What GetRecord shows beside what is executed: it is checked here, or named in NOT_COVERED."""

from datetime import datetime, timezone

import wire
from games import GAMES
from rules import Untrue

# Fields that nothing in a record follows from or leads to: the server's word alone.
NOT_COVERED = (
    "table.tableId", "table.seats.playerId", "table.seats.displayName", "table.seats.strategy",
    "table.seats.bot", "table.seats.contribution", "table.createdAt", "table.ownerId",
    "table.options", "table.assisted", "table.dailyDate", "dealtAtMs", "moves.atMs",
    "moves.moveId", "moves.strategy", "moves.spentMs", "moves.timedOut")
# Where the record does not say how contributions came: whether the players added them.
NOT_COVERED_WITHOUT_STATES = ("contributions",)
# Where a game was broken off: when, whether more was played, and who had given up.
NOT_COVERED_CLOSED = ("table.endedAt", "moves[]", "moves.seat")
NOT_COVERED_RESIGNED = ("moves.move.claimedBy",)

ANY = "type.googleapis.com/"
COVERED = {
    "": {"table", "serverSeed", "contributions", "gameSeed", "dealtAtMs", "firstDigest", "moves",
         "config"},
    "table": {"tableId", "game", "config", "state", "seats", "createdAt", "endedAt", "result",
              "seatCount", "ownerId", "options", "assisted", "commitment", "dailyDate"},
    "seats": {"seat", "playerId", "displayName", "strategy", "bot", "contribution"},
    "result": {"standings"},
    "standings": {"seat", "points", "rank", "resigned"},
    "contributions": {"seat", "bytes"},
    "moves": {"version", "atMs", "seat", "moveId", "strategy", "move", "digest", "spentMs",
              "timedOut"},
}
NO_MOVE = {"tesela.play.v1.Resigned": {"claimedBy"}, "tesela.play.v1.Undone": {"toVersion"}}


def _require(held: bool, why: str) -> None:
    if not held:
        raise Untrue(why)


def _known(message: dict, name: str) -> None:
    unknown = set(message) - COVERED[name]
    _require(not unknown, f"a record has no field {unknown} in '{name}'")


def _gives_up(record: dict) -> bool:
    """Whether somebody has given up, or was away when another one claimed the game."""
    return any(move["move"]["@type"].endswith(".Resigned") for move in record.get("moves", []))


def not_covered(record: dict) -> tuple[str, ...]:
    """What the verdict on this record does not cover."""
    table = record["table"]
    unsaid = bool(record.get("contributions")) and not any(_states(table))
    return (NOT_COVERED
            + (NOT_COVERED_WITHOUT_STATES if unsaid else ())
            + (NOT_COVERED_CLOSED if table.get("state") == "TABLE_STATE_CLOSED" else ())
            + getattr(GAMES[table["game"]], "NOT_COVERED", ())
            + (NOT_COVERED_RESIGNED if _gives_up(record) else ()))


def check(record: dict, config: bytes) -> None:
    """Raises Untrue. `config` are the bytes that the commitment covers."""
    table = record["table"]
    _known(record, "")
    _known(table, "table")
    _check_config(table, config)
    _check_seats(record)
    _check_result(table)
    for added in record.get("contributions", []):
        _known(added, "contributions")
    for move in record.get("moves", []):
        _check_move(table["game"], move)
    _check_times(record)


def _wire(message: dict, names: dict) -> dict[int, list]:
    """A message in JSON as its numbers, or messages, by their fields."""
    out = {}
    for name, value in message.items():
        values = value if isinstance(value, list) else [value]
        _require(name in names, f"the configuration has no field {name}")
        number, kind = wire.field_of(names[name])
        if isinstance(kind, dict):
            out[number] = [_wire(one, kind) for one in values]
        elif values:
            out[number] = [kind.index(one) if isinstance(kind, tuple) and one in kind else int(one)
                           for one in values]
    return out


def _read(data: bytes, names: dict) -> dict[int, list]:
    """The same of an encoded message."""
    kinds = dict(map(wire.field_of, names.values()))
    out = {}
    for number, values in wire.fields(data).items():
        if isinstance(kinds.get(number), dict):
            out[number] = [_read(one, kinds[number]) for one in values]
        else:
            out[number] = [one for value in values for one in
                           (wire.varints(value) if isinstance(value, bytes) else [value])]
    return out


def _check_config(table: dict, config: bytes) -> None:
    game = GAMES[table["game"]]
    shown = dict(table["config"])
    _require(shown.pop("@type") == f"{ANY}tesela.game.v1.{game.MESSAGES}Config",
             "the table shows the configuration of another game")
    _require(_wire(shown, game.CONFIG) == _read(config, game.CONFIG),
             "the configuration that the table shows is not the one that the commitment covers")


def _states(table: dict) -> list[str]:
    """Of each seat, how its contribution came; empty where the record does not say it."""
    states = (seat.get("contribution", "") for seat in table["seats"])
    return ["" if state == "CONTRIBUTION_STATE_UNSPECIFIED" else state for state in states]


def _check_seats(record: dict) -> None:
    seats = record["table"]["seats"]
    for seat in seats:
        _known(seat, "seats")
    numbers = [seat.get("seat", 0) for seat in seats]
    _require(numbers == list(range(record["table"]["seatCount"])),
             "the seats are not those of the table")
    states = _states(record["table"])
    added = [one.get("seat", 0) for one in record.get("contributions", [])]
    players = [number for number, seat in enumerate(seats) if not seat.get("bot", False)]
    for number in added:
        _require(number in players,
                 f"seat {number} added to the dice, and no player of the table sits there")
    if not any(states):
        return  # a record from before there were such states
    for number, state in enumerate(states):
        says_added = state in ("CONTRIBUTION_STATE_AFTER_COMMITMENT",
                               "CONTRIBUTION_STATE_WITH_SEAT")
        possible = says_added or state in ("", "CONTRIBUTION_STATE_WITHHELD")
        _require(possible and says_added == (number in added),
                 f"seat {number} added to the dice otherwise than the record says")


def _check_result(table: dict) -> None:
    over = table["state"] == "TABLE_STATE_OVER"
    _require(over or table["state"] == "TABLE_STATE_CLOSED", "the game is not over")
    _require(over == ("result" in table), "a game has a result exactly when it is over")
    if not over:
        return
    _known(table["result"], "result")
    for seat, standing in enumerate(table["result"]["standings"]):
        _known(standing, "standings")
        _require(standing.get("seat", 0) == seat, "the result is not in the order of the seats")


def _check_move(game: str, move: dict) -> None:
    _known(move, "moves")
    body = move["move"]
    host, _, kind = body["@type"].rpartition("/")
    _require(host + "/" == ANY, f"'{body['@type']}' is no move")
    fields = set(body) - {"@type"}
    if kind in NO_MOVE:
        _require(fields <= NO_MOVE[kind], f"a {kind} has no fields {fields}")
        _require(not {"strategy", "spentMs", "timedOut"} & set(move), f"a {kind} is no move")
        _require(kind.endswith("Resigned") or move.get("seat", 0) == 0, "only seat 0 takes back")
        _require(body.get("claimedBy") != move.get("seat", 0), "nobody claims against oneself")
        return
    _require(kind == f"tesela.game.v1.{GAMES[game].MESSAGES}Move", f"a {kind} is no move of {game}")
    form = next((form for form in GAMES[game].MOVES if set(form) == fields), None)
    _require(form is not None, f"no move of {game} has the fields {fields}")
    for name, inner in form.items():
        if isinstance(inner, set):
            _require(set(body[name]) == inner, f"the field {name} has no fields {set(body[name])}")
        _require(inner is not True or body[name] is True, f"{name} is true, or not there")


def _ms(text: str) -> int:
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round((time - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() * 1000)


def _check_times(record: dict) -> None:
    """They do not run backwards, and a game ended with its last event."""
    table = record["table"]
    times = [_ms(table["createdAt"]), int(record["dealtAtMs"]),
             *(int(move["atMs"]) for move in record.get("moves", []))]
    _require(times == sorted(times), "the times run backwards")
    _require(table["state"] != "TABLE_STATE_OVER" or _ms(table["endedAt"]) == times[-1],
             "the game ended when its last event happened, and not when the record says")
