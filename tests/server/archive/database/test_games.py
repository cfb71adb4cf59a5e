"""Finished games in the archive: stored once, found by their room, and listed in pages. In both databases."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import URL

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import sqlite_url
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.database.search import Cursor, GameFilter
from tests.server.archive.database.sample_rows import NOON, row


@pytest.fixture
def table(database: Database) -> GameTable:
    return GameTable(database)


async def rooms(table: GameTable, wanted: GameFilter) -> str:
    """Return the rooms of a list, separated by spaces."""
    return " ".join(summary.decode() for summary in (await table.page(wanted, None, 100)).summaries)


async def test_a_game_is_stored_once(table: GameTable) -> None:
    """However often and by however many nodes, it is found by its room and listed once for each player."""
    assert all(await asyncio.gather(*(table.put(row("r1", NOON)) for _ in range(20))))
    assert await table.find("r1") == b"record of r1 at 12"
    assert await table.contains("r1")
    assert await table.find("r2") is None
    assert not await table.contains("r2")
    for player in (None, "ada", "ben"):
        assert await rooms(table, GameFilter(player=player)) == "r1"


async def test_a_room_that_changes_after_its_game(table: GameTable) -> None:
    """The latest state is kept, in whichever order the states arrive."""
    for seq in (12, 14, 13):
        assert await table.put(row("r1", NOON, seq=seq))
    assert await table.find("r1") == b"record of r1 at 14"


async def test_another_game_with_the_same_room(table: GameTable) -> None:
    """The older game is kept, and the caller is told."""
    await table.put(row("r1", NOON))
    assert not await table.put(row("r1", NOON + 9, ("eve", "ben"), started=NOON - 5, seq=99))
    assert await table.find("r1") == b"record of r1 at 12"
    assert await rooms(table, GameFilter(player="eve")) == ""


async def test_filters(table: GameTable) -> None:
    """Every filter works alone and together with others; the newest game comes first."""
    for each in (
        row("r1", NOON, ("ada", "ben"), winner=0, plies=10),
        row("r2", NOON + 1, ("ben", "ada"), game="replica", winner=0, plies=20),
        row("r3", NOON + 2, ("ada", "eve"), winner=None, plies=30),
        row("r4", NOON + 3, ("ada",), winner=0, plies=40),
        row("r5", NOON + 4, ("ada", "ben"), winner=1, plies=50, private=True),
    ):
        await table.put(each)
    for expected, wanted in (
        ("r4 r3 r2 r1", GameFilter()),
        ("r4 r3 r1", GameFilter(game="isaac")),
        ("r3 r2", GameFilter(min_plies=20, max_plies=30)),
        ("r3 r2", GameFilter(since=NOON + 1, until=NOON + 2)),
        ("r3", GameFilter(game="isaac", since=NOON + 1, max_plies=30)),
        ("r5 r4 r3 r2 r1", GameFilter(player="ada")),
        ("r5 r2 r1", GameFilter(player="ada", opponent="ben")),
        ("r5 r2 r1", GameFilter(player="ben", opponent="ada")),
        ("r4 r1", GameFilter(player="ada", result="won")),
        ("r5 r2", GameFilter(player="ada", result="lost")),
        ("r3", GameFilter(player="ada", result="drawn")),
        ("r5", GameFilter(player="ben", result="won", game="isaac")),
        ("r2", GameFilter(player="ada", game="replica", opponent="ben", result="lost", min_plies=20, since=NOON + 1)),
        ("", GameFilter(player="eve", game="replica")),
        ("", GameFilter(player="ben", opponent="eve")),
    ):
        assert await rooms(table, wanted) == expected, wanted


@pytest.mark.parametrize("wanted", [GameFilter(), GameFilter(player="ada"), GameFilter(player="ada", opponent="ben")])
async def test_pages(table: GameTable, wanted: GameFilter) -> None:
    """Pages neither skip nor repeat a game, also if many ended in the same millisecond or end in the meantime."""
    for number in range(25):
        await table.put(row(f"r{number:02}", NOON + number // 10))
    seen: list[str] = []
    after: Cursor | None = None
    while True:
        page = await table.page(wanted, after, 4)
        seen += [summary.decode() for summary in page.summaries]
        await table.put(row(f"new{len(seen)}", NOON + 1000))
        if page.more is None:
            break
        after = page.more
    assert seen == [f"r{number:02}" for number in reversed(range(25))]


async def test_two_processes_share_a_file(tmp_path: Path) -> None:
    """Games that two nodes write to one SQLite file at the same time are all there."""
    url: URL = sqlite_url(tmp_path / "shared archive.sqlite3")
    databases = [Database(url), Database(url)]
    await asyncio.gather(*(database.open() for database in databases))
    tables = [GameTable(database) for database in databases]
    await asyncio.gather(*(tables[number % 2].put(row(f"r{number:03}", NOON)) for number in range(300)))
    assert len((await tables[0].page(GameFilter(player="ada"), None, 1000)).summaries) == 300
    for database in databases:
        await database.close()
