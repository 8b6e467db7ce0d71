"""Who plays: a guest's token, kept, renewed before it ends, and forgotten when it was revoked."""

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Callable, MutableMapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from weakref import WeakSet

import aiohttp
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tesela.connect_protocol import Answer, server_stream, unary
from tesela.errors import CallFailed, Refused
from tesela.limits import Limits
from tesela.lobby.v1.lobby_pb2 import (RenewTokenRequest, RenewTokenResponse, SignInRequest,
                                       SignInResponse)

LOBBY = "tesela.lobby.v1.LobbyService"
_RENEW_BEFORE_S = 7 * 24 * 3600
_DEVICE_SECRET_BYTES = 32


@dataclass(frozen=True)
class Player:
    """A player and the secrets of this client."""

    token: str
    player_id: str
    display_name: str
    #: Unix time, in seconds.
    expires_at: float
    #: What the token can be renewed with, in hexadecimal digits.
    device_secret: str


class Session:
    """The calls of one player."""

    def __init__(self, url: str, store: MutableMapping[str, str],
                 revoked: Callable[[], object], limits: Limits) -> None:
        """`revoked`: the server takes the token no more."""
        self.url = url
        self.limits = limits
        self.http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0),
                                          timeout=aiohttp.ClientTimeout(total=None))
        self._timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=limits.silence_max, sock_read=limits.silence_max)
        self._store = store
        self._key = f"tesela.player@{url}"
        self._revoked = revoked
        self._closed = asyncio.Event()
        self._readers: WeakSet[aiohttp.StreamReader] = WeakSet()
        self._renewal: asyncio.Task[None] | None = None
        self.player = self._recall()

    async def begin(self, display_name: str, device: str) -> None:
        """Goes on as the player whom the store knows, else as a new guest."""
        if self.player:
            return
        secret = secrets.token_bytes(_DEVICE_SECRET_BYTES)
        request = SignInRequest(display_name=display_name, device_secret=secret, device=device)
        answer = await self.call(f"{LOBBY}/SignIn", request, SignInResponse)
        self._keep(Player(answer.token, answer.player_id, answer.display_name,
                          _unix_time(answer.expires_at), secret.hex()))

    def end(self) -> None:
        """Forgets the player."""
        if not self.player:
            return
        self.player = None
        with suppress(OSError, KeyError):
            del self._store[self._key]
        self._revoked()

    async def call(self, method: str, request: Message, answer: type[Answer]) -> Answer:
        """One question, one answer. Raises Refused and CallFailed."""
        headers = self._headers()
        try:
            return await unary(self.http, f"{self.url}/{method}", headers, self._timeout, request,
                               answer)
        except (Refused, CallFailed) as error:
            self._failed(error, headers)
            raise

    async def stream(self, method: str, request: Message,
                     answer: type[Answer]) -> AsyncGenerator[Answer, None]:
        """One question, many answers. Raises Refused and CallFailed."""
        headers = self._headers()
        try:
            async for each in server_stream(self.http, f"{self.url}/{method}", headers,
                                            self._timeout, request, answer,
                                            self._readers.add):
                yield each
        except (Refused, CallFailed) as error:
            self._failed(error, headers)
            raise

    async def pause(self, seconds: float) -> None:
        """Waits so long, or until this client is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closed.wait()

    async def close(self) -> None:
        """Ends all calls."""
        self._closed.set()
        if self._renewal:
            self._renewal.cancel()
        # aiohttp wakes nobody who reads of a connection that it closes.
        for reader in self._readers:
            reader.set_exception(CallFailed("unavailable", "This client is closed."))
        await self.http.close()

    def _headers(self) -> dict[str, str]:
        if self._closed.is_set():
            raise Refused("CLOSED", "This client is closed.")
        if not self.player:
            return {}
        if not self._renewal and self.player.expires_at - time.time() < _RENEW_BEFORE_S:
            self._renewal = asyncio.create_task(self._renew(self.player))
        return {"authorization": f"Bearer {self.player.token}"}

    def _failed(self, error: Refused | CallFailed, headers: dict[str, str]) -> None:
        if headers and error.code == "unauthenticated":
            self.end()

    async def _renew(self, player: Player) -> None:
        try:
            request = RenewTokenRequest(device_secret=bytes.fromhex(player.device_secret))
            answer = await self.call(f"{LOBBY}/RenewToken", request, RenewTokenResponse)
            if self.player == player:
                self._keep(replace(player, token=answer.token,
                                   expires_at=_unix_time(answer.expires_at)))
        except (Refused, CallFailed):
            pass  # The next call tries again.
        finally:
            self._renewal = None

    def _keep(self, player: Player) -> None:
        self.player = player
        with suppress(OSError):  # A store that refuses: the player is forgotten with the program.
            self._store[self._key] = json.dumps(asdict(player))

    def _recall(self) -> Player | None:
        try:
            player = Player(**json.loads(self._store[self._key]))
            return player if player.expires_at > time.time() else None
        except (OSError, KeyError, TypeError, ValueError):
            return None


def _unix_time(timestamp: Timestamp) -> float:
    """The time that the server said; a far one, if it said none."""
    return timestamp.ToMilliseconds() / 1000 if timestamp.ByteSize() else 2.0 ** 53
