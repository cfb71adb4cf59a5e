"""The address of the archive, and what the connections are set to."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from sqlalchemy import text

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import archive_url, connect, sqlite_url
from parlour.server.archive.database.errors import ArchiveUnavailable

# Opens and writes to each file that is named on standard input.
OPEN_FILES = """
import sys
from pathlib import Path
from sqlalchemy import text
from parlour.server.archive.database.engine import WRITES, connect, sqlite_url

for line in sys.stdin:
    engine = connect(sqlite_url(Path(line.strip())), 1)
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        connection.execute(text("CREATE TABLE IF NOT EXISTS t (x)"))
    engine.dispose()
    print("written", flush=True)
"""


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


def test_deployments_with_different_prefixes_have_different_files(tmp_path: Path) -> None:
    """They may share a Redis and a data folder."""
    assert archive_url(None, tmp_path, "parlour").database == str(tmp_path / "archive.sqlite3")
    assert archive_url(None, tmp_path, "chess.club").database == str(tmp_path / "archive-chess.club.sqlite3")


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


def test_nodes_that_start_together_share_a_new_file(tmp_path: Path) -> None:
    """Each process gets its connection, although only one at a time can prepare the file."""
    processes = [Popen([sys.executable, "-c", OPEN_FILES], stdin=PIPE, stdout=PIPE, text=True) for _ in range(4)]
    pipes = [(each.stdin, each.stdout) for each in processes if each.stdin and each.stdout]
    for attempt in range(100):
        for commands, _ in pipes:
            print(tmp_path / f"{attempt}.sqlite3", file=commands, flush=True)
        assert {replies.readline() for _, replies in pipes} == {"written\n"}
    for each in processes:
        each.communicate()
        assert each.returncode == 0
