"""Brings the tables of the archive up to date, once, however many nodes start at the same time."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from parlour.server.archive.database.engine import WRITES
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.schema import REVISION

FOLDER = Path(__file__).with_name("migrations")
LOCK = 0x7061726C  # PostgreSQL knows an advisory lock by a number; this one is “parl”


def migrate(engine: Engine) -> None:
    """Create the tables, or run the migrations that are missing. Raise ArchiveUnavailable for a newer database."""
    if is_current(engine):
        return
    with engine.connect().execution_options(**WRITES) as connection, connection.begin():
        if connection.dialect.name == "postgresql":  # SQLite locks the file when a transaction begins
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        found = _revision(connection)
        _check_not_newer(found)
        if found != REVISION:
            _upgrade(connection)


def is_current(engine: Engine) -> bool:
    """Return whether a database has the tables of this version. Raise ArchiveUnavailable for a newer database."""
    with engine.connect() as connection:
        found = _revision(connection)
        _check_not_newer(found)
        return found == REVISION


def _check_not_newer(found: str | None) -> None:
    if found is not None and found > REVISION:
        raise ArchiveUnavailable(
            f"The archive has revision {found}, and this version of Parlour understands revisions up to "
            f"{REVISION}. Start the version of Parlour that wrote it, or a newer one."
        )


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database; None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _upgrade(connection: Connection) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it would describe every step, and its own plugins
    # Imported late: that takes as long as the start of a node, which hardly ever has to migrate.
    command, config = import_module("alembic.command"), import_module("alembic.config").Config()
    config.set_main_option("script_location", str(FOLDER))
    attributes: dict[str, Any] = config.attributes
    attributes["connection"] = connection
    command.upgrade(config, "head")
