"""Response times of the archive, with as many games as a large site plays in years.

    python -m bench.archive                                          SQLite, a million games
    python -m bench.archive sqlite postgresql://user@host/empty      the same, then an empty PostgreSQL database

Fills each database with the same synthetic games, and prints the time that it takes for typical pages, and which index
it uses. A SQLite file is deleted afterwards, a PostgreSQL database is not.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from sqlalchemy import URL, Connection, Engine, Select, Table, insert, select, text
from sqlalchemy.engine import make_url

from parlour.server.archive.database.engine import WRITES, connect, sqlite_url
from parlour.server.archive.database.migrate import migrate
from parlour.server.archive.database.schema import games, player_games, rating_history
from parlour.server.archive.database.search import Cursor, GameFilter, page_query

SQLITE = "sqlite"
GAMES = 1_000_000
PLAYERS = 20_000
BUSY = "p0"  # plays 2 % of all games
BATCH = 10_000
NOON = 1_700_000_000_000
MINUTE = 60_000
RECORD, SUMMARY = 550, 130  # bytes, as real games have
KEYS = ("isaac", "mapello", "mitsudomoe", "replica")
REPEATS = 300  # of each page, with another player each time
PAGE = 21
ALLOWED = 10.0  # milliseconds for a page of one player's games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "urls",
        metavar="URL",
        nargs="*",
        default=[SQLITE],
        help=f"an empty PostgreSQL database, or {SQLITE} for a file (default)",
    )
    parser.add_argument("--games", metavar="N", type=int, default=GAMES, help=f"number of games (default: {GAMES})")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-", dir=Path.cwd()) as folder:
        for url in arguments.urls:
            run(sqlite_url(Path(folder) / "archive.sqlite3") if url == SQLITE else make_url(url), arguments.games)


def run(url: URL, number: int) -> None:
    """Fill a database and print a table."""
    engine = connect(url, 1)
    migrate(engine)
    began = perf_counter()
    fill(engine, number)
    size = _size(engine)
    print(f"{engine.dialect.name}: {number} games in {perf_counter() - began:.0f} s, {size / number:.0f} bytes each")
    print(f"{'page':34} {'median ms':>9} {'p99 ms':>7} {'max ms':>7}  index")
    with engine.connect() as connection:
        for title, times in measure(connection, number).items():
            index = ", ".join(indexes(connection, typical_pages(number)[title]))
            p99 = quantiles(times, n=100)[98]
            verdict = "" if p99 <= ALLOWED else f"  slower than {ALLOWED:.0f} ms"
            print(f"{title:34} {median(times):9.2f} {p99:7.2f} {max(times):7.2f}  {index}{verdict}")
    engine.dispose()


def fill(engine: Engine, number: int) -> None:
    """Insert synthetic games, a minute apart."""
    rng = Random(1)
    with engine.connect().execution_options(**WRITES) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SET statement_timeout = 0"))
            connection.commit()
        for first in range(0, number, BATCH):
            rows = [_game(at, rng) for at in range(first, min(first + BATCH, number))]
            with connection.begin():
                for table, at in ((games, 0), (player_games, 1), (rating_history, 2)):
                    _insert(connection, table, [row for each in rows for row in each[at]])
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if connection.dialect.name != "postgresql":
        connection.execute(insert(table), rows)
        return
    columns = [column.name for column in table.c]  # COPY is several times as fast as INSERT
    driver: Any = connection.connection.driver_connection
    with driver.cursor().copy(f"COPY {table.name} ({', '.join(columns)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([row[name] for name in columns])


def _game(number: int, rng: Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    players = [
        BUSY if rng.random() < 0.02 else f"p{int(PLAYERS * rng.random() ** 2) + 1}",
        f"p{rng.randrange(PLAYERS)}",
    ]
    room, ended, plies = f"r{number:09}", NOON + number * MINUTE, rng.randrange(2, 80)
    shared = {"room": room, "game": KEYS[rng.randrange(4)], "ended": ended}
    winner = rng.choice((0, 0, 0, 1, 1, 1, None))
    game = {
        **shared, "started": ended - 600_000, "plies": plies, "private": rng.random() < 0.1, "seq": plies + 3,
        "summary": os.urandom(SUMMARY), "record": os.urandom(RECORD),
    }  # fmt: skip
    results = [0 if winner is None else 1 if winner == seat else -1 for seat in (0, 1)]
    lists = [
        {**shared, "player": players[seat], "opponent": players[1 - seat], "result": results[seat], "plies": plies}
        for seat in ((0, 1) if players[0] != players[1] else (0,))
    ]
    points = [{**shared, "player": row["player"], "rating": 1500 + rng.randrange(500)} for row in lists if number % 2]
    return [game], lists, points


def typical_pages(number: int, player: str = "p500") -> dict[str, Select[Any]]:
    """Return the queries that clients cause, by title. `player` is one who plays as much as most."""
    middle, later = NOON + number // 2 * MINUTE, NOON + number * 9 // 10 * MINUTE
    deep = Cursor(middle, "r")
    pages = {
        "all games": page_query(GameFilter(), None, PAGE),
        "all games, in the middle": page_query(GameFilter(), deep, PAGE),
        "all games of a kind": page_query(GameFilter(game="isaac"), None, PAGE),
        "all long games": page_query(GameFilter(min_plies=79), None, PAGE),
        "a player": page_query(GameFilter(player=player), None, PAGE),
        "the busiest player": page_query(GameFilter(player=BUSY), None, PAGE),
        "the busiest player, in the middle": page_query(GameFilter(player=BUSY), deep, PAGE),
        "… and a game": page_query(GameFilter(player=BUSY, game="replica"), deep, PAGE),
        "… and an opponent": page_query(GameFilter(player=BUSY, opponent="p77"), None, PAGE),
        "… and a result": page_query(GameFilter(player=BUSY, result="drawn"), None, PAGE),
        "… and a length": page_query(GameFilter(player=BUSY, min_plies=79), None, PAGE),
        "… and dates": page_query(GameFilter(player=BUSY, since=middle, until=later), None, PAGE),
        "… and everything": page_query(
            GameFilter(player=BUSY, game="isaac", result="lost", since=middle, max_plies=5), None, PAGE
        ),
    }
    record: Select[Any] = select(games.c.record).where(games.c.room == f"r{number // 2:09}")
    return {**pages, "the record of a room": record}


def measure(connection: Connection, number: int) -> dict[str, list[float]]:
    """Return the milliseconds of each page, several times, after a first time that fills the caches."""
    rng = Random(2)
    times: dict[str, list[float]] = {title: [] for title in typical_pages(number)}
    for repeat in range(REPEATS + 1):
        for title, query in typical_pages(number, f"p{rng.randrange(1, PLAYERS)}").items():
            began = perf_counter()
            connection.execute(query).all()
            if repeat:
                times[title].append((perf_counter() - began) * 1000)
    return times


def indexes(connection: Connection, query: Select[Any]) -> list[str]:
    """Return the indexes that a database uses for a query."""
    compiled = query.compile(connection, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    lines = [str(row[-1]) for row in connection.exec_driver_sql(f"{explain} {compiled}".replace("%", "%%")).all()]
    words = [line.partition("USING " if "USING " in line else "using ")[2].partition(" (")[0] for line in lines]
    words = [word.partition(" on ")[0].removeprefix("INDEX ").removeprefix("COVERING INDEX ") for word in words]
    return [word for word in words if word] + (
        ["a sort"] if any("B-TREE" in line or "Sort" in line for line in lines) else []
    )


def _size(engine: Engine) -> int:
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
        pages, size = (connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("page_count", "page_size"))
        return int(pages * size)


if __name__ == "__main__":
    main()
