"""Who has taken part in finished tournaments."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")

tournaments = sa.table("tournaments", sa.column("tournament", KEY), sa.column("log", sa.LargeBinary()))


def upgrade() -> None:
    """Create the table, and find the players of the tournaments that are there."""
    table = op.create_table(
        "player_tournaments",
        sa.Column("player", KEY, primary_key=True),
        sa.Column("tournament", KEY, primary_key=True),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    found = connection.execute(sa.select(tournaments.c.tournament)).scalars().all()
    for tournament in found:
        query = sa.select(tournaments.c.log).where(tournaments.c.tournament == tournament)
        rows = [
            {"player": player, "tournament": tournament} for player in players(connection.execute(query).scalar_one())
        ]
        if rows:
            connection.execute(sa.insert(table), rows)


def players(log: bytes) -> list[str]:
    """Return the ids in a log: those of the organiser and the entrants."""
    events: list[dict[str, Any]] = msgspec.msgpack.decode(log)
    return sorted({event["account"] for event in events if event.get("account")})
