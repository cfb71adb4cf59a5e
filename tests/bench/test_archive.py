"""The benchmark of the archive works, on a small scale."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import archive
from parlour.server.archive.database.engine import sqlite_url


def test_every_page_uses_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a line for each page, and no page is sorted or searched without an index."""
    archive.run(sqlite_url(tmp_path / "archive.sqlite3"), 2_000)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(archive.typical_pages(2_000))
    assert "2000 games" in lines[0]
    for line in lines[2:]:
        assert "games" in line[60:] or "PRIMARY KEY" in line[60:], line
        assert "a sort" not in line
