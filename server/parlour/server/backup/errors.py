"""Why a backup cannot be written or restored."""

from __future__ import annotations

from enum import StrEnum


class BackupCode(StrEnum):
    """The stable code of an error. Sentences may change at any time."""

    FILE_UNUSABLE = "file_unusable"  # the file cannot be read or written
    BACKUP_BROKEN = "backup_broken"  # a line of the file is not what it should be
    BACKUP_NEWER = "backup_newer"  # a newer version of Parlour wrote the file
    SOURCE_MISSING = "source_missing"  # there is nothing to back up
    TARGET_NOT_EMPTY = "target_not_empty"  # a restore would mix two deployments
    ARCHIVE_MISMATCH = "archive_mismatch"  # the archive is not that of the store
    RESTORE_INCOMPLETE = "restore_incomplete"  # an earlier restore was interrupted


class BackupError(Exception):
    """`str()` is a sentence for the operator that says what to do."""

    def __init__(self, code: BackupCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
