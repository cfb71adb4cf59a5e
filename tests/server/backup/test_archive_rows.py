"""All rows of an archive are read, in batches, and written once."""

from __future__ import annotations

from pathlib import Path

from parlour.server.archive.database.engine import connect, sqlite_url
from parlour.server.archive.database.migrate import migrate
from parlour.server.archive.database.schema import metadata
from parlour.server.backup.archive_rows import TABLES, is_empty, read_rows, write_rows

POINTS = [
    {"player": player, "game": "isaac", "ended": ended, "room": f"room{ended}", "rating": 1500}
    for player in ("ada", "ben")
    for ended in range(1, 8)
]


def test_rows_are_read_in_batches_and_written_once(tmp_path: Path) -> None:
    """A table is the same after its rows were written twice, and read with keys of several columns."""
    engine = connect(sqlite_url(tmp_path / "archive"), 1)
    migrate(engine)
    table = TABLES["rating_history"]

    write_rows(engine, table, POINTS)
    write_rows(engine, table, POINTS)

    assert [list(read_rows(engine, table, batch)) for batch in (1, 3, 14, 500)] == [POINTS] * 4
    engine.dispose()


def test_an_archive_without_games_is_empty(tmp_path: Path) -> None:
    """One with a game is not."""
    engine = connect(sqlite_url(tmp_path / "archive"), 1)
    migrate(engine)
    assert is_empty(engine)
    times = {"ended": 2, "started": 1, "plies": 0, "seq": 1}
    write_rows(
        engine,
        TABLES["games"],
        [{"room": "r", "game": "isaac", "private": False, "summary": b"", "record": b"", **times}],
    )
    assert not is_empty(engine)
    engine.dispose()


def test_a_backup_has_every_table() -> None:
    """Only the number of the migration and the id of the archive are not copied: a new archive has its own."""
    assert TABLES.keys() == metadata.tables.keys() - {"archive"}
