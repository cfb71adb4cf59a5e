"""How Alembic runs the migrations: on the caller's connection, in the caller's transaction."""

from __future__ import annotations

from alembic import context

from parlour.server.archive.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
