"""What becomes of a line."""

from __future__ import annotations

from parlour.server.backup.errors import ImportCode
from parlour.server.backup.imported_line import imported, known, refused


def test_only_refused_lines_have_a_code() -> None:
    """All have the number of the line."""
    lines = [imported(1), known(2), refused(3, ImportCode.NAME_TAKEN, "Another player has the name.")]

    assert [(line.number, line.outcome, line.code) for line in lines] == [
        (1, "imported", None),
        (2, "known", None),
        (3, "refused", "name_taken"),
    ]
