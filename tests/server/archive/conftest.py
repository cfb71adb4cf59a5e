"""The toy game, and real databases, for the tests of the archive."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL

from parlour import games
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import sqlite_url
from tests.server.archive.private_postgres import PrivatePostgres

FOLDER = Path(__file__).parents[2] / "games" / "fifth_game"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """Register noughts and crosses as a game."""
    games.add_folder(FOLDER)
    yield
    games.__path__.remove(str(FOLDER))
    games.keys.cache_clear()
    games.find.cache_clear()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    """The PostgreSQL that the tests of this process share."""
    server = PrivatePostgres()
    server.start()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "archive.sqlite3")
    server: PrivatePostgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
async def database(url: URL) -> AsyncIterator[Database]:
    """An empty archive, of either kind."""
    opened = Database(url)
    await opened.open()
    yield opened
    await opened.close()
