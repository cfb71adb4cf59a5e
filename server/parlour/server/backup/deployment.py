"""A deployment as a backup sees it: its store and its archive, without a node."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct
from sqlalchemy import URL, Engine, select
from sqlalchemy.exc import SQLAlchemyError

from parlour.server.archive.database.engine import archive_url, connect
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.migrate import is_current, migrate
from parlour.server.archive.database.schema import archive
from parlour.server.archive.pairing import note_archive
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.configuration.settings import Settings
from parlour.server.store.data_folder import DataFolder
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.format import StoreFormat
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline


class Deployment(Struct, frozen=True):
    """The store and the archive of a deployment."""

    pipeline: Pipeline
    engine: Engine

    def archive_id(self) -> str:
        """Return the id of the archive."""
        with self.engine.connect() as connection:
            found: str = connection.execute(select(archive.c.id)).scalar_one()
            return found


@asynccontextmanager
async def source(settings: Settings) -> AsyncIterator[Deployment]:
    """Open a deployment to read from it, whether its nodes are running or not.

    Raise BackupError if there is none, and StoreUnavailable if it cannot be opened.
    """
    folder = DataFolder(settings.data)
    if settings.redis is None and not folder.has_data:
        raise BackupError(
            BackupCode.SOURCE_MISSING,
            f"There is no store in {settings.data}. Name it with --data or --redis.",
        )
    address = archive_url(settings.archive, settings.data, settings.key_prefix)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        raise BackupError(
            BackupCode.SOURCE_MISSING, f"There is no archive {address.database}. Name it with --data or --archive."
        )
    async with _opened(settings, settings.redis or await folder.running_url(), address) as opened:
        if not is_current(opened.engine):
            raise BackupError(
                BackupCode.SOURCE_OLDER,
                "An older version of Parlour wrote the archive, which is not changed here. Use that version, or start "
                "a server of this version once, which brings the archive up to date.",
            )
        yield opened


@asynccontextmanager
async def target(settings: Settings) -> AsyncIterator[Deployment]:
    """Open a deployment that has no running nodes to write to it, or create it. Raise StoreUnavailable on failure."""
    address = archive_url(settings.archive, settings.data, settings.key_prefix)
    async with _opened(settings, settings.redis, address) as opened:
        migrate(opened.engine)
        yield opened


@asynccontextmanager
async def shared_target(settings: Settings) -> AsyncIterator[Deployment]:
    """Open a deployment to add to it, whether its nodes are running or not, or create it.

    Raise StoreUnavailable, with a sentence for the operator, if a node could not use it either.
    """
    url = settings.redis or await DataFolder(settings.data).running_url()
    address = archive_url(settings.archive, settings.data, settings.key_prefix)
    async with _opened(settings, url, address, StoreFormat(Keys(settings.key_prefix))) as opened:
        migrate(opened.engine)
        await note_archive(opened.pipeline, opened.archive_id())
        yield opened


@asynccontextmanager
async def _opened(
    settings: Settings, url: str | None, address: URL, store_format: StoreFormat | None = None
) -> AsyncIterator[Deployment]:
    """Open the store and the archive. `store_format` first checks the store and brings it up to date."""
    async with AsyncExitStack() as stack:
        if url is None:
            url = (await stack.enter_async_context(EmbeddedStore(settings.data))).url
        pipeline = Pipeline(url, keys=Keys(settings.key_prefix))
        stack.push_async_callback(pipeline.close)
        if store_format is not None:
            pipeline.before_use(pipeline.keys.format_version, store_format.check)
        await pipeline.open()
        if store_format is not None:
            await store_format.upgrade(pipeline)
        engine = connect(address, 1)
        stack.callback(engine.dispose)
        try:
            yield Deployment(pipeline, engine)
        except SQLAlchemyError as error:
            first_line = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            raise ArchiveUnavailable(f"The archive cannot be used: {first_line}") from error
