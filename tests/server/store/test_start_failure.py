"""Sentences for the operator when Valkey does not start; test_embedded.py has those that Valkey can be made to log."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from parlour.server.store.start_failure import explain, is_damaged_aof, last_warning, unusable

LOG = """\
7:M 17 Nov 2026 22:54:18.709 # WARNING Memory overcommit must be enabled!
7:M 17 Nov 2026 22:54:18.744 * Server initialized
7:M 17 Nov 2026 22:54:18.745 # {warning}
[offset 0] Checking RDB file
"""


@pytest.mark.parametrize(
    ("warning", "sentence"),
    [
        ("Can't open the append-only file a.aof: Permission denied", "Give Parlour's user access to all files there."),
        ("Error writing to the AOF file: No space left on device", "The disk that holds /data is full."),
        (
            "Bad file format reading the append only file a.1.aof: make a backup",
            "/data/appendonlydir/a.1.aof is damaged",
        ),
        ("Unexpected end of file reading the append only file a.1.aof. You can", "/appendonlydir/a.1.aof is damaged"),
        ("Short read or OOM loading DB. Unrecoverable error", "The snapshot in /data/appendonlydir is damaged"),
        ("The AOF file a.1.aof doesn't exist", "Valkey does not find all its files in /data"),
        ("Out Of Memory allocating 16 bytes!", "There is not enough memory for the data in /data"),
        ("Something new", "It says: Something new. Its log is /data/valkey.log."),
    ],
)
def test_every_reason_has_a_sentence(warning: str, sentence: str) -> None:
    """It names the place and what helps."""
    assert sentence in explain(LOG.format(warning=warning), Path("/data"))


def test_the_last_warning() -> None:
    """Without one it is the last line, and without a line nothing."""
    assert last_warning(LOG.format(warning="Bad")) == "Bad"
    assert last_warning("*** FATAL CONFIG FILE ERROR ***\nBad directive\n") == "Bad directive"
    assert last_warning("") == ""


def test_only_the_last_warning_counts() -> None:
    """A file that was damaged earlier does not matter."""
    bad = "Bad file format reading the append only file a.1.aof: make a backup"
    assert is_damaged_aof(LOG.format(warning=bad))
    assert not is_damaged_aof(LOG.format(warning=bad) + LOG.format(warning="Out Of Memory"))


def test_errors_of_the_operating_system() -> None:
    """A full disk has its own sentence; the others are quoted."""
    for code in (errno.ENOSPC, errno.EDQUOT):
        assert unusable(Path("/data"), OSError(code, os.strerror(code))).startswith(
            "The disk that holds /data is full."
        )
    denied = unusable(Path("/data"), OSError(errno.EACCES, os.strerror(errno.EACCES)))
    assert denied.startswith("The data folder /data cannot be used: Permission denied.")
