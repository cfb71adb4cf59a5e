"""The address of the archive, and what the connections are set to."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import archive_url, connect, sqlite_url
from parlour.server.archive.database.errors import ArchiveUnavailable


def test_the_default_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    """Also if the folder has a name that means something in a URL."""
    folder = tmp_path / "my data?#%20"
    url = archive_url(None, folder)
    assert url.database == str(folder / "archive.sqlite3")
    engine = connect(url, 1)
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE t (x)"))
    engine.dispose()
    assert stat.S_IMODE((folder / "archive.sqlite3").stat().st_mode) == 0o600


def test_the_address_that_is_set_wins(tmp_path: Path) -> None:
    """PostgreSQL by its usual URL."""
    url = archive_url("postgresql://u:p@host:5433/games?sslmode=require", tmp_path)
    assert (url.host, url.port, url.database, url.query["sslmode"]) == ("host", 5433, "games", "require")


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    """The sentence names the file and what to do."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ArchiveUnavailable, match=r"archive\.sqlite3 cannot be opened.*--archive"):
        connect(sqlite_url(tmp_path / "file" / "archive.sqlite3"), 1)


async def test_a_commit_survives_a_power_failure(tmp_path: Path) -> None:
    """SQLite syncs every commit, because the log of a game is deleted after it."""
    database = Database(sqlite_url(tmp_path / "archive.sqlite3"))
    await database.open()
    settings = await database.read(
        lambda connection: [
            connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("synchronous", "journal_mode")
        ]
    )
    assert settings == [2, "wal"]
    await database.close()
