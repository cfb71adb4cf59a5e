"""What the search knows about Mitsudomoe: rings, ways, wins and dangers."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import structs

from parlour.bots import alphabeta
from parlour.bots.search import FORCED, Budget
from parlour.games.api import Outcome
from parlour.games.mitsudomoe import GAME, rules
from parlour.games.mitsudomoe.insight import WAY, MitsudomoeInsight
from parlour.games.mitsudomoe.position import State
from tests.games.mitsudomoe.random_games import positions

INSIGHT = MitsudomoeInsight()
OPTIONS = GAME.options({})


def at(stacks: str, turn: str = "w") -> State:
    """The position with these stacks, such as `c3:bwW`; all other rings are in supply."""
    cells = dict(stack.split(":") for stack in stacks.split())
    rows = "/".join(",".join(cells.get(f"{column}{row}", ".") for column in "abcde") for row in "54321")
    white, black = (8 - rows.count(ring) for ring in "wb")
    return GAME.parse(f"{rows} {turn} {white},{black}", OPTIONS)


def names(state: State) -> list[str]:
    found = INSIGHT.candidates(state)
    assert found is not None
    return [GAME.write(state, move) for move in found]


def swapped(state: State) -> State:
    """The position as the other colour sees it: the board turned by 180 degrees, the colours swapped."""
    stacks = tuple(rings ^ (1 << rings.bit_length() - 1) - 1 for rings in reversed(state.stacks))

    def turned(cells: int) -> int:
        return int(f"{cells:025b}"[::-1], 2)

    return structs.replace(
        state,
        stacks=stacks,
        tops=(turned(state.tops[1]), turned(state.tops[0])),
        balls=(turned(state.balls[1]), turned(state.balls[0])),
        supply=state.supply[::-1],
        turn=1 - (state.turn or 0),
    )


# -- judgement


def test_the_value_is_the_same_for_both_colours() -> None:
    """The board turned by 180 degrees, with the colours swapped, is as good for the one to move."""
    for state in positions(seed=1, many=200):
        assert INSIGHT.value(state) == INSIGHT.value(swapped(state))


def test_the_way_is_shorter_nearer_home() -> None:
    """Three balls at home have no way, and at the start both sides have the same way."""
    start = GAME.initial(OPTIONS)
    arrived = at("e5:wW d5:wW c4:wW a1:bB b1:bB c2:bB")

    assert WAY[0][start.balls[0]] == WAY[1][start.balls[1]]
    assert WAY[0][arrived.balls[0]] < WAY[0][start.balls[0]] / 4


def test_a_covered_ring_is_a_loss() -> None:
    """It is worse to have a ring under an enemy ring than to have it free, and worse by more than a few steps."""
    free = at("a1:wW b1:wW b2:wW e5:bB d5:bB d4:bB c3:w e3:b")
    covered = at("a1:wW b1:wW b2:wW e5:bB d5:bB d4:bB c3:wb")
    ahead = at("a1:wW b1:wW c4:wW e5:bB d5:bB d4:bB c3:w e3:b")

    assert INSIGHT.value(free) - INSIGHT.value(covered) > INSIGHT.value(ahead) - INSIGHT.value(free) > 0


# -- candidates


def test_candidates_are_legal_and_never_missing() -> None:
    """In random games, also where rings are scarce, there is always a candidate and it is a legal turn."""
    for state in positions(seed=2, many=400):
        found = INSIGHT.candidates(state)

        assert found is not None
        assert len(found) == len(set(found)) > 0
        assert set(found) <= set(GAME.moves(state))


def test_covering_comes_before_an_idle_ring_step() -> None:
    """If a landing is possible, the ring goes onto an enemy ring first."""
    state = at("a1:wW b1:wW a3:wW b2:w e5:bB d5:bB d4:bB e2:b")
    with_landing = [name for name in names(state) if name.endswith(" a1-b2")]

    assert with_landing[0] == "+e2 a1-b2"


# -- wins and dangers


def test_the_last_step_home_is_seen() -> None:
    """A ball beside the last goal cell wins at once, with a ring from anywhere; two balls on the way do not."""
    state = at("e5:wW d5:wW d4:wW a1:bB c1:bB c2:bB")
    move = INSIGHT.win(state)

    assert move is not None
    assert GAME.apply(state, move).outcome == Outcome(0, rules.ARRIVED)
    assert INSIGHT.win(at("e5:wW c4:wW d3:wW a1:bB c1:bB c2:bB")) is None


def test_a_goal_cell_under_an_enemy_ball_is_no_win() -> None:
    """A ball cannot step onto another ball."""
    assert INSIGHT.win(at("e5:wW d5:wW d4:wW e4:bB c1:bB c2:bB")) is None


def test_every_win_that_is_claimed_is_one() -> None:
    """Over random games with balls near their goals."""
    claimed = 0
    for state in positions(seed=3, many=3000):
        move = INSIGHT.win(state)
        if move is not None:
            ended = GAME.apply(state, move).outcome
            assert ended is not None
            assert ended.winner == state.turn
            claimed += 1
    assert claimed > 0


def test_danger_is_an_enemy_ball_beside_the_last_goal_cell() -> None:
    """Two have arrived and the third needs one step; from further away there is time."""
    assert INSIGHT.danger(at("a1:bB b1:bB b2:bB e5:wW c4:wW c5:wW"))
    assert not INSIGHT.danger(at("a1:bB b1:bB c4:bB e5:wW d3:wW c5:wW"))
    assert not INSIGHT.danger(GAME.initial(OPTIONS))


@pytest.mark.parametrize("nodes", [50, 2000])
def test_the_last_free_ring_is_covered(nodes: int) -> None:
    """Black has one ring left to move. White covers it, and Black has no turn."""
    state = at("a1:wW b2:w a3:wW e1:wW a5:bB c5:bB e4:bB e2:b b4:bw c4:bw d2:bw d3:bw")
    thought = alphabeta.search(GAME, state, Budget(nodes), rng=Random(0))
    after = GAME.apply(state, thought.move)

    assert thought.score >= FORCED
    assert after.outcome == Outcome(0, rules.NO_MOVE)
