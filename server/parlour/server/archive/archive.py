"""Finished games: they are rated, their records are stored, and clients can look them up."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Games, GetRecord, ListGames, Rated, ReadRecord, Record
from parlour.server.archive import storage, verify, wire
from parlour.server.players.names import fold_name
from parlour.server.players.ratings import RatedPlayer, Ratings
from parlour.server.rooms.commands import ABORTED
from parlour.server.rooms.outline import AnyRoom, Outline
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store

ARCHIVE_AFTER = 3_600_000  # milliseconds; longer than `commands.OPEN_FOR`, when a room can no longer change
RETRY_AFTER = 1_000  # milliseconds, when the log has grown while it was being archived
PAGE_SIZE = 20  # games


class Archive:
    """The archive on one node. Everything it does is idempotent: several nodes may do it, and more than once."""

    def __init__(self, store: Store, registry: RoomRegistry, publish: Callable[[Rated], None]) -> None:
        """`publish` sends the new ratings to every subscriber of the room."""
        self._store = store
        self._ratings = Ratings(store.ratings)
        self._registry = registry
        self._publish = publish
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            GetRecord: self._get_record,
            ReadRecord: self._read_record,
            ListGames: self._list_games,
        }

    # -- the end of a game

    async def finish(self, room: RoomState) -> None:
        """Rate and store a game that is over, as far as that is not done yet, and schedule what remains to be done.

        The log stays for an hour, for players who come back and for a rematch; then it is replaced by the record.
        Aborted games are not stored.
        """
        await self._finish(room, storage.pack(room))

    async def finish_outline(self, room: Outline) -> None:
        """Finish a game whose rules this node does not support, with the record of the node on which it ended."""
        (record,) = await self._store.records.find([room.id])
        if record is None:  # it was aborted, or its last node died before it wrote the record
            self._store.deadlines.settle(room.id, None)
        else:
            await self._finish(room, record)

    async def _finish(self, room: AnyRoom, record: bytes) -> None:
        assert room.result is not None
        next_check = None
        if room.result.reason != ABORTED:
            players = await self._rated(room)
            if players is not None:
                counted = await self._ratings.rate_game(room.id, room.game, players, room.result.winner, room.ended)
                if counted.is_new:
                    self._publish(Rated(room=room.id, ratings=counted.ratings))
            if self._store.clock.now() < room.ended + ARCHIVE_AFTER:
                await self._store.records.put(room.id, record, room.game, room.people, room.ended, private=room.private)
                next_check = room.ended + ARCHIVE_AFTER
            elif not await self._store.room_log.archive(room.id, room.seq, record):
                next_check = self._store.clock.now() + RETRY_AFTER
        self._store.deadlines.settle(room.id, next_check)

    async def _rated(self, room: AnyRoom) -> tuple[RatedPlayer, RatedPlayer] | None:
        """Return the players if their game is rated; None for casual games and games with a bot of the server."""
        people = room.people
        if not room.rated or len(people) != 2:
            return None
        # A guest may have registered since the game began.
        known = await self._store.players.get(people)
        first, second = (
            RatedPlayer(id, player is None or player.kind == "guest") for id, player in zip(people, known, strict=True)
        )
        return first, second

    # -- what clients ask for

    async def record(self, room: str, id: int = 0, player: str = "") -> Record:
        """Return the record of a game, running or over, as this player or, without one, the public may see it."""
        found = await self._registry.find(room)
        if found is None:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, f"There is no game “{room}”.")
        if isinstance(found, Outline):
            (stored,) = await self._store.records.find([room])
            if stored is None:  # the game is running, or was aborted
                raise found.refusal()
            return wire.record_message(storage.unpack(stored).record, id)
        return wire.room_message(found, id, for_player=found.seat_of(player) is not None)

    async def _get_record(self, session: Session, command: GetRecord) -> None:
        session.send(await self.record(command.room, command.id, session.player))

    async def _read_record(self, session: Session, command: ReadRecord) -> None:
        session.send(wire.record_message(verify.read(command.text), command.id))

    async def _list_games(self, session: Session, command: ListGames) -> None:
        """Send finished games, newest first."""
        if command.game is not None:
            games.find(command.game)
        if command.opponent is not None and command.player is None:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "Give `player` together with `opponent`.")
        names = [name for name in (command.player, command.opponent) if name is not None]
        players = [await self._named(name) for name in names]
        try:
            page = await self._store.records.page(players, command.game, command.before, PAGE_SIZE)
        except ValueError:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "`before` must be the `more` of an earlier reply.") from None
        stored = [storage.unpack(data) for data in await self._store.records.find(page.rooms) if data is not None]
        session.send(Games(id=command.id, rows=tuple(wire.summary(game.record) for game in stored), more=page.more))

    async def _named(self, name: str) -> str:
        found = await self._store.players.id_of(fold_name(name))
        if found is None:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"There is no player called {name}.")
        return found
