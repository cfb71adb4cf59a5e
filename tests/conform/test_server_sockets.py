"""Frames on their way into a scripted server."""

from __future__ import annotations

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from parlour.conform.codec import JSON
from parlour.conform.scripted_server import ScriptedServer


async def test_all_frames_are_in_the_transcript() -> None:
    """The transcript has the frames of both directions, readable or not, with the number of the connection."""
    async with ScriptedServer() as server:
        for frame in ('{"t":"hello"}', "no message"):
            async with connect(server.url, subprotocols=[Subprotocol(JSON.subprotocol)]) as socket:
                await socket.send(frame)
                await socket.recv()
        lines = [(frame.connection, frame.sender, frame.text[:24]) for frame in server.transcript.frames]
    assert lines == [
        (1, "kit", "a connection is opened"),
        (1, "client", '{"t":"hello"}'),
        (1, "server", '{"t":"welcome","you":{"n'),
        (2, "kit", "a connection is opened"),
        (2, "client", "a frame that is not a me"),
        (2, "server", '{"t":"refused","code":"r'),
    ]
