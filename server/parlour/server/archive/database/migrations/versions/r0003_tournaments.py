"""Finished tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("tournament", KEY, primary_key=True),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("log", sa.LargeBinary(), nullable=False),
    )
