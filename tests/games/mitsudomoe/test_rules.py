"""How a game of Mitsudomoe begins and ends."""

from __future__ import annotations

import pytest

from parlour.games.api import REPETITION, Outcome
from parlour.games.match import Match
from parlour.games.mitsudomoe import GAME, rules
from parlour.games.mitsudomoe.position import State
from parlour.games.perft import perft

START = ".,.,.,bB,bB/.,.,.,.,bB/.,.,.,.,./wW,.,.,.,./wW,wW,.,.,. w 5,5"


def at(stacks: str, turn: str = "w", **options: object) -> State:
    """The position with these stacks, such as `c3:bwW`; all other rings are in supply."""
    cells = dict(stack.split(":") for stack in stacks.split())
    rows = "/".join(",".join(cells.get(f"{column}{row}", ".") for column in "abcde") for row in "54321")
    white, black = (8 - rows.count(ring) for ring in "wb")
    return GAME.parse(f"{rows} {turn} {white},{black}", GAME.options(options))


def legal(state: State) -> set[str]:
    return {GAME.write(state, move) for move in GAME.moves(state)}


def after(state: State, text: str) -> State:
    return GAME.apply(state, GAME.read(state, text))


# -- setup


def test_setup() -> None:
    """Each home cell holds an own ring with an own ball, five rings are in supply, and White moves first."""
    assert GAME.print(GAME.initial(GAME.options({}))) == START


@pytest.mark.parametrize("passive", [True, False])
def test_perft(passive: bool) -> None:
    """The numbers of sequences of one, two and three turns are known, and too short for the passive rule to matter."""
    state = GAME.initial(GAME.options({"passive": passive}))

    assert [perft(GAME, state, depth) for depth in (1, 2, 3)] == [9, 81, 6287]


# -- the end


def test_three_balls_on_goal_cells_win() -> None:
    """The mover has won as soon as the third one arrives."""
    state = after(at("d5:wW e5:wW d4:wW e4:w a5:bB b5:bB c5:bB"), "+a1 d4-e4")

    assert GAME.outcome(state) == Outcome(0, rules.ARRIVED)
    assert (GAME.to_move(state), GAME.steps(state), GAME.moves(state), GAME.count(state)) == (None, [], [], 0)


def test_two_balls_on_goal_cells_do_not_win() -> None:
    """All three must have arrived."""
    assert GAME.outcome(after(at("d5:wW c3:wW d4:wW e4:w a5:bB b5:bB c5:bB"), "+a1 d4-e4")) is None


@pytest.mark.parametrize("others", ["b1:wW c5:wW a1:bB e1:bB d1:bB", "b1:wW a1:wW c5:bB e5:bB d5:bB"])
def test_a_full_home_loses(others: str) -> None:
    """A side that ends a turn with balls of any colour on all its home cells loses, unless the option is off."""
    stacks = f"b2:wW a2:w {others}"

    assert GAME.outcome(after(at(stacks), "+e3 b2-a2")) == Outcome(1, rules.PASSIVE)
    assert GAME.outcome(after(at(stacks, passive=False), "+e3 b2-a2")) is None


def test_the_other_sides_full_home_is_no_loss() -> None:
    """The passive rule looks at the mover's own home only."""
    state = at("d5:bB e5:bB d4:wW e4:w c3:wW a1:wW b2:bB")

    assert GAME.outcome(after(state, "+a3 d4-e4")) is None


def test_filling_the_own_home_by_a_relocation_loses() -> None:
    """The passive rule also counts enemy balls that the mover put there."""
    state = at("a1:wW b1:wW a2:b c3:wW d3:bB e3:w c5:bB e5:bB")

    assert GAME.outcome(after(state, "+e1 c3-e3 =a2")) == Outcome(1, rules.PASSIVE)


def test_arriving_comes_before_the_passive_rule() -> None:
    """The side whose third ball arrives wins, even with its own home full."""
    state = at("d5:wW e5:wW e2:wW e3:bB e4:w a1:bB b1:bB a2:b")

    assert GAME.outcome(after(state, "+c1 e2-e4 =a2")) == Outcome(0, rules.ARRIVED)


def test_relocating_the_last_ball_onto_its_goal_does_not_win_for_the_enemy() -> None:
    """The enemy then has no ball to move and loses; the passive rule, where it holds, comes first."""
    stacks = "c3:wW d3:bB e3:w e1:wW c5:wW a1:bB b1:bB a2:b"

    assert GAME.outcome(after(at(stacks, passive=False), "+e4 c3-e3 =a2")) == Outcome(0, rules.NO_MOVE)
    assert GAME.outcome(after(at(stacks), "+e4 c3-e3 =a2")) == Outcome(1, rules.PASSIVE)


def test_an_enemy_without_a_ring_to_move_loses() -> None:
    """A side with an empty supply whose free rings are all covered has no turn."""
    state = at("c3:wW d3:w a1:wW b2:wW e1:bbbbbw a5:bB c5:bB e5:bB")

    assert GAME.outcome(after(state, "+b1 c3-d3")) == Outcome(0, rules.NO_MOVE)
    assert GAME.outcome(after(state, "e1-b1 c3-d3")) is None


def test_an_enemy_whose_balls_are_shut_in_loses() -> None:
    """A side whose last ball can neither step nor vault has no turn, though its supply is full."""
    shut_in = at("a1:bB b1:bB e5:bB d5:wW e4:wW c3:wW", passive=False)
    can_vault = at("a1:bB b1:bB e5:bB d5:wW e4:wW c3:wW a5:w", passive=False)

    assert GAME.outcome(after(shut_in, "+d4 c3-d4")) == Outcome(0, rules.NO_MOVE)
    assert legal(after(can_vault, "+d4 c3-d4")) == {"+c3 e5-c3 =a5"}


def test_the_only_ring_cannot_serve_where_it_lies() -> None:
    """A ring must be moved, so the last free one is no help on the last free cell, unless another is below it."""
    stacks = "a1:bB b1:bB e5:bB d5:wW e4:wW c3:wW d4:{} c1:{}w"
    single = at(stacks.format("b", "bbbb"), passive=False)
    double = at(stacks.format("bb", "bbb"), passive=False)

    assert GAME.outcome(after(single, "+c2 c3-c2")) == Outcome(0, rules.NO_MOVE)
    assert "d4-a5 e5-d4" in legal(after(double, "+c2 c3-c2"))


def test_the_third_occurrence_is_a_draw() -> None:
    """Going to and fro gives equal positions, and the third of them ends the match."""
    match = Match(GAME, GAME.options({}), at("a2:wW b2:w c1:wW d1:wW a4:w e4:bB d4:b c5:bB b5:bB e2:b"))
    there, back = ("a4-a5 a2-b2", "e2-e1 e4-d4"), ("a5-a4 b2-a2", "e1-e2 d4-e4")
    for text in (*there, *back, *there, *back):
        assert match.outcome is None
        match.play(GAME.read(match.state, text))

    assert match.outcome == Outcome(None, REPETITION)


# -- the option `rules`: the original program


def test_a_side_that_cannot_move_a_ball_after_its_ring_loses_by_the_original_rules() -> None:
    """The turn is the ring part alone, and the text of the end still says who lost."""
    start = GAME.initial(GAME.options({"rules": "original"}))
    end = after(start, "+e1")

    assert GAME.outcome(end) == Outcome(1, rules.STUCK)
    assert GAME.print(end).split(" ")[1:] == ["-", "4,5"]


def test_there_is_no_passive_rule_by_the_original_rules() -> None:
    """A home left full does not lose, whatever the option says."""
    stacks = "a1:wW b1:wbB a2:wbB b3:wW c1:wW c4:w e5:bB"

    assert after(at(stacks), "+c3 b3-c3").outcome == Outcome(1, rules.PASSIVE)
    assert after(at(stacks, rules="original", passive=True), "+c3 b3-c3").outcome is None


def test_three_balls_that_have_arrived_win_by_the_original_rules_too() -> None:
    """The mover wins; a side whose last ball was sent there has to move on."""
    stacks = "e5:bwW d5:bwW d4:wW e3:w a1:bB a2:bB b5:bB"

    assert after(at(stacks, rules="original"), "+e4 d4-e4").outcome == Outcome(0, rules.ARRIVED)
    home = at("e5:bwW d5:bwW e4:bwW e3:w a1:bB a2:bB b5:bB", rules="original")
    assert home.turn == 0
    assert "+d4 e5-d4" in legal(home)


def test_a_side_without_a_ring_to_move_loses_by_the_original_rules() -> None:
    """White has no ring in supply, and every other one is covered."""
    stacks = "a1:wW b1:wW c1:wW d2:wb e2:wwb d3:wwb e5:bB d5:bB e4:bB"

    assert at(stacks, "w", rules="original").outcome == Outcome(1, rules.NO_MOVE)
