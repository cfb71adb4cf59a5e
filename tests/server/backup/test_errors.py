"""Errors of backups."""

from __future__ import annotations

from parlour.server.backup.errors import BackupCode, BackupError


def test_an_error_has_a_code_and_a_sentence() -> None:
    """Programs use the code, people the sentence."""
    error = BackupError(BackupCode.TARGET_NOT_EMPTY, "The store is not empty.")

    assert (error.code, str(error)) == ("target_not_empty", "The store is not empty.")
