"""Records are read in batches, by the filters of the archive's lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine

from parlour.protocol.errors import Refusal
from parlour.server.archive.database.engine import WRITES, connect, sqlite_url
from parlour.server.archive.database.games import put
from parlour.server.archive.database.migrate import migrate
from parlour.server.archive.database.search import GameFilter
from parlour.server.archive.record import sealed
from parlour.server.archive.rows import game_row
from parlour.server.archive.storage import StoredGame, pack_game, stored_game
from parlour.server.backup.game_export import player_named, read_games
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from tests.server.archive.sample_games import ADA, finished


def game(number: int, kind: str = "replica", *, private: bool = False) -> StoredGame:
    stored = stored_game(finished(kind, 3, 4))
    record = replace(stored.record, room=f"room{number}", ended=stored.record.started + number * 1_000)
    return replace(stored, record=sealed(record), private=private)


GAMES = [*map(game, range(1, 6)), game(6, "isaac"), game(7, private=True)]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An archive with GAMES."""
    engine = connect(sqlite_url(tmp_path / "archive"), 1)
    migrate(engine)
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        put(connection, [game_row(each, pack_game(each)) for each in GAMES])
    yield engine
    engine.dispose()


@pytest.mark.parametrize("batch", [1, 2, 6, 200])
def test_all_public_games(engine: Engine, batch: int) -> None:
    """Each is read once, newest first, as it was recorded."""
    assert list(read_games(engine, GameFilter(), batch)) == [each.record for each in reversed(GAMES[:6])]


def test_some_games(engine: Engine) -> None:
    """They can be those of a player, also private ones, of a game, or of a period."""
    start = GAMES[0].record.started

    def rooms(wanted: GameFilter) -> list[str]:
        return [record.room for record in read_games(engine, wanted)]

    assert rooms(GameFilter(player=ADA.id, since=start + 6_000)) == ["room7", "room6"]
    assert rooms(GameFilter(game="isaac")) == ["room6"]
    assert rooms(GameFilter(since=start + 2_000, until=start + 3_000)) == ["room3", "room2"]
    assert rooms(GameFilter(player="unknown")) == []


async def test_a_player_is_found_by_name(pipeline: Pipeline) -> None:
    """Upper and lower case make no difference; an unknown name is refused."""
    created = await PlayerStore(pipeline).create_guest("Ada", "ada")
    assert created is not None
    assert await player_named(pipeline, "ADA") == created.player.id
    with pytest.raises(Refusal, match="There is no player called Eve"):
        await player_named(pipeline, "Eve")
