"""What the search is told about Mapello."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.mapello import GAME, rules
from parlour.games.mapello.insight import MapelloInsight, terrain
from parlour.games.mapello.rules import State

INSIGHT = MapelloInsight()

# A full rim and no wall inside: like Othello.
BARE = "##########/#........#/#........#/#........#/#...XO...#/#...OX...#/#........#/#........#/#........#/##########"


def wandered(seed: int, plies: int) -> State:
    """The position after some random moves on a random board, or before the one that would end the game."""
    rng, state = Random(seed), GAME.initial(GAME.options({"board": "random", "seed": seed}))
    for _ in range(plies):
        after = GAME.apply(state, rng.choice(GAME.moves(state)))
        if after.turn is None:
            break
        state = after
    return state


def named(cells: int) -> set[str]:
    state = GAME.initial(GAME.options({}))
    return {GAME.place(state, cell) for cell in range(100) if cells >> cell & 1}


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 55))
def test_both_sides_are_judged_alike(seed: int, plies: int) -> None:
    """With the colours swapped, a position is worth the same to the side to move."""
    state = wandered(seed, plies)
    board, turn, points = GAME.print(state).split(" ")
    black, white = points.split(",")
    swapped = f"{board.translate(str.maketrans('XO', 'OX'))} {'w' if turn == 'b' else 'b'} {white},{black}"

    assert INSIGHT.value(GAME.parse(swapped, GAME.options({}))) == INSIGHT.value(state)


def test_corners_are_where_all_lines_are_safe() -> None:
    """On a bare board the four corners; a joker beside a corner makes it one no longer; walls make more."""
    bare = GAME.parse(f"{BARE} b 0,0", GAME.options({}))
    joker = GAME.parse(f"{BARE[:1]}J{BARE[2:]} b 0,0", GAME.options({}))
    nook = GAME.parse(f"{BARE.replace('/#........#/', '/#...#....#/'[:5] + '.....#/', 1)} b 0,0", GAME.options({}))

    assert named(terrain(rules.walls(bare)).corners) == {"b2", "i2", "b9", "i9"}
    assert named(terrain(rules.walls(joker)).corners) >= {"b2", "i2", "i9"}
    assert named(terrain(rules.walls(nook)).corners) >= {"b2", "i2", "b9", "i9"}


def test_a_corner_is_tried_first_and_its_neighbours_last() -> None:
    """Moves come in the order of how safe their cells are."""
    terrain_of_bare = terrain(rules.walls(GAME.parse(f"{BARE} b 0,0", GAME.options({}))))
    corner, edge, inside, beside = (11,), (14,), (33,), (22,)

    ranks = [terrain_of_bare.rank[cell] for cell in (corner, edge, inside, beside)]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == 4


def test_a_corner_is_worth_a_lot() -> None:
    """The same position with a disc more in a corner is much better than with one more in the open."""
    corner = GAME.parse(f"{BARE.replace('/#........#/', '/#X.......#/', 1)} b 0,0", GAME.options({}))
    inside = GAME.parse(f"{BARE.replace('#........#/#...XO', '#.X......#/#...XO', 1)} b 0,0", GAME.options({}))

    assert INSIGHT.value(corner) - INSIGHT.value(inside) > INSIGHT.scale / 3
