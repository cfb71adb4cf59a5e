"""Makes sure that all nodes of a store use the same archive."""

from __future__ import annotations

import logging

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)


async def pair(store: Store, database: Database) -> None:
    """Note which archive belongs to a store, like `note_archive`, unless the archive is down.

    It was most likely checked when the first node started.
    """
    try:
        id = await database.id()
    except ArchiveUnavailable:
        return
    await note_archive(store.pipeline, id)


async def note_archive(pipeline: Pipeline, id: str) -> None:
    """Note which archive belongs to a store. Raise StoreUnavailable, with a sentence for the operator, if another does.

    Otherwise a node with its own SQLite file would hide the games that it archives from the other nodes.
    """
    key = pipeline.keys.archive
    await pipeline.call(b"SET", key, id, b"NX")
    known = (await pipeline.call(b"GET", key)).decode()
    if known != id:
        raise StoreUnavailable(
            f"The games of this store are in another archive ({known}, not {id}). Give all nodes that share a Redis "
            "the same archive, with --archive or, on one machine, with --data. If that archive is lost for good, "
            f"delete the key {key} in Redis to begin a new one."
        )
