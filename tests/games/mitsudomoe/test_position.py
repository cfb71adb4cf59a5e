"""A position of Mitsudomoe, and what a ring step does to it."""

from __future__ import annotations

from msgspec import structs

from parlour.games.mitsudomoe.board import BLACK, GRID, HOMES, WHITE
from parlour.games.mitsudomoe.position import FIRST_SLOT, FULL_SUPPLY, NO_RINGS, first_position, tops, with_ring

START = first_position(passive=True)


def cell(name: str) -> int:
    return GRID.names.index(name)


def test_the_first_position() -> None:
    """A ring and a ball on every home cell, five rings in each supply, White to move."""
    assert (START.tops, START.balls, START.supply, START.turn) == (HOMES, HOMES, (FULL_SUPPLY, FULL_SUPPLY), WHITE)
    assert sum(rings != NO_RINGS for rings in START.stacks) == 6
    assert first_position(passive=False).passive is False


def test_a_ring_from_the_supply() -> None:
    """It shows on its new cell, and the supply of the side to move is one less."""
    stacks, shown, supply = with_ring(START, FIRST_SLOT + WHITE, cell("c3"))

    assert supply == (FULL_SUPPLY - 1, FULL_SUPPLY)
    assert shown == (HOMES[WHITE] | 1 << cell("c3"), HOMES[BLACK])
    assert stacks[cell("c3")] == NO_RINGS << 1 | WHITE


def test_a_ring_on_a_ring_covers_it_until_it_leaves() -> None:
    """The topmost ring shows; when it is moved away, the one below shows again."""
    covered = list(START.stacks)
    covered[cell("c3")] = (NO_RINGS << 1 | BLACK) << 1 | WHITE
    state = structs.replace(START, stacks=tuple(covered), tops=tops(covered))
    assert state.tops[WHITE] >> cell("c3") & 1

    stacks, shown, supply = with_ring(state, cell("c3"), cell("b3"))

    assert shown[BLACK] >> cell("c3") & 1
    assert shown[WHITE] >> cell("b3") & 1
    assert stacks[cell("c3")] == NO_RINGS << 1 | BLACK
    assert supply == START.supply


def test_the_tops_follow_from_the_stacks() -> None:
    """After any ring step, the tops that are kept are those that the stacks show."""
    for source in (FIRST_SLOT + WHITE, cell("a1")):
        for target in (cell("c3"), cell("e5"), cell("b1")):
            stacks, shown, _ = with_ring(START, source, target)
            assert shown == tops(stacks)
