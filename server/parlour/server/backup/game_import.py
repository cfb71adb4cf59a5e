"""Adds the games of a file to an archive: each is verified, stored once, and listed for its players."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import islice
from time import time
from typing import IO

from sqlalchemy import Engine, select

from parlour.protocol.types import Player
from parlour.server.archive.database.engine import WRITES
from parlour.server.archive.database.games import put
from parlour.server.archive.database.schema import games
from parlour.server.archive.record import GameRecord, final_link
from parlour.server.archive.rows import game_row
from parlour.server.archive.storage import pack_game, unpack
from parlour.server.archive.verify import faults
from parlour.server.backup.deployment import Deployment
from parlour.server.backup.errors import ImportCode
from parlour.server.backup.game_lines import BrokenLine, FoundGame, read_games, stored_game
from parlour.server.backup.imported_line import ImportedLine, imported, known, refused
from parlour.server.players.names import fold_name
from parlour.server.rooms.commands import WITHOUT_RESULT
from parlour.server.store.names import NameStore
from parlour.server.store.players import PlayerStore

BATCH = 200  # games
MOST_AHEAD = 24 * 3600 * 1000  # milliseconds that the clock of the other server may be ahead


async def import_games(target: Deployment, source: IO[bytes], batch: int = BATCH) -> AsyncIterator[list[ImportedLine]]:
    """Store games, and yield the outcome of each, in batches, once they are committed.

    Idempotent. A caller that stops in between leaves only whole games. Raise StoreUnavailable if the store or the
    archive is down.
    """
    found = read_games(source)
    while some := list(islice(found, batch)):
        yield await _import_batch(target, some)


async def _import_batch(target: Deployment, found: list[FoundGame | BrokenLine]) -> list[ImportedLine]:
    links = _stored_links(target.engine, [each.record.room for each in found if isinstance(each, FoundGame)])
    outcomes: dict[int, ImportedLine] = {}  # by line
    fresh: list[FoundGame] = []
    for each in found:
        if isinstance(each, BrokenLine):
            outcomes[each.line] = refused(each.line, ImportCode.LINE_BROKEN, each.sentence)
            continue
        outcome = _refusal(each) or _repetition(each, links)
        if outcome is None:
            links[each.record.room] = final_link(each.record.chain)
            fresh.append(each)
            outcome = imported(each.line)
        outcomes[each.line] = outcome
    rows = []
    for each in fresh:
        game = stored_game(each, await _ids(target, each.record))
        rows.append(game_row(game, pack_game(game), None if each.archived is None else each.archived.ratings))
    with target.engine.connect().execution_options(**WRITES) as connection, connection.begin():
        taken = put(connection, rows)
    outcomes |= {each.line: _room_taken(each) for each in fresh if each.record.room in taken}
    return list(outcomes.values())


def _stored_links(engine: Engine, rooms: list[str]) -> dict[str, str]:
    """Return the final links of the games that an archive has, by room."""
    query = select(games.c.room, games.c.record).where(games.c.room.in_(rooms))
    with engine.connect() as connection:
        return {row.room: final_link(unpack(row.record).record.chain) for row in connection.execute(query)}


def _refusal(game: FoundGame) -> ImportedLine | None:
    """Return why a game cannot be stored; None if it can."""
    record = game.record
    for sentence in faults(record):
        return refused(game.line, ImportCode.RECORD_BROKEN, sentence)
    if record.result.reason in WITHOUT_RESULT:
        return refused(game.line, ImportCode.GAME_ABORTED, "The game was aborted. Such games are not kept.")
    if record.ended > time() * 1000 + MOST_AHEAD:
        return refused(game.line, ImportCode.RECORD_BROKEN, "The game ends in the future.")
    return None


def _repetition(game: FoundGame, links: dict[str, str]) -> ImportedLine | None:
    """Return the outcome of a game whose room is stored already; None if it is not stored."""
    link = links.get(game.record.room)
    if link is None:
        return None
    return known(game.line) if link == final_link(game.record.chain) else _room_taken(game)


def _room_taken(game: FoundGame) -> ImportedLine:
    return refused(
        game.line,
        ImportCode.ROOM_TAKEN,
        f"The archive has another game with the room {game.record.room}, which is kept.",
    )


async def _ids(target: Deployment, record: GameRecord) -> tuple[str, str]:
    """Return the ids of the accounts and bots that have the players' names; empty for all others."""
    first, second = [await _id(target, player) for player in record.players]
    return first, second


async def _id(target: Deployment, player: Player) -> str:
    if player.guest:  # the name of a guest may be another player's now
        return ""
    holder = await NameStore(target.pipeline).holder(fold_name(player.name))
    if holder is None:
        return ""
    (found,) = await PlayerStore(target.pipeline).get([holder])
    return holder if found is not None and found.kind == ("bot" if player.bot else "account") else ""
