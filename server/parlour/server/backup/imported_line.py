"""The outcome of a line of an imported file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from parlour.server.backup.errors import ImportCode


class ImportedLine(Struct, frozen=True):
    """A game or an account in a file, once it is stored or refused."""

    number: int  # of the line in which it begins
    outcome: Literal["imported", "known", "refused"]
    code: ImportCode | None = None  # why it is refused
    sentence: str = ""


def imported(number: int) -> ImportedLine:
    """Return the outcome of a line that was stored."""
    return ImportedLine(number, "imported")


def known(number: int) -> ImportedLine:
    """Return the outcome of a line that was stored before."""
    return ImportedLine(number, "known")


def refused(number: int, code: ImportCode, sentence: str) -> ImportedLine:
    """Return the outcome of a line that is not stored, with a sentence for the operator."""
    return ImportedLine(number, "refused", code, sentence)
