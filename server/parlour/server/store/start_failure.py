"""Why Valkey did not start: its log, translated into a sentence that an operator can act on."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

WARNING = re.compile(r"^\d+:\w .*? # (.+)$", re.MULTILINE)

DAMAGED_AOF = re.compile(r"(?:Bad file format|Unexpected end of file) reading the append only file (\S+?)[:.] ")
DAMAGED_SNAPSHOT = re.compile(r"loading DB|Wrong signature|RDB (?:reading|file)", re.IGNORECASE)
MISSING_FILE = re.compile(r"manifest|doesn't exist|No such file", re.IGNORECASE)
NO_PERMISSION = re.compile(r"Permission denied|Operation not permitted|Read-only file system")
NO_MEMORY = re.compile(r"Out Of Memory|Can't allocate|Cannot allocate", re.IGNORECASE)

FULL = (errno.ENOSPC, errno.EDQUOT)


def is_damaged_aof(log: str) -> bool:
    """Return whether Valkey ended because it could not read an append-only file."""
    return DAMAGED_AOF.search(last_warning(log)) is not None


def last_warning(log: str) -> str:
    """Return the last warning in a log, or its last line if there is none."""
    warnings = WARNING.findall(log)
    lines = log.strip().splitlines()
    return (warnings or lines or [""])[-1].strip()


def explain(log: str, folder: Path) -> str:
    """Return why Valkey exited and what helps; `log` is its output since it was started in this folder."""
    warning = last_warning(log)
    if any(os.strerror(code) in warning for code in FULL):
        return disk_full(folder)
    if NO_PERMISSION.search(warning):
        return f"Valkey may not use its files in {folder}: {warning}. Give Parlour's user access to all files there."
    if damaged := DAMAGED_AOF.search(warning):
        return f"The file {folder / 'appendonlydir' / damaged[1]} is damaged. Restore {folder} from a backup."
    if NO_MEMORY.search(warning):
        return f"There is not enough memory for the data in {folder}: {warning}. Free some, or add more."
    if DAMAGED_SNAPSHOT.search(warning):
        return f"The snapshot in {folder / 'appendonlydir'} is damaged: {warning}. Restore {folder} from a backup."
    if MISSING_FILE.search(warning):
        return f"Valkey does not find all its files in {folder}: {warning}. Restore the folder from a backup."
    return f"Valkey did not start. It says: {warning or 'nothing'}. Its log is {folder / 'valkey.log'}."


def unusable(folder: Path, error: OSError) -> str:
    """Return why a data folder cannot be used, with a remedy."""
    if error.errno in FULL:
        return disk_full(folder)
    return f"The data folder {folder} cannot be used: {error.strerror}. Correct that, or choose another with --data."


def disk_full(folder: Path) -> str:
    """Return the error for a full disk."""
    return f"The disk that holds {folder} is full. Free some space on it; nothing else is necessary."
