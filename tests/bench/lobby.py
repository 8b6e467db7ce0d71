"""The lobby of a server, by the Connect protocol in JSON."""

import json
import struct
import urllib.request

SERVICE = "tesela.lobby.v1.LobbyService"
HISTORY = "tesela.lobby.v1.HistoryService"
MATCHMAKING = "tesela.lobby.v1.MatchmakingService"
LEADERBOARD = "tesela.lobby.v1.LeaderboardService"
ANSWER_SECONDS_MAX = 20


def call(port: int, method: str, request: dict, token: str = "", service: str = SERVICE) -> dict:
    """A unary call."""
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/{service}/{method}",
                                   json.dumps(request).encode(), headers)
    with urllib.request.urlopen(asked, timeout=ANSWER_SECONDS_MAX) as answer:
        return json.load(answer)


def stream(port: int, method: str, request: dict, service: str) -> list[dict]:
    """The messages of a call that streams, without the last envelope."""
    body = json.dumps(request).encode()
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/{service}/{method}",
                                   struct.pack(">BI", 0, len(body)) + body,
                                   {"content-type": "application/connect+json"})
    messages = []
    with urllib.request.urlopen(asked, timeout=ANSWER_SECONDS_MAX) as answer:
        while True:
            flags, size = struct.unpack(">BI", answer.read(5))
            message = json.loads(answer.read(size))
            if flags & 2:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return messages
            messages.append(message)


def sign_in(port: int) -> str:
    """The token of a new guest."""
    return call(port, "SignIn", {"displayName": "Bench"})["token"]
