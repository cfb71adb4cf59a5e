"""Why a backup cannot be written or restored, and why a line is not imported."""

from __future__ import annotations

from enum import StrEnum


class BackupCode(StrEnum):
    """The stable code of an error. Sentences may change at any time."""

    FILE_UNUSABLE = "file_unusable"  # the file cannot be read or written
    BACKUP_BROKEN = "backup_broken"  # a line of the file is not what it should be
    BACKUP_NEWER = "backup_newer"  # a newer version of Parlour wrote the file
    SOURCE_MISSING = "source_missing"  # there is nothing to back up
    SOURCE_OLDER = "source_older"  # an older version of Parlour wrote the archive
    TARGET_NOT_EMPTY = "target_not_empty"  # a restore would mix two deployments
    ARCHIVE_MISMATCH = "archive_mismatch"  # the archive is not that of the store
    RESTORE_INCOMPLETE = "restore_incomplete"  # an earlier restore was interrupted


class BackupError(Exception):
    """`str()` is a sentence for the operator that says what to do."""

    def __init__(self, code: BackupCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class ImportCode(StrEnum):
    """The stable code of a line that is not imported. Sentences may change at any time."""

    LINE_BROKEN = "line_broken"  # it is not a game, or not an account
    RECORD_BROKEN = "record_broken"  # the record was changed, or breaks the rules of its game
    GAME_ABORTED = "game_aborted"  # such games are not kept
    ROOM_TAKEN = "room_taken"  # the archive has another game with the same room
    NAME_REFUSED = "name_refused"  # this name is not allowed
    NAME_TAKEN = "name_taken"  # another player has the name
    ID_TAKEN = "id_taken"  # another player has the id
    OWNER_UNKNOWN = "owner_unknown"  # the account that the bot belongs to is not there
