"""The players of the examples differ."""

from __future__ import annotations

from publish.sample_people import ADA, BERTA, GUEST, NEXT, ROBOT, ROOM


def test_no_two_are_the_same() -> None:
    """Neither players nor rooms."""
    assert len({each.name for each in (ADA, BERTA, GUEST, ROBOT)}) == 4
    assert ROOM != NEXT
