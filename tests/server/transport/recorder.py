"""A node that writes down what the transport tells it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from parlour.protocol.codec import BadFrame
from parlour.protocol.messages import Ping, Pong
from parlour.server.transport.incident import Incident
from parlour.server.transport.peer import Peer
from tests.waiting import WITHIN


class Recorder:
    """Answers pings with pongs and bad frames with refusals, unless told otherwise, and remembers everything."""

    def __init__(self) -> None:
        self.opened_peers: list[Peer] = []
        self.frames: list[bytes | str] = []
        self.drains: list[Peer] = []
        self.closings: list[tuple[Peer, int]] = []
        self.incidents: Counter[Incident] = Counter()
        self.on_message: Callable[[Peer, bytes | str], None] = self.answer
        self.on_opened: Callable[[Peer], None] = lambda peer: None
        self.on_drained: Callable[[Peer], None] = lambda peer: None
        self._news = asyncio.Event()

    @property
    def peer(self) -> Peer:
        """The newest connection."""
        return self.opened_peers[-1]

    @property
    def codes(self) -> list[int]:
        """How connections were closed, in order."""
        return [code for _, code in self.closings]

    # -- what a listener does

    def opened(self, peer: Peer) -> None:
        self.opened_peers.append(peer)
        self._news.set()
        self.on_opened(peer)

    def received(self, peer: Peer, frame: bytes | str) -> None:
        self.frames.append(frame)
        self._news.set()
        self.on_message(peer, frame)

    def drained(self, peer: Peer) -> None:
        self.drains.append(peer)
        self._news.set()
        self.on_drained(peer)

    def closed(self, peer: Peer, code: int) -> None:
        self.closings.append((peer, code))
        self._news.set()

    def count(self, incident: Incident) -> None:
        self.incidents[incident] += 1
        self._news.set()

    def answer(self, peer: Peer, frame: bytes | str) -> None:
        """As a node would, as far as tests here need it."""
        try:
            message = peer.codec.decode_client(frame)
        except BadFrame as bad:
            peer.send(bad.answer())
        else:
            assert isinstance(message, Ping)
            peer.send(Pong(message.n))

    # -- waiting

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for something that the node is told about."""
        async with asyncio.timeout(WITHIN):
            while not done():
                self._news.clear()
                await self._news.wait()
