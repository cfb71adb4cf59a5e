"""Finished games as an archive has them, and an archive with them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import Engine

from parlour.server.archive.database.engine import WRITES, connect, sqlite_url
from parlour.server.archive.database.games import put
from parlour.server.archive.database.migrate import migrate
from parlour.server.archive.record import sealed
from parlour.server.archive.rows import game_row
from parlour.server.archive.storage import StoredGame, pack_game, stored_game
from tests.server.archive.sample_games import finished

RATINGS = (1512, 1488)


def archived_game(number: int, kind: str = "replica", *, private: bool = False) -> StoredGame:
    """Return a rated game that ended `number` seconds after noon."""
    stored = stored_game(finished(kind, 3, 4))
    terms = replace(stored.record.terms, rated=True)
    record = replace(
        stored.record, room=f"room{number}", terms=terms, ended=stored.record.started + 60_000 + number * 1_000
    )
    return replace(stored, record=sealed(record), private=private, next="nextOn" if private else None)


def archive_of(path: Path, games: list[StoredGame]) -> Engine:
    """Return an archive with these games."""
    engine = connect(sqlite_url(path), 1)
    migrate(engine)
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        put(connection, [game_row(each, pack_game(each), RATINGS) for each in games])
    return engine
