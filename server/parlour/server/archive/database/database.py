"""The archive database as a node uses it: queries run in threads, and one that is down is given time to recover."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from parlour.server.archive.database.engine import WRITES, connect
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.migrate import migrate
from parlour.server.archive.database.schema import archive

logger = logging.getLogger(__name__)

READERS = 4  # threads
MAX_WAITING = 2_000  # waiting queries; more are refused
MAX_BATCH = 200  # changes in one transaction
ANSWER_WITHIN = 10.0  # seconds for a query, including its time in the queue
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds after a failure, in which the database is not asked again

T = TypeVar("T")
Change = Callable[[Connection], None]


class Database:
    """SQLite or PostgreSQL. All coroutines raise ArchiveUnavailable.

    Changes that are made at the same time share a transaction, so that many games can end at once.
    """

    def __init__(self, url: URL) -> None:
        """Raise ArchiveUnavailable if the address cannot be used."""
        self._engine = connect(url, READERS + 1)
        self._readers = ThreadPoolExecutor(READERS, "archive-read")
        self._writer = ThreadPoolExecutor(1, "archive-write")
        self._is_migrated = False
        self._waiting = 0
        self._changes: list[tuple[Change, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._pause = 0.0
        self._retry_at = 0.0
        self.problem = ""  # why the database cannot be used; empty: it can
        self.errors = 0
        self.is_file = self._engine.dialect.name == "sqlite"

    async def open(self) -> None:
        """Bring the tables up to date.

        Raise ArchiveUnavailable if a file cannot be used. A database server that is down is tried again later, because
        games do not depend on it.
        """
        try:
            await self.read(lambda _: None)
        except ArchiveUnavailable as error:
            if self.is_file or not self.problem:
                raise
            logger.warning("the archive is not available; finished games wait in the store: %s", error)

    async def close(self) -> None:
        """Complete the changes under way, and disconnect."""
        if self._writing is not None:
            await asyncio.wait([self._writing], timeout=ANSWER_WITHIN)
        for executor in (self._readers, self._writer):
            executor.shutdown(wait=False, cancel_futures=True)
        self._engine.dispose()

    async def id(self) -> str:
        """Return the id of this archive."""
        return await self.read(lambda connection: connection.execute(select(archive.c.id)).scalar_one())

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Return the result of a query that changes nothing."""
        return await self._run(self._readers, partial(self._read, query))

    async def write(self, change: Change) -> None:
        """Make a change, and return when it is committed. A change has to be idempotent: it may be made twice."""
        if len(self._changes) >= MAX_WAITING:
            raise ArchiveUnavailable("Too many changes wait for the archive.")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._changes.append((change, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all(), name="archive")
        try:
            await done
        finally:
            del done  # its error refers to this frame: a reference cycle

    # -- on the event loop

    async def _write_all(self) -> None:
        try:
            while self._changes:
                batch, self._changes = self._changes[:MAX_BATCH], self._changes[MAX_BATCH:]
                await self._write_batch(batch)
        finally:
            self._writing = None

    async def _write_batch(self, batch: list[tuple[Change, asyncio.Future[None]]]) -> None:
        try:
            await self._run(self._writer, partial(self._write, [change for change, _ in batch]))
        except ArchiveUnavailable as error:
            _settle(batch, error)
        except Exception as error:
            if len(batch) == 1:
                _settle(batch, error)
                return
            for one in batch:  # one change that fails must not prevent the others
                await self._write_batch([one])
        else:
            _settle(batch, None)

    async def _run(self, executor: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if monotonic() < self._retry_at:
            raise ArchiveUnavailable(self.problem)
        if self._waiting >= MAX_WAITING:
            raise ArchiveUnavailable("Too many queries wait for the archive.")
        self._waiting += 1
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                result = await asyncio.get_running_loop().run_in_executor(executor, work)
        except TimeoutError:
            raise self._failed("The archive does not answer in time.") from None
        except DBAPIError as error:
            if _is_too_slow(error):
                raise ArchiveUnavailable("The search takes too long. Narrow it down.") from error
            if not _is_outage(error):
                raise
            raise self._failed(f"The archive cannot be used: {_first_line(error)}") from error
        except SQLAlchemyError as error:  # no connection was free in time
            raise self._failed(f"The archive cannot be used: {_first_line(error)}") from error
        finally:
            self._waiting -= 1
        if self.problem:
            logger.info("the archive can be used again")
        self._pause, self._retry_at, self.problem = 0.0, 0.0, ""
        return result

    def _failed(self, sentence: str) -> ArchiveUnavailable:
        """Note that the database cannot be used, and try again later, after a longer time with each failure."""
        self.errors += 1
        if not self.problem:
            logger.warning("%s", sentence)
        self.problem = sentence
        self._pause = min(max(FIRST_PAUSE, self._pause * 2), LONGEST_PAUSE)
        self._retry_at = monotonic() + self._pause
        return ArchiveUnavailable(sentence)

    # -- in the threads

    def _read(self, query: Callable[[Connection], T]) -> T:
        self._migrate()
        with self._engine.connect() as connection:
            return query(connection)

    def _write(self, changes: list[Change]) -> None:
        self._migrate()
        with self._engine.connect().execution_options(**WRITES) as connection, connection.begin():
            for change in changes:
                change(connection)

    def _migrate(self) -> None:
        """Bring the tables up to date before they are used for the first time, which several threads may do."""
        if not self._is_migrated:
            migrate(self._engine)
            self._is_migrated = True


def _settle(batch: list[tuple[Change, asyncio.Future[None]]], error: Exception | None) -> None:
    for _, done in batch:
        if done.done():  # the caller was cancelled
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def _is_outage(error: DBAPIError) -> bool:
    """Return whether an error is about the database as a whole, and not about one query."""
    is_outage = type(error).__name__ in ("OperationalError", "InterfaceError", "InternalError", "DatabaseError")
    return is_outage or error.connection_invalidated


def _is_too_slow(error: DBAPIError) -> bool:
    """Return whether PostgreSQL has cancelled a query because of its statement_timeout."""
    return getattr(error.orig, "sqlstate", None) == "57014"


def _first_line(error: SQLAlchemyError) -> str:
    """Return the database's own words, without the statement and its parameters."""
    cause: Any = getattr(error, "orig", None) or error
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]
