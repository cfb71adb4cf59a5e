"""A room in which every move places one piece, and a client that has been welcomed."""

from __future__ import annotations

from parlour.protocol.messages import (
    Moved,
    Room,
    Welcome,
)  # fmt: skip
from parlour.protocol.reply_cache import ReplyCache
from parlour.protocol.scene import BoardSpec, Scene, SeatSpec, diff, scene_hash
from parlour.protocol.session import (
    ClientSession,
)
from parlour.protocol.types import Player, SeatedPlayer, Terms

ROOM = "r00m"
SEATS = (SeatSpec("White", "light"), SeatSpec("Black", "dark"))
BOARD = BoardSpec("count", 8, 8, "clay", SEATS, (), "{0} moves")
PLAYER = Player("Ada")
WELCOME = Welcome(you=PLAYER, token="secret", session="session", time=0, games=(), max_message_size=1000)


class Table:
    """The log of one room, which survives a server crash; every move places one piece."""

    def __init__(self) -> None:
        self.epoch = 1
        self.played: list[str] = []
        self.replies = ReplyCache()
        self.scene = Scene((), ((0,), (0,)), 0)

    @property
    def seq(self) -> int:
        return len(self.played)

    def room(self, id: int | None) -> Room:
        return Room(
            room=ROOM, epoch=self.epoch, seq=self.seq, hash=scene_hash(self.scene), board=BOARD, scene=self.scene,
            terms=Terms("count"), players=(SeatedPlayer(PLAYER), SeatedPlayer(PLAYER)), status="playing",
            moves=tuple(self.played), id=id,
        )  # fmt: skip

    def play(self, text: str) -> Moved:
        """Append one move to the log."""
        self.played.append(text)
        place = sum(map(ord, text)) % 64
        pieces = {stack[0]: stack for stack in self.scene.pieces}
        pieces[place] = (*pieces.get(place, (place,)), len(self.played) % 3)
        new = Scene(tuple(sorted(pieces.values())), ((self.seq,), (0,)), self.seq % 2)
        change = diff(self.scene, new)
        self.scene = new
        return Moved(ROOM, self.epoch, self.seq, scene_hash(new), text, None, change)


def welcomed() -> tuple[ClientSession, int]:
    session = ClientSession("test")
    number = session.connected(0)
    session.outgoing()
    session.receive(number, WELCOME, 0)
    return session, number
