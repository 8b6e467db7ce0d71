"""A client at a table."""

import base64
import json
import os
import socket
import struct

import processes

ANSWER_SECONDS_MAX = 60


class Stream:
    """A WebSocket at a table, in JSON."""

    def __init__(self, port: int, table: str, hello: dict):
        self._socket = socket.create_connection(("127.0.0.1", port), ANSWER_SECONDS_MAX)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            (f"GET /v1/tables/{table}/stream HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
             f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
             "Sec-WebSocket-Protocol: tesela.v1.json\r\n\r\n").encode())
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._receive()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            raise processes.BenchError(f"no stream: {head.splitlines()[0]!r}")
        self.send({"hello": hello})

    def _receive(self) -> None:
        data = self._socket.recv(65536)
        if not data:
            raise processes.BenchError("the server closed a stream")
        self._buffer += data

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._receive()
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def send(self, frame: dict) -> None:
        payload = json.dumps(frame).encode()
        head = b"\x81" + (bytes([0x80 | len(payload)]) if len(payload) < 126 else
                          b"\xfe" + struct.pack(">H", len(payload)))
        self._socket.sendall(head + bytes(4) + payload)  # masked with zeros

    def read(self) -> dict:
        """The next frame that is no ping."""
        while True:
            first, size = self._take(2)
            if size == 126:
                size = struct.unpack(">H", self._take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(size)
            if first & 0x0F == 1:
                return json.loads(payload)
            if first & 0x0F == 8:
                raise processes.BenchError("the server said goodbye")

    def close(self) -> None:
        self._socket.close()
