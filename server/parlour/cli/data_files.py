"""Files that commands read and write: compressed or not, `-` for standard input and output, and never half written."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, cast

from parlour.server.backup.errors import BackupCode, BackupError

STANDARD = "-"
GZIP = b"\x1f\x8b"  # how a compressed file begins


@contextmanager
def writing(name: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Write a file that appears when it is complete; compressed if its name ends with .gz.

    Raise BackupError if it exists and `force` is not given, or if it cannot be written.
    """
    if name == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if path.exists() and not force:
        sentence = f"The file {path} exists. Choose another name, or replace it with --force."
        raise BackupError(BackupCode.FILE_UNUSABLE, sentence)
    part = path.with_name(f"{path.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # it may contain password hashes
        try:
            with os.fdopen(descriptor, "wb") as raw:
                if path.suffix == ".gz":
                    with gzip.GzipFile(path.stem, "wb", 6, raw) as packed:
                        yield cast("IO[bytes]", packed)
                else:
                    yield raw
                raw.flush()
                os.fsync(raw.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(name, error) from error


@contextmanager
def reading(name: str) -> Iterator[IO[bytes]]:
    """Open a file to be read, more than once if need be, compressed or not. Raise BackupError if it cannot be read."""
    try:
        with TemporaryFile() if name == STANDARD else Path(name).open("rb") as raw:
            if name == STANDARD:
                shutil.copyfileobj(sys.stdin.buffer, raw)
                raw.seek(0)
            is_packed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            opened: Any = gzip.GzipFile(fileobj=raw, mode="rb") if is_packed else raw
            yield opened
    except (OSError, EOFError) as error:  # gzip raises EOFError for a file that ends too early
        raise _unusable(name, error) from error


def _unusable(name: str, error: Exception) -> BackupError:
    reason = getattr(error, "strerror", None) or error
    return BackupError(BackupCode.FILE_UNUSABLE, f"The file {name} cannot be used: {reason}.")
