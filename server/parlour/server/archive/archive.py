"""The archive: rates finished games, stores their records, and lets clients look them up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Games, GetRecord, ListGames, Rated, ReadRecord, Record
from parlour.server.archive import storage, verify, wire
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.database.search import Cursor, GameFilter, read_cursor
from parlour.server.archive.rows import decode_summary, game_row
from parlour.server.archive.storage import StoredGame
from parlour.server.compute import ComputeThread
from parlour.server.metrics import Metrics
from parlour.server.players.names import fold_name, player_unknown
from parlour.server.players.ratings import RatedPlayer, Ratings
from parlour.server.rooms.commands import WITHOUT_RESULT
from parlour.server.rooms.outline import AnyRoom, Outline
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.session import Session
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)

ARCHIVE_AFTER = 3_600_000  # milliseconds; longer than `commands.OPEN_FOR`, when a room can no longer change
RETRY_AFTER = 1_000  # milliseconds, when the log has grown while it was being archived
LONGEST_DELAY = 600_000  # milliseconds between two attempts to archive a game
KEEP_ABORTED = 24 * 3_600_000  # milliseconds; aborted games are not archived
PAGE_SIZE = 20  # games


class Archive:
    """The archive on one node. Every operation is idempotent: several nodes may repeat it."""

    def __init__(
        self,
        store: Store,
        table: GameTable,
        registry: RoomRegistry,
        metrics: Metrics,
        publish: Callable[[Rated], None],
        compute: ComputeThread,
    ) -> None:
        """`publish` sends the new ratings to every subscriber of the room."""
        self._store = store
        self._table = table
        self._ratings = Ratings(store.ratings)
        self._registry = registry
        self._metrics = metrics
        self._publish = publish
        self._compute = compute
        self.handlers: dict[type[Any], Callable[[Session, Any], Coroutine[Any, Any, None]]] = {
            GetRecord: self._get_record,
            ReadRecord: self._read_record,
            ListGames: self._list_games,
        }

    # -- the end of a game

    async def finish(self, room: RoomState) -> None:
        """Rate and archive a game that is over, unless that is done already, and schedule what remains to be done.

        The log stays for an hour, for players who come back and for a rematch; then only the archive has the game.
        Aborted games are not archived.
        """
        game = await self._without_deleted(storage.stored_game(room))
        await self._finish(room, game, storage.pack_game(game))

    async def _without_deleted(self, game: StoredGame) -> StoredGame:
        """Return a game without the names of players who were deleted before its log was removed."""
        for seat, player in enumerate(await self._store.players.get(game.ids)):
            if player is not None and player.kind == "deleted":
                game = storage.without_player(game, seat)
        return game

    async def finish_outline(self, room: Outline) -> None:
        """Finish a game whose rules this node does not support, with the record of the node on which it ended."""
        record = await self._table.find(room.id)
        if record is None:  # the game was aborted, or its last node died before it wrote the record
            self._store.deadlines.settle(room.id, None)
        else:
            await self._finish(room, storage.unpack(record), record)

    async def _finish(self, room: AnyRoom, game: StoredGame, record: bytes) -> None:
        assert room.result is not None
        if room.result.reason in WITHOUT_RESULT:
            await self._store.room_log.expire(room.id, KEEP_ABORTED)
            self._store.deadlines.settle(room.id, None)
            return
        ratings = await self._rate(room)
        try:
            is_stored = await self._table.put(game_row(game, record, ratings))
        except ArchiveUnavailable:  # which the database has logged
            self._metrics.archive_delays += 1
            now = self._store.clock.now()
            self._store.deadlines.settle(room.id, now + retry_delay(now - room.ended))
            return
        if not is_stored:
            logger.error("an older game has the same room; this one stays in its log", extra={"room": room.id})
            self._store.deadlines.settle(room.id, None)
        else:
            self._store.deadlines.settle(room.id, await self._remove_log(room))

    async def _remove_log(self, room: AnyRoom) -> int | None:
        """Remove the log of a game that is in the archive, if it is old enough; return when to try again."""
        if self._store.clock.now() < room.ended + ARCHIVE_AFTER:
            return room.ended + ARCHIVE_AFTER
        if not await self._store.room_log.archive(room.id, room.seq):
            return self._store.clock.now() + RETRY_AFTER
        self._metrics.games_archived += 1
        await self._store.ratings.archived(room.id)
        for player in room.people:
            await self._store.seats.remove(player, room.id)
        return None

    async def _rate(self, room: AnyRoom) -> tuple[int, int] | None:
        """Rate a game, announce the new ratings if it was not rated before, and return them.

        Return None if the game does not count, or is in the archive, with its ratings.
        """
        assert room.result is not None
        players = await self._rated(room)
        if players is None or await self._table.contains(room.id):
            return None
        counted = await self._ratings.rate_game(room.id, room.game, players, room.result.winner, room.ended)
        if counted.is_new:
            self._publish(Rated(room=room.id, ratings=counted.ratings))
        return counted.ratings

    async def _rated(self, room: AnyRoom) -> tuple[RatedPlayer, RatedPlayer] | None:
        """Return the players if their game counts; None for casual games and games with a bot of the server."""
        people = room.people
        assert room.result is not None
        if not room.rated or room.result.unrated or len(people) != 2:
            return None
        # A guest may have registered since the game began.
        known = await self._store.players.get(people)
        first, second = (
            RatedPlayer(id, player is None or player.kind in ("guest", "deleted"))
            for id, player in zip(people, known, strict=True)
        )
        return first, second

    # -- what clients ask for

    async def record(self, room: str, asker: str, id: int = 0, player: str = "") -> Record:
        """Return the record of a game, running or over, as this player or, without one, the public may see it.

        `asker` is the address that waits for it: requests of several addresses are served in turn.
        """
        found = await self._registry.find(room)
        if found is None:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, f"There is no game “{room}”.")
        if isinstance(found, Outline):
            stored = await self._table.find(room)
            if stored is None:  # the game is running or was aborted
                raise found.refusal()
            return await self._compute.run(asker, lambda: wire.record_message(storage.unpack(stored).record, id))
        for_player = found.seat_of(player) is not None
        return await self._compute.run(asker, lambda: wire.room_message(found, id, for_player=for_player))

    async def _get_record(self, session: Session, command: GetRecord) -> None:
        session.send(await self.record(command.room, session.connection.address, command.id, session.player))

    async def _read_record(self, session: Session, command: ReadRecord) -> None:
        asker = session.connection.address
        read = partial(_read, command.text, command.id)
        session.send(await self._compute.run(asker, read))

    async def _list_games(self, session: Session, command: ListGames) -> None:
        """Send finished games, newest first."""
        wanted, after = await self._search(command)
        page = await self._table.page(wanted, after, PAGE_SIZE)
        rows = tuple(decode_summary(summary) for summary in page.summaries)
        session.send(Games(id=command.id, rows=rows, more="" if page.more is None else str(page.more)))

    async def export(self, command: ListGames, count: int) -> tuple[list[Record], str]:
        """Return the records of some finished games, without boards, and where to continue; empty: these are all."""
        wanted, after = await self._search(command)
        page = await self._table.page(wanted, after, count)
        rooms = [decode_summary(summary).room for summary in page.summaries]
        stored = [await self._table.find(room) for room in rooms]
        records = [storage.unpack(each).record for each in stored if each is not None]
        return [wire.bare_message(record, 0) for record in records], "" if page.more is None else str(page.more)

    async def _search(self, command: ListGames) -> tuple[GameFilter, Cursor | None]:
        """Return the filter of a command, and the cursor after which its page begins. Raise Refusal."""
        if command.game is not None:
            games.find(command.game)
        if command.player is None and (command.opponent is not None or command.result is not None):
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "Give `player` together with `opponent` or `result`.")
        try:
            after = read_cursor(command.before)
        except ValueError:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "`before` must be the `more` of an earlier reply.") from None
        wanted = GameFilter(
            player=await self._named(command.player),
            opponent=await self._named(command.opponent),
            result=command.result,
            game=command.game,
            since=command.since,
            until=command.until,
            min_plies=command.min_plies,
            max_plies=command.max_plies,
        )
        return wanted, after

    async def _named(self, name: str | None) -> str | None:
        if name is None:
            return None
        found = await self._store.players.id_of(fold_name(name))
        if found is None:
            raise player_unknown(name)
        return found


def _read(text: str, id: int) -> Record:
    return wire.record_message(verify.read(text), id)


def retry_delay(age: int) -> int:
    """Return when to retry a game that ended `age` milliseconds ago and that the database did not take.

    The older the game, the longer the delay, so that games waiting for a database that is down do not crowd out the
    rooms that are due for other work.
    """
    return min(max(RETRY_AFTER, age // 2), LONGEST_DELAY)
