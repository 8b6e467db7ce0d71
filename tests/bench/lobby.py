"""The lobby of a server, by the Connect protocol in JSON."""

import json
import urllib.request

SERVICE = "tesela.lobby.v1.LobbyService"
HISTORY = "tesela.lobby.v1.HistoryService"
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


def sign_in(port: int) -> str:
    """The token of a new guest."""
    return call(port, "SignIn", {"displayName": "Bench"})["token"]
