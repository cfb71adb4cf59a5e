"""The tables of the archive. After a change here, add a revision to `migrations/versions`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, SmallInteger, String, Table

REVISION = "0004"  # the newest one

# Keys are compared byte by byte: that is faster than by the rules of a language, and the same in both databases.
KEY = String().with_variant(String(collation="C"), "postgresql")

metadata = MetaData()

# One row: `id` identifies the archive, so that no store is used with two.
archive = Table("archive", metadata, Column("id", String, primary_key=True))

games = Table(
    "games",
    metadata,
    Column("room", KEY, primary_key=True),
    Column("game", KEY, nullable=False),
    Column("ended", BigInteger, nullable=False),  # milliseconds since 1970, like all times
    Column("started", BigInteger, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),  # of the last event in the log: a room may change after its game
    Column("summary", LargeBinary, nullable=False),  # the game as an item of a list
    Column("record", LargeBinary, nullable=False),
)
# Those without private games serve the public lists; with the number of plies, which is a filter, they cover it.
for name, columns in (("games_public", ()), ("games_public_by_game", (games.c.game,))):
    Index(
        name,
        *columns,
        games.c.ended,
        games.c.room,
        games.c.plies,
        sqlite_where=games.c.private.is_(False),
        postgresql_where=games.c.private.is_(False),
    )
Index("games_by_end", games.c.ended, games.c.room)  # for exports

# Each finished game once for each of its players that is a person or a bot account.
player_games = Table(
    "player_games",
    metadata,
    Column("player", KEY, primary_key=True),
    Column("ended", BigInteger, primary_key=True),
    Column("room", KEY, primary_key=True),
    Column("game", KEY, nullable=False),
    Column("opponent", KEY, nullable=False),
    Column("result", SmallInteger, nullable=False),  # of this player: 1 won, 0 drawn, -1 lost
    Column("plies", Integer, nullable=False),
    sqlite_with_rowid=False,
)
for name, column in (
    ("player_games_by_game", player_games.c.game),
    ("player_games_by_opponent", player_games.c.opponent),
    ("player_games_by_result", player_games.c.result),
):
    Index(name, player_games.c.player, column, player_games.c.ended, player_games.c.room)

rating_history = Table(
    "rating_history",
    metadata,
    Column("player", KEY, primary_key=True),
    Column("game", KEY, primary_key=True),
    Column("ended", BigInteger, primary_key=True),
    Column("room", KEY, primary_key=True),
    Column("rating", Integer, nullable=False),  # after the game
    sqlite_with_rowid=False,
)

reviews = Table(
    "reviews",
    metadata,
    Column("room", KEY, primary_key=True),
    Column("ply", Integer, primary_key=True),  # the number of moves before the position
    Column("evaluation", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

variations = Table(
    "variations",
    metadata,
    Column("room", KEY, primary_key=True),
    Column("player", KEY, primary_key=True),  # one of the players of the game
    Column("lines", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("tournament", KEY, primary_key=True),
    Column("ended", BigInteger, nullable=False),
    Column("log", LargeBinary, nullable=False),  # its events
)
# Each of them once for each player, bot or guest who has entered or organised it.
player_tournaments = Table(
    "player_tournaments",
    metadata,
    Column("player", KEY, primary_key=True),
    Column("tournament", KEY, primary_key=True),
    sqlite_with_rowid=False,
)
