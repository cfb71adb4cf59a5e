"""What becomes of finished games: they count for ratings, their records are kept, and people look them up."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import AskGames, AskRecord, Games, Rated, ReadRecord, Record
from parlour.server.house import House
from parlour.server.records import document, keeping, telling
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import ABORTED
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

PUT_AWAY_AFTER = 3_600_000  # milliseconds; longer than a room goes on after its game, see `decide.OPEN_FOR`
AGAIN_AFTER = 1_000  # milliseconds, when the log has gone on while it was put away
PAGE = 20  # games


class Contender(Struct, frozen=True):
    """Somebody whose games count."""

    id: str
    guest: bool


class Archive:
    """Finished games, on one node. Whatever it does may be done by several nodes at once, and again."""

    def __init__(self, store: Store, house: House, tell: Callable[[Rated], None]) -> None:
        """`tell` everybody in a room what its game has done to the ratings."""
        self._store = store
        self._house = house
        self._tell = tell
        self.handlers: dict[type[Any], Callable[[Visitor, Any], Coroutine[Any, Any, None]]] = {
            AskRecord: self._ask_record,
            ReadRecord: self._read_record,
            AskGames: self._ask_games,
        }

    # -- the end of a game

    async def finish(self, room: Room) -> None:
        """Do for a game that is over whatever is not done yet, and have it looked at again when more is to do.

        The room stays as it is for an hour, for those who come back, and for another game; then only its record is
        left. Games that were called off are forgotten with their log.
        """
        assert room.result is not None
        again = None
        if room.result.reason != ABORTED:
            players = await self._rated(room)
            if players is not None:
                ratings = await self._store.ratings.count(room.id, room.game, players, room.result.winner, room.ended)
                if ratings is not None:
                    self._tell(Rated(room=room.id, ratings=ratings))
            if self._store.time.now() < room.ended + PUT_AWAY_AFTER:
                people = [c.player for c in room.chairs if c is not None and c.level is None]
                await self._store.records.put(
                    room.id, keeping.pack(room), room.game, people, room.ended, private=room.private
                )
                again = room.ended + PUT_AWAY_AFTER
            elif not await self._store.log.archive(room.id, room.seq, keeping.pack(room)):
                again = self._store.time.now() + AGAIN_AFTER
        self._store.deadlines.settle(room.id, again)

    async def _rated(self, room: Room) -> tuple[Contender, Contender] | None:
        """The two for whom a game counts; None if it does not, as all games with the computer."""
        people = [chair.player for chair in room.chairs if chair is not None and chair.level is None]
        if not room.rated or len(people) != 2:
            return None
        # A guest may have got an account since the game began.
        cards = await self._store.players.cards(people)
        first, second = (
            Contender(id, card is None or card.kind == "guest") for id, card in zip(people, cards, strict=True)
        )
        return first, second

    # -- what people ask for

    async def record(self, room: str, id: int = 0, player: str = "") -> Record:
        """The record of a game, running or finished, as a player, or anybody, may see it."""
        found = await self._house.load(room)
        if found is None:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "There is no game of that name.")
        return telling.tell(found, id, for_player=found.seat_of(player) is not None)

    async def _ask_record(self, visitor: Visitor, command: AskRecord) -> None:
        visitor.send(await self.record(command.room, command.id, visitor.player))

    async def _read_record(self, visitor: Visitor, command: ReadRecord) -> None:
        visitor.send(telling.tell_read(document.read(command.text), command.id))

    async def _ask_games(self, visitor: Visitor, command: AskGames) -> None:
        """Finished games, newest first."""
        if command.game is not None:
            games.find(command.game)
        if command.opponent is not None and command.player is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "Name the player of whom this is the opponent.")
        names = [name for name in (command.player, command.opponent) if name is not None]
        players = [await self._named(name) for name in names]
        try:
            page = await self._store.records.page(players, command.game, command.before, PAGE)
        except ValueError:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "`before` is the `more` of an earlier answer.") from None
        kept = [keeping.unpack(data) for data in await self._store.records.find(page.rooms) if data is not None]
        visitor.send(Games(id=command.id, rows=tuple(telling.line(each.record) for each in kept), more=page.more))

    async def _named(self, name: str) -> str:
        found = await self._store.players.named(name)
        if found is None:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"Nobody is called {name}.")
        return found
