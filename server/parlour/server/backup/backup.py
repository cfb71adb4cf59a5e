"""Writes a backup of a deployment, and restores it into an empty one."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime

from parlour.server.backup import lines
from parlour.server.backup.archive_rows import BATCH, TABLES, is_empty, read_rows, write_rows
from parlour.server.backup.deployment import Deployment
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.backup.stored_keys import StoredKey, read_keys, write_keys
from parlour.server.store.format import RESTORING

Progress = Callable[[str], None]  # called with what was just read or written: "keys", or the name of a table


async def write_backup(source: Deployment, progress: Progress) -> AsyncIterator[bytes]:
    """Yield the lines of a backup, which may be made while nodes are running. Raise BackupError.

    The store is read first: a game that is archived in the meantime is then in both parts, and never in neither.
    """
    version = await _require_complete(source)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    yield lines.encode(lines.Header(lines.VERSION, version, created))
    counts: Counter[str] = Counter()
    async for stored in read_keys(source.pipeline):
        counts[lines.kind_of(stored)] += 1
        progress(lines.kind_of(stored))
        yield lines.encode(stored)
    for name, table in TABLES.items():
        for row in read_rows(source.engine, table):
            counts[name] += 1
            progress(name)
            yield lines.encode_row(name, row)
    yield lines.encode(lines.End(dict(counts)))


async def _require_complete(source: Deployment) -> int:
    """Return the format of a store. Raise BackupError if it is empty, incomplete, or has another archive."""
    keys = source.pipeline.keys
    found, archive = await source.pipeline.call_all((b"GET", keys.format_version), (b"GET", keys.archive))
    if found is None:
        raise BackupError(
            BackupCode.SOURCE_MISSING,
            f"The store has no data with the key prefix “{keys.prefix}”. Check --redis and --key-prefix.",
        )
    if found.startswith(RESTORING):
        raise BackupError(
            BackupCode.RESTORE_INCOMPLETE, "A restore into this deployment was interrupted. Run it again first."
        )
    if archive is not None and archive.decode() != source.archive_id():
        raise BackupError(
            BackupCode.ARCHIVE_MISMATCH,
            "This is not the archive of the store. Name its archive as for `parlour serve`, with --archive or --data.",
        )
    return int(found)


async def restore_backup(target: Deployment, source: Iterator[bytes], progress: Progress) -> None:
    """Restore a backup into an empty deployment, or continue an interrupted restore of the same backup.

    Until the restore is complete, no node can use the store. Raise BackupError if the deployment is not empty, or the
    backup is broken.
    """
    header = lines.read_header(source)
    pipeline, keys = target.pipeline, target.pipeline.keys
    marker = RESTORING + header.id.encode()
    if await pipeline.call("GET", keys.format_version) != marker:
        await _require_empty(target)
        await pipeline.call("SET", keys.format_version, marker)
    for batch in _batches(lines.read_content(source)):
        if isinstance(batch[0], StoredKey):
            await write_keys(pipeline, [each for each in batch if isinstance(each, StoredKey)])
        else:
            rows = [each.row for each in batch if isinstance(each, lines.Row)]
            write_rows(target.engine, TABLES[batch[0].table], rows)
        for each in batch:
            progress(lines.kind_of(each))
    await pipeline.call("SET", keys.archive, target.archive_id())
    await pipeline.call("SET", keys.format_version, header.store_format)


async def _require_empty(target: Deployment) -> None:
    pipeline, keys = target.pipeline, target.pipeline.keys
    found = await pipeline.call("GET", keys.format_version)
    if found is not None and found.startswith(RESTORING):
        raise BackupError(
            BackupCode.RESTORE_INCOMPLETE,
            "A restore of another backup was interrupted here. Restore that one again, or empty store and archive.",
        )
    async for names in pipeline.scan(f"{keys.prefix}:*"):
        if names:
            raise BackupError(
                BackupCode.TARGET_NOT_EMPTY,
                f"The store is not empty: it has the key {names[0].decode(errors='replace')}. Nothing was changed. "
                "Choose an empty store with --redis or --data, or another --key-prefix.",
            )
    if not is_empty(target.engine):
        raise BackupError(
            BackupCode.TARGET_NOT_EMPTY,
            "The archive has games already. Nothing was changed. Choose an empty one with --archive or --data.",
        )


def _batches(content: Iterator[StoredKey | lines.Row]) -> Iterator[list[StoredKey | lines.Row]]:
    """Yield lines of the same kind together."""
    batch: list[StoredKey | lines.Row] = []
    for line in content:
        if batch and (len(batch) == BATCH or lines.kind_of(batch[0]) != lines.kind_of(line)):
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch
