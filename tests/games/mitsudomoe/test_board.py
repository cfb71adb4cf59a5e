"""The board of Mitsudomoe: lines, sets of cells, ball steps and relocations."""

from __future__ import annotations

from itertools import combinations

from parlour.games import grid
from parlour.games.mitsudomoe import board
from parlour.games.mitsudomoe.board import BETWEEN, BLACK, EVERYWHERE, GOALS, GRID, HOMES, NEIGHBOURS, WHITE, cells


def at(*names: str) -> int:
    return grid.mask([cell for name in names if (cell := GRID.cell(name)) is not None])


def named(*found: int) -> tuple[str, ...]:
    return tuple(GRID.names[cell] for cell in found)


def test_the_goal_of_a_side_is_the_home_of_the_other() -> None:
    """Homes are three cells in opposite corners."""
    assert {*named(*cells(HOMES[WHITE]))} == {"a1", "b1", "a2"}
    assert {*named(*cells(HOMES[BLACK]))} == {"e5", "d5", "e4"}
    assert HOMES[::-1] == GOALS


def test_neighbours_and_cells_between() -> None:
    """A corner has three neighbours; between two cells lie those of their line, if they share one."""
    assert NEIGHBOURS[0] == at("a2", "b1", "b2")
    between = BETWEEN[0]
    assert between[GRID.names.index("d4")] == at("b2", "c3")
    assert between[GRID.names.index("b2")] == between[GRID.names.index("c2")] == 0


def test_the_cells_of_a_set_rise() -> None:
    """The tables of both halves of the board agree with reading the bits one by one."""
    for found in (0, EVERYWHERE, 0b1010101010101010101010101, at("a1", "c3", "e5")):
        assert cells(found) == tuple(grid.bits(found))


def test_a_ball_walks_to_neighbours_and_over_own_balls() -> None:
    """A jump over own balls only is a walk; one over an enemy ball is a vault, which names the balls jumped."""
    walks, vaults = board.ball_steps(WHITE, at("a1", "b1"), at("b2"))

    assert {named(*walk) for walk in walks} == {("a1", "a2"), ("a1", "c1"), ("b1", "a2"), ("b1", "c1"), ("b1", "c2")}
    assert {(*named(ball, landing), jumped) for ball, landing, jumped in vaults} == {
        ("a1", "c3", at("b2")),
        ("b1", "b3", at("b2")),
    }


def test_arrived_balls_stay() -> None:
    """A ball on a goal cell has no step, and an enemy ball on its goal cell cannot be vaulted over."""
    assert board.ball_steps(WHITE, at("e5"), at("c3")) == ((), ())
    walks, vaults = board.ball_steps(WHITE, at("c1"), at("b1"))

    assert vaults == ()
    assert ("c1", "a1") not in {named(*walk) for walk in walks}


def test_relocations_leave_the_old_set() -> None:
    """Jumped balls end on free cells or on each other's, but not on the set of cells they came from."""
    free, jumped = at("a5", "e1"), at("b2", "c3")
    found = board.relocations(free, jumped)

    assert set(found) == set(combinations(cells(free | jumped), 2)) - {cells(jumped)}
    assert board.relocations(0, jumped) == []
