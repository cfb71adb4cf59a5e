"""The lines of a backup: a header, the keys of the store, the rows of the archive, and a last line that counts them."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from parlour.protocol.errors import Refusal
from parlour.server.archive import storage
from parlour.server.backup.archive_rows import TABLES
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.backup.stored_keys import StoredKey, write_commands
from parlour.server.store.format import FORMAT

VERSION = 1  # of this format


class Header(Struct, frozen=True, tag="backup", tag_field="parlour"):
    """The first line."""

    version: int
    store_format: int  # of the keys, see `store/format.py`
    created: str = ""  # when, for people
    id: str = msgspec.field(default_factory=lambda: secrets.token_hex(8))  # of this backup


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the archive; bytes are in base64."""

    table: str
    row: dict[str, Any]


class End(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how many lines of each kind there are. A file without it is incomplete."""

    end: dict[str, int]


encode = msgspec.json.Encoder().encode


def encode_row(table: str, row: dict[str, Any]) -> bytes:
    """Return a row as a line."""
    return encode(Row(table, {k: b64encode(v).decode() if isinstance(v, bytes) else v for k, v in row.items()}))


def kind_of(line: StoredKey | Row) -> str:
    """Return "keys", or the name of the table."""
    return "keys" if isinstance(line, StoredKey) else line.table


def read_header(source: Iterator[bytes]) -> Header:
    """Return the first line of a backup. Raise BackupError if this version cannot restore the backup."""
    try:
        header = msgspec.json.decode(next(source, b""), type=Header)
    except ValueError:
        raise _broken(1, "This is not a backup of Parlour") from None
    if header.version > VERSION or header.store_format > FORMAT:
        raise BackupError(
            BackupCode.BACKUP_NEWER, "A newer version of Parlour wrote this backup. Restore it with that version."
        )
    return header


def read_content(source: Iterator[bytes]) -> Iterator[StoredKey | Row]:
    """Yield the keys, the rows and the last line.

    Raise BackupError, with the number of the line, for anything else. Every record is checked against its chain.
    """
    counts: Counter[str] = Counter()
    number = 1
    for number, line in enumerate(source, 2):
        try:
            content = _line(line)
        except Refusal as refusal:
            raise _broken(number, refusal.sentence) from None
        except (ValueError, LookupError, TypeError) as fault:  # msgspec's errors are ValueErrors
            raise _broken(number, f"It is not a line of a backup ({fault})") from None
        if isinstance(content, End):
            if content.end != dict(counts):
                raise _broken(number, "Lines before it are missing")
            return
        counts[kind_of(content)] += 1
        yield content
    raise _broken(number + 1, "The backup is not complete: it ends here")


def _line(line: bytes) -> StoredKey | Row | End:
    found = msgspec.json.decode(line, type=dict[str, Any])
    if "end" in found:
        return msgspec.convert(found, End)
    if "key" in found:
        stored = msgspec.convert(found, StoredKey)
        write_commands(stored, "")  # raises ValueError or TypeError if the value cannot be written
        return stored
    return _checked_row(msgspec.convert(found, Row))


def _checked_row(row: Row) -> Row:
    """Return the row with its bytes.

    Raise ValueError or LookupError for a malformed row, Refusal for a changed record.
    """
    values = {}
    for column in TABLES[row.table].c:
        value = row.row[column.name]
        kind = column.type.python_type
        values[column.name] = b64decode(value, validate=True) if kind is bytes else msgspec.convert(value, kind)
    if row.table == "games" and storage.unpack(values["record"]).record.room != values["room"]:
        raise ValueError("its record is that of another room")
    return Row(row.table, values)


def _broken(number: int, sentence: str) -> BackupError:
    return BackupError(BackupCode.BACKUP_BROKEN, f"Line {number}: {sentence.rstrip('.')}. Use another backup.")
