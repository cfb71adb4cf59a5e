"""Peers that are told the same."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from os import write

from parlour.protocol.codec import Codec
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.peer import Peer
from parlour.server.transport.switchboard import Switchboard

FEW = 8  # for whom a write is worth waiting for: they are mostly players, and get something else as well


class Group:
    """Peers that are told the same.

    A few of them get it with whatever else there is for each in this turn of the loop. With many, one write each is
    all that counts, and half of what it costs on this side of the system is to look up what to call. So sockets that
    take all that comes are written to straight, one after the other, and the event loop only gets what they leave.
    """

    def __init__(self) -> None:
        self._peers: dict[Peer, None] = {}
        self._board: Switchboard | None = None  # of all of them
        self._sockets: dict[Codec, dict[int, Peer]] = {}
        self._others: list[Peer] = []  # those who cannot be written to straight
        self._settled = True  # whether the two are up to date

    def add(self, peer: Peer) -> None:
        self._peers[peer] = None
        self._board = peer.board
        peer.groups.add(self)
        self._settled = False

    def remove(self, peer: Peer) -> None:
        self._peers.pop(peer, None)
        peer.groups.discard(self)
        self._settled = False

    def unsettle(self) -> None:
        """One of the peers can be written to straight now, or no more."""
        self._settled = False

    def write(self, broadcast: Broadcast, patient: Collection[Peer] = ()) -> list[Peer]:
        """Send to all of them, of whom some may be patient; see `Peer.write`. Gives those for whom it was dropped."""
        if len(self._peers) <= FEW:
            return [peer for peer in self._peers if not peer.write(broadcast, peer in patient)]
        assert self._board is not None
        self._board.hurry()  # what was sent before goes out before
        if not self._settled:
            self._settle()
        for codec, peers in self._sockets.items():
            frame = broadcast[codec]
            for socket, taken in pour(peers, frame).items():
                peers[socket].write_now(frame[taken:])
        return [peer for peer in self._others if not peer.write(broadcast)]

    def _settle(self) -> None:
        self._settled = True
        self._sockets, self._others = {}, []
        for peer in self._peers:
            if peer.straight is None:
                self._others.append(peer)
            else:
                self._sockets.setdefault(peer.codec, {})[peer.straight] = peer


def pour(sockets: Iterable[int], frame: bytes) -> dict[int, int]:
    """Write a frame to all of the sockets. Gives those that did not take it whole, and how many bytes they took."""
    left: dict[int, int] = {}
    size = len(frame)
    remaining = iter(sockets)
    while True:
        try:
            for socket in remaining:
                taken = write(socket, frame)
                if taken != size:
                    left[socket] = taken
        except OSError:  # its buffer is full, or the other side is gone: the event loop will see which
            left[socket] = 0
        else:
            return left
