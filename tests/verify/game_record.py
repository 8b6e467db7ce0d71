"""What HistoryService.GetRecord answers in JSON, as a record of README.md."""

import base64

import shown
from rules import Untrue


def _hex(text: str) -> str:
    return base64.b64decode(text).hex()


def _digest(number: str) -> str:
    return f"{int(number):016x}"


def _check_promise(record: dict) -> None:
    """Raises Untrue where the server's promise, or what the dice follow from, is not there."""
    if not record.get("serverSeed") and not record["table"].get("commitment"):
        raise Untrue("the record holds no promise of the server, neither its seed nor its "
                     "commitment: nobody can tell whether its dice were chosen")
    for name, holder in (("serverSeed", record), ("gameSeed", record),
                         ("commitment", record["table"])):
        if not holder.get(name):
            raise Untrue(f"the record has no {name}")


def record_of(answer: dict) -> dict:
    """A record without scores but the last: GetRecord gives none for each version. Raises
    Untrue."""
    record = answer["record"]
    table = record["table"]
    _check_promise(record)
    shown.check(record, base64.b64decode(record["config"]))
    events = [{"version": 1, "digest": _digest(record["firstDigest"])}]
    for move in record.get("moves", []):
        event = {"version": int(move["version"]), "seat": move.get("seat", 0),
                 "digest": _digest(move["digest"])}
        kind = move["move"]["@type"].rpartition("/")[2]
        if kind == "tesela.play.v1.Resigned":
            event["resigned"] = True
        elif kind == "tesela.play.v1.Undone":
            event["backTo"] = int(move["move"]["toVersion"])
        else:
            event["move"] = {name: value for name, value in move["move"].items()
                             if name != "@type"}
        events.append(event)
    out = {"game": table["game"], "config": _hex(record["config"]), "seats": table["seatCount"],
           "commitment": _hex(table["commitment"]), "gameSeed": _hex(record["gameSeed"]),
           "serverSeed": _hex(record["serverSeed"]),
           "contributions": [{"seat": added.get("seat", 0), "bytes": _hex(added["bytes"])}
                             for added in record.get("contributions", [])],
           "events": events}
    if "result" in table:
        standings = table["result"]["standings"]
        events[-1]["scores"] = [int(standing.get("points", 0)) for standing in standings]
        out["resigned"] = [seat for seat, standing in enumerate(standings)
                           if standing.get("resigned")]
        out["ranks"] = [standing["rank"] for standing in standings]
    return out
