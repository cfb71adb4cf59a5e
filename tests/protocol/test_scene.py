"""Scenes: diffs, hashes and the numbering of places."""

from __future__ import annotations

from itertools import pairwise
from zlib import crc32

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.scene import BoardSpec, Mark, Scene, SceneDiff, SeatSpec, Zone, diff, patch, scene_hash

NUMBERS = st.one_of(st.integers(-300, 300), st.integers(-(2**40), 2**53))
PLACES = st.integers(0, 300)
ROWS = st.lists(NUMBERS, max_size=4).map(tuple)

PIECES = st.dictionaries(PLACES, st.lists(st.integers(0, 20), min_size=1, max_size=5), max_size=20).map(
    lambda found: tuple((place, *glyphs) for place, glyphs in sorted(found.items()))
)
SCENES = st.builds(
    Scene,
    PIECES,
    st.tuples(ROWS, ROWS),
    st.one_of(st.none(), st.integers(0, 1)),
    st.lists(st.lists(PLACES, min_size=1, max_size=4).map(tuple), max_size=4).map(tuple),
    st.text(max_size=40),
)

BOARD = BoardSpec(
    game="toy",
    columns=3,
    rows=2,
    surface="felt",
    seats=(SeatSpec("White", "light"), SeatSpec("Black", "dark")),
    glyphs=(),
    tally="{0}",
    zones=(Zone("hand", "Hand", ("short", "long")), Zone("numbers", "Numbers", ("+1",), holds_pieces=False)),
)


# -- changes


@given(old=SCENES, new=SCENES)
def test_a_diff_leads_to_the_new_scene(old: Scene, new: Scene) -> None:
    """Applying a diff to the old scene yields the new scene and its hash."""
    after = patch(old, diff(old, new))

    assert after == new
    assert scene_hash(after) == scene_hash(new)


@given(scene=SCENES)
def test_nothing_changes_nothing(scene: Scene) -> None:
    """The diff from a scene to itself has no pieces and no tallies."""
    change = diff(scene, scene)

    assert change == SceneDiff((), (), scene.to_move, scene.marks, scene.note)


@given(old=SCENES, new=SCENES)
def test_a_diff_names_what_changed_and_nothing_else(old: Scene, new: Scene) -> None:
    """A diff contains exactly the places that differ, once each and in ascending order, and likewise the seats."""
    before, after = ({stack[0]: stack for stack in scene.pieces} for scene in (old, new))
    places = [place for place in sorted(before | after) if before.get(place) != after.get(place)]
    seats = [seat for seat in (0, 1) if old.tallies[seat] != new.tallies[seat]]

    change = diff(old, new)

    assert [stack[0] for stack in change.pieces] == places
    assert [row[0] for row in change.tallies] == seats


@given(scenes=st.lists(SCENES, min_size=2, max_size=6))
def test_changes_add_up(scenes: list[Scene]) -> None:
    """After any number of diffs the scene equals the one that would have been sent whole."""
    copy = scenes[0]
    for old, new in pairwise(scenes):
        copy = patch(copy, diff(old, new))

    assert copy == scenes[-1]


def test_clearing_an_empty_place() -> None:
    """A diff may clear a place that is already empty."""
    scene = Scene(((1, 0),), ((), ()), 0)

    assert patch(scene, SceneDiff(((5,),), (), 1)) == Scene(((1, 0),), ((), ()), 1)


def test_marks_and_notes_do_not_stay() -> None:
    """Marks and notes last only until the next update."""
    scene = Scene((), ((), ()), 0, ((Mark.LAST, 3),), "White had no move.")

    assert patch(scene, SceneDiff((), (), 1)) == Scene((), ((), ()), 1)


# -- the hash


@given(scene=SCENES)
def test_the_hash_is_the_crc_of_the_shortest_msgpack(scene: Scene) -> None:
    """Any msgpack library together with CRC-32 yields the same hash."""
    assert scene_hash(scene) == crc32(msgpack.packb(msgspec.to_builtins(scene)) or b"")


@given(scene=SCENES)
def test_the_hash_fits_into_32_bits(scene: Scene) -> None:
    """The hash is an unsigned 32-bit number."""
    assert 0 <= scene_hash(scene) < 2**32


@given(scene=SCENES, place=PLACES, glyph=st.integers(0, 20))
def test_the_hash_notices_a_piece(scene: Scene, place: int, glyph: int) -> None:
    """An additional or different piece changes the hash."""
    other = patch(scene, SceneDiff(((place, glyph, 21),), (), scene.to_move, scene.marks, scene.note))

    assert scene_hash(other) != scene_hash(scene)


def test_the_hash_is_the_one_that_was_published() -> None:
    """The hash of a known scene has not changed."""
    scene = Scene(((2, 0), (9, 0, 3)), ((12,), (200, -40)), 1, ((Mark.LAST, 9), (Mark.FROM, 2)), "Hé!")

    assert scene_hash(scene) == 0x2BE6A305


def test_marks_keep_their_numbers() -> None:
    """Marks are sent as numbers, so the meaning of a number never changes."""
    names = ["LAST", "FROM", "TURNED", "GONE", "CHOSEN", "STEP", "GHOST", "LINE", "COUNTED", "SIGHT"]

    assert [mark.name for mark in Mark] == names
    assert [mark.value for mark in Mark] == list(range(10))


# -- places


def test_places_are_cells_then_slots() -> None:
    """Cells are numbered row by row from the bottom left, and slots continue from there."""
    names = [BOARD.place_name(place) for place in range(BOARD.places)]

    assert names == ["a1", "b1", "c1", "a2", "b2", "c2", "short", "long", "+1"]
    assert (BOARD.cells, BOARD.places) == (6, 9)


def test_the_first_slot_of_a_zone() -> None:
    """A zone is found by its key."""
    assert BOARD.first_slot("hand") == 6
    assert BOARD.first_slot("numbers") == 8
    with pytest.raises(KeyError):
        BOARD.first_slot("bag")


def test_there_is_no_place_beyond_the_last_slot() -> None:
    """A number beyond the last slot has no name."""
    with pytest.raises(IndexError):
        BOARD.place_name(9)
