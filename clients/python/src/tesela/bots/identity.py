"""Whose the bots are: a guest, whose secret and token are kept in a file."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from tesela.bots.settings import SettingsError
from tesela.lobby.v1.lobby_pb2 import (RenewTokenRequest, RenewTokenResponse, SignInRequest,
                                       SignInResponse)
from tesela.store import FileStore

_RENEW_EVERY_S = 24 * 3600
_CALL_MAX_S = 10
_SECRET_BYTES = 32


class Identity:
    """The player to whom the bots belong."""

    def __init__(self, channel: Any, name: str, file: Path | None) -> None:
        """A new guest is called `name`; without a file it is a new one each time."""
        self._channel = channel
        self._name = name
        self._file = file
        self._token = ""
        self._renewed_at = 0.0
        self._renewing = asyncio.Lock()

    async def token(self) -> str:
        """One that the server takes for long. Raises aio.AioRpcError and SettingsError."""
        async with self._renewing:
            if not self._token or time.monotonic() - self._renewed_at > _RENEW_EVERY_S:
                try:
                    self._token = await self._renewed()
                except OSError as error:
                    raise SettingsError(f"The token cannot be kept: {error}") from None
                self._renewed_at = time.monotonic()
            return self._token

    async def _renewed(self) -> str:
        if self._file and self._file.exists():
            try:
                secret, token = self._file.read_text("ascii").split()
                request = RenewTokenRequest(device_secret=bytes.fromhex(secret))
            except ValueError:
                raise SettingsError(f"{self._file} has no secret and token.") from None
            token = (await self._call("RenewToken", request, RenewTokenResponse, token)).token
        else:
            secret = os.urandom(_SECRET_BYTES).hex()
            sign_in = SignInRequest(display_name=self._name, device_secret=bytes.fromhex(secret))
            token = (await self._call("SignIn", sign_in, SignInResponse)).token
        if self._file:
            FileStore(self._file.parent)[self._file.name] = f"{secret} {token}\n"
        return str(token)

    async def _call(self, method: str, request: Message, answer: type[Message],
                    token: str = "") -> Any:
        call = self._channel.unary_unary(f"/tesela.lobby.v1.LobbyService/{method}",
                                         request_serializer=type(request).SerializeToString,
                                         response_deserializer=answer.FromString)
        metadata = [("authorization", f"Bearer {token}")] if token else []
        return await call(request, metadata=metadata, timeout=_CALL_MAX_S)
