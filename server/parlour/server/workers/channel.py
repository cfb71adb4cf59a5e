"""The channel between a supervisor and a worker: msgpack messages on a pair of sockets, each after its length.

The operating system closes it with either process, however that ends, so each learns of the end of the other.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any, Generic, TypeVar

import msgspec

LENGTH = 4  # bytes

encode = msgspec.msgpack.Encoder().encode

M = TypeVar("M")


class Channel(Generic[M]):
    """One end of a channel. `M` is the type of what it receives."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, received: Any) -> None:
        self._reader = reader
        self._writer = writer
        self._decode = msgspec.msgpack.Decoder(received).decode

    def send(self, message: msgspec.Struct) -> None:
        """Send a message. It is lost if the other process has ended."""
        if not self._writer.is_closing():
            data = encode(message)
            self._writer.write(len(data).to_bytes(LENGTH, "big") + data)

    async def receive(self) -> AsyncIterator[M]:
        """Yield what arrives, until the other process has ended."""
        while True:
            try:
                length = await self._reader.readexactly(LENGTH)
                data = await self._reader.readexactly(int.from_bytes(length, "big"))
            except (asyncio.IncompleteReadError, OSError):
                return
            yield self._decode(data)

    def close(self) -> None:
        """Close this end."""
        self._writer.close()


async def open_channel(end: socket.socket, received: Any) -> Channel[Any]:
    """Return the channel on one of a pair of sockets; `received` is the type of the messages that arrive."""
    reader, writer = await asyncio.open_unix_connection(sock=end)
    return Channel(reader, writer, received)
