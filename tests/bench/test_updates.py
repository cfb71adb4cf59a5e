"""The benchmark of an update's size."""

from __future__ import annotations

from statistics import median

import pytest

from bench.updates import TARGET, frame_size, sizes


def test_a_frame_has_a_header() -> None:
    """Two bytes up to a payload of 125, four bytes above."""
    assert [frame_size(bytes(length)) for length in (0, 125, 126)] == [2, 127, 130]


@pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])
def test_a_typical_update_is_small(key: str) -> None:
    """The median update of each game takes at most 60 bytes."""
    assert 20 < median(sizes(key)) <= TARGET
