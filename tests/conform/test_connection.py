"""A connection to the scripted server."""

from __future__ import annotations

import asyncio
from typing import Any

from parlour.conform.codec import MSGPACK
from parlour.conform.connection import Connection
from parlour.conform.frames import Transcript
from parlour.conform.script import Close, Outgoing, Script
from parlour.protocol.messages import Message, Moved, Ok, Pong


class Socket:
    """Collects the frames written to it."""

    subprotocol = MSGPACK.subprotocol

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.closed: int | None = None

    async def send(self, frame: bytes, text: bool) -> None:
        self.frames.append(frame)

    async def close(self, code: int) -> None:
        self.closed = code


class Doubling(Script):
    def outgoing(self, connection: Connection, message: Message | Moved) -> list[Outgoing]:
        return [message, message]


async def test_messages_pass_the_script_and_are_written_in_order() -> None:
    """`send` passes through the script, `put` bypasses it, and nothing is written after a close."""
    socket: Any = Socket()
    transcript = Transcript(lambda: 0.0)
    connection = Connection(Doubling(), socket, transcript, 1)
    connection.send(Ok(id=1))
    connection.put(Pong(2))
    connection.put(Close(1012))
    connection.put(Ok(id=3))
    await asyncio.wait_for(connection.write(), 30)

    assert [MSGPACK.decode_server(frame) for frame in socket.frames] == [Ok(id=1), Ok(id=1), Pong(2)]
    assert (socket.closed, connection.lost) == (1012, True)
    assert len(transcript.frames) == 4  # three messages, and the close
