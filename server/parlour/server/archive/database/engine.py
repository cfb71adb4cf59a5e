"""Connections to SQLite and PostgreSQL, set up so that both behave alike."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.store.keys import DEFAULT_PREFIX

FILE = "archive.sqlite3"  # in the data folder, of a deployment with the default prefix
CONNECT_WITHIN = 5  # seconds
QUERY_WITHIN = 5_000  # milliseconds; a page takes a few, and no query may keep a connection for long
LOCK_WITHIN = 10  # seconds that a process waits for another one that writes to the same SQLite file
LOCK_PAUSE = 0.01  # seconds between two attempts

WRITES: dict[str, Any] = {"writes": True}  # execution options of a connection whose transactions write


def archive_url(archive: str | None, data: Path, key_prefix: str = DEFAULT_PREFIX) -> URL:
    """Return the address of the archive: the one in the settings, or a file in the data folder.

    Deployments that share a Redis and a folder have different prefixes, and so do their files.
    """
    file = FILE if key_prefix == DEFAULT_PREFIX else f"archive-{key_prefix}.sqlite3"
    try:
        return sqlite_url(data / file) if archive is None else make_url(archive)
    except ArgumentError as error:
        raise ArchiveUnavailable(f"The address of the archive cannot be used: {error}.") from error


def sqlite_url(path: Path) -> URL:
    """Return the address of a SQLite file."""
    return URL.create("sqlite", database=str(path.absolute()))


def connect(url: URL, connections: int) -> Engine:
    """Return an engine, not connected yet. Raise ArchiveUnavailable if the address or the folder cannot be used."""
    try:
        return (_sqlite if url.get_backend_name() == "sqlite" else _postgresql)(url, connections)
    except ImportError as error:
        raise ArchiveUnavailable(
            "PostgreSQL needs a driver that is not installed. Install it with: pip install 'parlour[postgresql]'"
        ) from error


def _sqlite(url: URL, connections: int) -> Engine:
    path = Path(url.database or "")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise ArchiveUnavailable(
            f"The archive {path} cannot be opened: {error.strerror or error}. "
            "Correct its permissions, or choose another place with --archive or --data."
        ) from error
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite"),
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": LOCK_WITHIN, "isolation_level": None},  # transactions begin below, not in the driver
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        _write_ahead(connection)
        # The log of a game is deleted after the commit, so a commit has to survive a power failure.
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads before it writes would fail if another process has written in between.
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file to a write-ahead log, so that readers and a writer do not wait for each other.

    SQLite refuses this at once, whatever the timeout, while another process switches the same new file.
    """
    give_up_at = monotonic() + LOCK_WITHIN
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > give_up_at:
                raise
            sleep(LOCK_PAUSE)
        else:
            return


def _postgresql(url: URL, connections: int) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,  # after a restart of the database, its old connections are replaced
        pool_timeout=CONNECT_WITHIN,
        connect_args={
            "connect_timeout": CONNECT_WITHIN,
            "options": f"-c statement_timeout={QUERY_WITHIN}",
            "application_name": "parlour",
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 3,
            "tcp_user_timeout": 15_000,
        },
    )
