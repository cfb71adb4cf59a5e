"""From two who will play each other to their room: made once, whichever nodes try, and however often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from random import SystemRandom

from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Paired
from parlour.protocol.tables import OptionValue, Player, Terms
from parlour.server.config import Settings
from parlour.server.house import House
from parlour.server.rating import Rating
from parlour.server.rooms.core import Chair, Room
from parlour.server.rooms.decide import room_name
from parlour.server.rooms.opening import Guest, agreed, opening, rematch
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

NAMES = 8  # that are tried for a room; the first one is nearly always free


class Tables:
    """Opens rooms, and knows in which ones a player has a seat."""

    def __init__(self, store: Store, house: House, settings: Settings) -> None:
        self._store = store
        self._house = house
        self._rooms_per_player = settings.rooms_per_player
        self._delay = int(settings.watch_delay * 1000)
        self._claim_after = int(settings.claim_after * 1000)
        self._chance = SystemRandom()

    def agreed(self, terms: Terms, position: str | None = None) -> tuple[dict[str, OptionValue], str | None]:
        """The options and the first position of a game under these terms; refuses terms that cannot be played."""
        return agreed(terms, position, self._chance)

    async def open_table(
        self,
        seed: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        guests: Sequence[Guest],
        host: int | None,
        *,
        private: bool = False,
    ) -> Room:
        """The room of these two: the one that was made of the same seed before, or a new one.

        `host` is the seat of the one who chose the board, if one of them did. A private game is not shown to others.
        """
        now = self._store.time.now()
        events = opening(
            terms, options, position, guests, now,
            host=host, delay=self._delay, claim_after=self._claim_after, private=private,
        )  # fmt: skip
        for id in room_names(seed):
            room = await self._house.create(id, events) or await self._house.load(id)
            if room is not None and all(room.seat_of(guest.player) is not None for guest in guests):
                await self._seated(room, now)
                return room
        raise Refusal(ErrorCode.TRY_AGAIN, "No name is free for the room. Send the same command again.")

    async def _seated(self, room: Room, now: int) -> None:
        """Remember whose game this is. The computer keeps no list of its games."""
        people = [None if chair is None or chair.level is not None else chair.player for chair in room.chairs]
        await self._store.playing.seat(room.id, room.game, people, now)

    async def made_of(self, seed: str, player: str) -> Room | None:
        """The room that was made of this seed, if the player has a seat in it."""
        for id in room_names(seed):
            room = await self._house.load(id)
            if room is None or room.seat_of(player) is not None:
                return room
        return None

    async def rematch(self, room: Room) -> None:
        """The next game of the same two, which may have been made already."""
        assert room.next is not None
        now = self._store.time.now()
        chairs = tuple([await self._rated(chair, room.game, now) for chair in room.chairs])
        made = await self._house.create(room.next, rematch(replace(room, chairs=chairs), now, self._chance))
        if made is not None:
            await self._seated(made, now)

    async def _rated(self, chair: Chair | None, game: str, now: int) -> Chair | None:
        """The same chair, with the rating of today."""
        if chair is None or chair.level is not None:
            return chair
        rating, sure = (await self._store.ratings.rating(chair.player, game)).shown(now)
        return replace(chair, rating=rating, sure=sure)

    # -- players

    async def guest(self, visitor: Visitor, game: str) -> Guest:
        """Somebody as he will sit at a table."""
        return guest_of(visitor, await self._store.ratings.rating(visitor.player, game), self._store.time.now())

    async def fair(self, one: str, other: str, game: str, seed: str) -> bool:
        """Whether the first of two players should have the first seat."""
        had = [await self._store.playing.first_seat(player, game) for player in (one, other)]
        return goes_first(had[0], had[1], seed)

    async def running(self, player: str) -> list[Room]:
        """The games of a player that are not over."""
        rooms = []
        for id in await self._store.playing.rooms(player):
            room = await self._house.load(id)
            if room is None or room.seat_of(player) is None or room.status == "over":
                await self._store.playing.remove(player, id)
            else:
                rooms.append(room)
        return rooms

    async def check_limit(self, player: str) -> None:
        """Refuse another game to somebody who has too many."""
        if await self._store.playing.count(player) < self._rooms_per_player:
            return
        number = len(await self.running(player))
        if number >= self._rooms_per_player:
            raise Refusal(ErrorCode.LIMIT_REACHED, f"You have {number} games already. Finish one first.")


def guest_of(visitor: Visitor, rating: Rating | None = None, now: int = 0) -> Guest:
    """Somebody as he will sit at a table."""
    number, sure = (None, True) if rating is None else rating.shown(now)
    kind = visitor.kind
    return Guest(visitor.player, visitor.name, number, kind == "bot", sure=sure, guest=kind == "guest")


def face(guest: Guest) -> Player:
    """Somebody as others see him."""
    return Player(guest.name, guest.rating, guest.sure, guest.bot, guest.guest)


def paired(room: Room, player: str, seek: str | None = None) -> Paired:
    """What a player is told about his room."""
    seat = room.seat_of(player)
    assert seat is not None
    return Paired(room=room.id, seat=seat, seek=seek)


def goes_first(mine: int, theirs: int, seed: str) -> bool:
    """Whether one goes first who was given the first seat at `mine`, against one who was at `theirs`.

    It is the turn of the one for whom that is longer ago; where it is the same, chance decides, the same on all nodes.
    """
    return mine < theirs or (mine == theirs and digest(seed)[0] % 2 == 0)


def room_names(seed: str) -> Iterator[str]:
    """Names for the room that is made of a seed, the same on every node. One that another game has is passed over."""
    for number in range(NAMES):
        yield room_name(int.from_bytes(digest(f"{seed} {number}"), "big"))


def digest(text: str) -> bytes:
    """A short name of a text that does not tell what it was."""
    return blake2b(text.encode(), digest_size=9).digest()
