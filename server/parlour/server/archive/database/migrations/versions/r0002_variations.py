"""Variations of finished games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "variations",
        sa.Column("room", KEY, primary_key=True),
        sa.Column("player", KEY, primary_key=True),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
