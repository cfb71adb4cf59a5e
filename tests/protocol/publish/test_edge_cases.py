"""The scenes and diffs in the vectors cover cases that are easy to get wrong."""

from __future__ import annotations

import pytest

from parlour.protocol.scene import Mark, diff, patch
from publish.edge_cases import PATCHES, SCENES


@pytest.mark.parametrize("name", PATCHES)
def test_a_change_can_be_found_again(name: str) -> None:
    """The diff computed from the old and the new scene leads to the same new scene."""
    old, change = PATCHES[name]
    new = patch(old, change)
    assert patch(old, diff(old, new)) == new


def test_all_marks_and_lengths_are_there() -> None:
    """Every kind of mark occurs, and arrays and strings on both sides of each MessagePack size limit."""
    assert {mark[0] for scene in SCENES.values() for mark in scene.marks} == set(Mark)
    assert {15, 16} <= {len(scene.pieces) for scene in SCENES.values()}
    assert {31, 32, 256} <= {len(scene.note.encode()) for scene in SCENES.values()}
