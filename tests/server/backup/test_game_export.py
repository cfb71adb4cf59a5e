"""Games are read in batches, by the filters of the archive's lists, with everything that an import needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from parlour.protocol.errors import Refusal
from parlour.server.archive.database.search import GameFilter
from parlour.server.backup.game_export import ExportedGame, export_games, player_named
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from tests.server.archive.sample_games import ADA
from tests.server.backup.archived_games import RATINGS, archive_of, archived_game

GAMES = [*map(archived_game, range(1, 6)), archived_game(6, "isaac"), archived_game(7, private=True)]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An archive with GAMES."""
    engine = archive_of(tmp_path / "archive", GAMES)
    yield engine
    engine.dispose()


@pytest.mark.parametrize("batch", [1, 2, 6, 200])
def test_all_games(engine: Engine, batch: int) -> None:
    """Each is read once, newest first, as it was stored; private ones only if they are wanted."""
    newest_first = [ExportedGame(each, RATINGS) for each in reversed(GAMES)]

    assert list(export_games(engine, GameFilter(), batch)) == newest_first[1:]
    assert list(export_games(engine, GameFilter(private=True), batch)) == newest_first


def test_some_games(engine: Engine) -> None:
    """They can be those of a player, also private ones, of a game, or of a period."""
    start = GAMES[0].record.started + 60_000

    def rooms(wanted: GameFilter) -> list[str]:
        return [each.game.record.room for each in export_games(engine, wanted)]

    assert rooms(GameFilter(player=ADA.id, since=start + 6_000)) == ["room7", "room6"]
    assert rooms(GameFilter(game="isaac")) == ["room6"]
    assert rooms(GameFilter(since=start + 2_000, until=start + 3_000)) == ["room3", "room2"]
    assert rooms(GameFilter(player="unknown")) == []


async def test_a_player_is_found_by_name(pipeline: Pipeline) -> None:
    """Upper and lower case make no difference; an unknown name is refused."""
    created = await PlayerStore(pipeline).create_guest("Ada", "ada")
    assert created is not None
    assert await player_named(pipeline, "ADA") == created.player.id
    with pytest.raises(Refusal, match="There is no player named Eve"):
        await player_named(pipeline, "Eve")
