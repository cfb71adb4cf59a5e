"""Games that can be watched: what this node has to tell of them, and what it knows of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour import games
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import LiveGame
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.tables import OptionValue
from parlour.server.house import House
from parlour.server.rooms import presenter
from parlour.server.rooms.core import Room
from parlour.server.rooms.live import LiveRoom
from parlour.server.store.live import LISTED, Around, Listing, Offer
from parlour.server.store.store import Store

LATELY = 120_000  # milliseconds: a game in which nobody moved for longer is not featured

encode = msgspec.msgpack.Encoder().encode


class Told(Struct, frozen=True, array_like=True):
    """A game as nodes tell each other of it."""

    game: LiveGame  # without its board, which follows from the options, and without its watchers
    options: dict[str, OptionValue]
    moved: int  # when


decode = msgspec.msgpack.Decoder(Told).decode


# -- pure


def rank(room: Room) -> int:
    """What a game is worth to those who watch: strong players first, then the newest."""
    strength = sum(chair.rating or 0 for chair in room.chairs if chair is not None)
    return strength * 2**32 + room.created // 1000


def describe(room: Room, scene: Scene) -> Told:
    """A game as its watchers see it."""
    players = tuple(presenter.player(chair) for chair in room.chairs if chair is not None)
    game = LiveGame(room.id, room.game, players, room.clock, room.rated, ply=room.ply, scene=scene)
    return Told(game, room.options, room.turn_began)


def is_public(room: Room) -> bool:
    """Whether everybody may know that this game is on."""
    return not room.private and room.status in ("choosing", "playing") and None not in room.chairs


def featured(present: str, listed: Iterable[Told], now: int) -> str:
    """The game most worth watching: the present one while it goes on, then the best in which somebody moved lately."""
    lively = [told.game.room for told in listed if now - told.moved < LATELY]
    return present if present in lively else next(iter(lively), "")


# -- this node


class Known(Struct, frozen=True):
    """A game that is listed, as far as it was told."""

    seq: int
    told: Told
    board: BoardSpec


class LiveGames:
    """Tells the other nodes of the games here, and knows those that all nodes list together."""

    def __init__(self, store: Store, house: House, connections: Callable[[], int]) -> None:
        self.listing = Listing({})
        self._store = store
        self._house = house
        self._connections = connections  # how many there are here
        self._known: dict[str, Known] = {}  # the listed games
        self._featured = ""

    async def report(self) -> None:
        """Tell of what is here, and learn what is listed. Call this every second: games are described that often.

        A move costs nothing more for it, and a game that is not among the best costs next to nothing.
        """
        seqs, rooms = self.listing.seqs, self._house.rooms
        around = Around(
            self._connections(),
            {id: number for id in seqs if id in rooms and (number := rooms[id].audience.watchers)},
        )
        over = [id for id in seqs if id in rooms and rooms[id].room.status == "over"]
        offers = [self._offer(live) for live in self._best()]
        self.listing = await self._store.live.report(self._store.time.now(), around, over, offers)

    def _best(self) -> Sequence[LiveRoom]:
        now, bar = self._store.time.now(), self.listing.bar
        worth = [
            (value, id)
            for id, live in self._house.rooms.items()
            if is_public(live.room) and (value := rank(live.room)) >= bar and goes_on(live, now)
        ]
        return [self._house.rooms[id] for _, id in nlargest(LISTED, worth)]

    def _offer(self, live: LiveRoom) -> Offer:
        room, scene = live.audience.shown
        is_told = self.listing.seqs.get(room.id, -1) >= room.seq
        return Offer(room.id, rank(room), room.seq, b"" if is_told else encode(describe(room, scene)))

    async def look(self) -> tuple[Sequence[LiveGame], str]:
        """The listed games with all that there is to know, best first, and the featured one."""
        seqs = self.listing.seqs
        missing = [id for id, seq in seqs.items() if id not in self._known or self._known[id].seq < seq]
        found = await self._store.live.told(missing)
        known = {id: each for id, each in self._known.items() if id in seqs}
        for id, packed in found.items():
            told = decode(packed)
            board = known[id].board if id in known else board_of(told)
            if board is not None:
                known[id] = Known(seqs[id], told, board)
        self._known = known
        listed = [known[id] for id in seqs if id in known]
        self._featured = featured(self._featured, (each.told for each in listed), self._store.time.now())
        return [self._complete(each) for each in listed], self._featured

    def _complete(self, known: Known) -> LiveGame:
        game = known.told.game
        return replace(game, board=known.board, watchers=self.listing.watchers(game.room))


def board_of(told: Told) -> BoardSpec | None:
    """What it is played on; None if this node does not know the game."""
    try:
        return games.find(told.game.game).board(told.options)
    except Refusal:
        return None


def goes_on(live: LiveRoom, now: int) -> bool:
    """Whether a game has not been left alone: a player is here, or somebody is and a move was made lately."""
    room, followers = live.room, live.audience.followers
    moved_lately = now - room.turn_began < LATELY
    return any(moved_lately or room.seat_of(one.player) is not None for one in followers)
