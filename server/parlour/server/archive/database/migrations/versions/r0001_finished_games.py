"""Finished games, rating histories and reviews."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create all tables."""
    archive = op.create_table("archive", sa.Column("id", sa.String(), primary_key=True))
    op.bulk_insert(archive, [{"id": secrets.token_hex(8)}])
    op.create_table(
        "games",
        sa.Column("room", KEY, primary_key=True),
        sa.Column("game", KEY, nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("summary", sa.LargeBinary(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
    )
    is_public = sa.column("private", sa.Boolean()).is_(False)
    for name, columns in (("games_public", []), ("games_public_by_game", ["game"])):
        columns += ["ended", "room", "plies"]
        op.create_index(name, "games", columns, sqlite_where=is_public, postgresql_where=is_public)
    op.create_index("games_by_end", "games", ["ended", "room"])
    op.create_table(
        "player_games",
        sa.Column("player", KEY, primary_key=True),
        sa.Column("ended", sa.BigInteger(), primary_key=True),
        sa.Column("room", KEY, primary_key=True),
        sa.Column("game", KEY, nullable=False),
        sa.Column("opponent", KEY, nullable=False),
        sa.Column("result", sa.SmallInteger(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    for column in ("game", "opponent", "result"):
        op.create_index(f"player_games_by_{column}", "player_games", ["player", column, "ended", "room"])
    op.create_table(
        "rating_history",
        sa.Column("player", KEY, primary_key=True),
        sa.Column("game", KEY, primary_key=True),
        sa.Column("ended", sa.BigInteger(), primary_key=True),
        sa.Column("room", KEY, primary_key=True),
        sa.Column("rating", sa.Integer(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reviews",
        sa.Column("room", KEY, primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("evaluation", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
