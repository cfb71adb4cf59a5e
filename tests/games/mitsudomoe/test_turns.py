"""The turns of Mitsudomoe, sentence by sentence."""

from __future__ import annotations

from itertools import permutations

import pytest

from parlour.games.grid import grid
from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.position import State
from parlour.protocol.errors import ErrorCode, Refusal

WHITE_SUPPLY, BLACK_SUPPLY = 25, 26
NAMES = grid(5, 5).names


def at(stacks: str, turn: str = "w", **options: object) -> State:
    """The position with these stacks, such as `c3:bwW`; all other rings are in supply."""
    cells = dict(stack.split(":") for stack in stacks.split())
    rows = "/".join(",".join(cells.get(f"{column}{row}", ".") for column in "abcde") for row in "54321")
    white, black = (8 - rows.count(ring) for ring in "wb")
    return GAME.parse(f"{rows} {turn} {white},{black}", GAME.options(options))


def legal(state: State) -> set[str]:
    return {GAME.write(state, move) for move in GAME.moves(state)}


def ball_steps(state: State) -> set[str]:
    """The ball steps and relocations of all turns, whatever the ring step."""
    return {text.split(" ", 1)[1] for text in legal(state) if " " in text}


def after(state: State, text: str) -> State:
    return GAME.apply(state, GAME.read(state, text))


# -- the ring step

# White always has the ball step a1-b2 here, so no ring step fails for want of one.
RINGS = "a1:wW c1:wW e1:wW b2:w c4:bw d3:wb a5:bB c5:bB e5:bB"


def test_a_ring_comes_from_the_supply_or_from_where_it_lies_free() -> None:
    """A ring under a ball or under another ring stays where it is."""
    state = at(RINGS)

    assert {move[0] for move in GAME.moves(state)} == {WHITE_SUPPLY, NAMES.index("b2"), NAMES.index("c4")}


def test_a_ring_goes_to_any_cell_without_a_ball() -> None:
    """There is no limit of distance, and the rings that lie there do not matter."""
    state = at(RINGS)
    balls = {"a1", "c1", "e1", "a5", "c5", "e5"}
    targets = {NAMES[move[1]] for move in GAME.moves(state) if move[0] == WHITE_SUPPLY}

    assert targets == set(NAMES) - balls


def test_a_ring_goes_on_top() -> None:
    """The new ring lies on all that lay there before."""
    state = after(at(RINGS), "c4-d3 a1-b2")

    assert GAME.print(state) == "bB,.,bB,.,bB/.,.,b,.,./.,.,.,wbw,./.,wW,.,.,./w,.,wW,.,wW b 2,3"


def test_putting_a_ring_back_is_no_move() -> None:
    """A ring that is moved goes to another cell."""
    assert all(move[0] != move[1] for move in GAME.moves(at(RINGS.replace("b2:w", "b2:ww"))))


def test_an_empty_supply_gives_no_ring() -> None:
    """With all eight rings on the board one of the free ones must move."""
    state = at("a1:wW c1:wW e1:wW b2:w e3:wwww a5:bB c5:bB e5:bB")

    assert {NAMES[move[0]] for move in GAME.moves(state)} == {"b2", "e3"}


def test_a_ring_that_was_lifted_shows_what_lay_below() -> None:
    """A ball can go to where an own ring was lifted if there is another one below it."""
    assert "b2-e3 a1-b2" in legal(at(RINGS.replace("b2:w", "b2:ww")))
    assert "b2-e3 a1-b2" not in legal(at(RINGS))
    assert "b2-e3 a1-b2" not in legal(at(RINGS.replace("b2:w", "b2:bw")))


def test_a_ring_step_needs_a_ball_step() -> None:
    """At the start a ring far from all balls is not offered."""
    state = GAME.initial(GAME.options({}))

    assert GAME.steps(state) == [WHITE_SUPPLY]
    assert [NAMES[cell] for cell in GAME.steps(state, (WHITE_SUPPLY,))] == ["c1", "b2", "c2", "a3", "b3"]


def test_black_uses_its_own_supply() -> None:
    """The supply of the second player is another place."""
    state = after(GAME.initial(GAME.options({})), "+b2 a1-b2")

    assert GAME.steps(state) == [BLACK_SUPPLY]
    assert after(state, "+d4 e5-d4").supply == (4, 4)


# -- the ball step


def test_a_ball_goes_in_all_eight_directions() -> None:
    """A step leads to any neighbour that shows an own ring, also backwards."""
    state = at("c3:wW a1:wW e1:wW a5:bB c5:bB e5:bB")
    landings = {text.split("-")[1] for text in ball_steps(state) if text.startswith("c3-")}

    assert landings == {"b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"}


def test_a_ball_needs_an_own_ring_on_top() -> None:
    """Neither an enemy ring nor an own ring below one will do."""
    state = at("c3:wW a1:wW e1:wW d3:wb d4:b b3:bw a5:bB c5:bB e5:bB")

    assert "+a4 c3-b3" in legal(state)
    assert "+a4 c3-d3" not in legal(state)
    assert "+a4 c3-d4" not in legal(state)
    assert "+d3 c3-d3" in legal(state)


def test_an_arrived_ball_never_moves() -> None:
    """A ball on one of its goal cells stays there; a ball on its home does not have to."""
    state = at("e5:wW d4:w c3:wW a1:wW b2:w b5:bB a4:bB e1:bB")

    assert {move[2] for move in GAME.moves(state)} == {NAMES.index("c3"), NAMES.index("a1")}


# -- the vault


def test_a_vault_over_own_balls_leaves_them() -> None:
    """Own balls that are jumped over stay where they are."""
    state = after(at("a1:wW b1:wW c1:wW d1:w a5:bB c5:bB e5:bB"), "+e1 a1-d1")

    assert GAME.print(state) == "bB,.,bB,.,bB/.,.,.,.,./.,.,.,.,./.,.,.,.,./w,wW,wW,wW,w b 3,5"


def test_a_vault_over_both_colours_relocates_the_enemy_balls() -> None:
    """An unbroken line of any colours is jumped, and only the enemy's balls leave it."""
    state = at("a3:wW b3:bB c3:wW d3:bB e3:w e1:b c5:wW a5:bB")

    assert {text for text in legal(state) if text.startswith("+a1 a3")} == {
        "+a1 a3-e3 =b3,e1",
        "+a1 a3-e3 =d3,e1",
    }
    assert GAME.print(after(state, "+a1 a3-e3 =b3,e1")) == (
        "bB,.,wW,.,./.,.,.,.,./w,bB,wW,b,wW/.,.,.,.,./w,.,.,.,bB b 3,4"
    )


@pytest.mark.parametrize(
    ("ball", "jumped", "landing"),
    [
        ("c3", "d3", "e3"),
        ("c3", "d4", "e5"),
        ("c3", "c4", "c5"),
        ("c3", "b4", "a5"),
        ("c3", "b3", "a3"),
        ("c3", "b2", "a1"),
        ("c3", "c2", "c1"),
        ("c3", "d2", "e1"),
    ],
)
def test_a_vault_goes_in_all_eight_directions(ball: str, jumped: str, landing: str) -> None:
    """Rows, columns and diagonals are vaulted both ways."""
    state = at(f"{ball}:wW b5:wW d1:wW {jumped}:bB {landing}:w d5:bB b1:bB e4:b", passive=False)

    assert f"{ball}-{landing} =e4" in ball_steps(state)


def test_a_vault_begins_at_the_neighbour() -> None:
    """A ball further away cannot be jumped."""
    state = at("a3:wW c3:bB d3:w e1:b a1:wW e2:wW a5:bB e5:bB")

    assert not any(text.startswith("a3-d3") for text in ball_steps(state))


def test_a_vault_ends_right_after_the_line() -> None:
    """The first cell after the line must show an own ring, and no cell beyond it will do."""
    state = at("a3:wW b3:bB c3:b e3:w e1:b a1:wW e2:wW a5:bB e5:bB")

    assert not any(text.startswith(("+a2 a3-c3", "+a2 a3-e3")) for text in legal(state))
    assert "+c3 a3-c3 =e1" in legal(state)


def test_a_vault_needs_a_cell_after_the_line() -> None:
    """A line that reaches the edge cannot be jumped."""
    state = at("d3:wW e3:bB d2:w a1:wW b1:wW e1:b a5:bB c5:bB")

    assert not any("=" in text for text in legal(state))


def test_an_arrived_enemy_ball_cannot_be_vaulted() -> None:
    """A ball on its own goal cell bars the whole line, whatever else stands in it."""
    barred = at("d1:wW c1:bB b1:bB a1:w e1:b c5:wW a5:wW e5:bB")
    open_ = at("a1:w b2:bB c3:wW e1:b c5:wW a5:wW e5:bB d5:bB")

    assert not any("=" in text for text in legal(barred))
    assert "c3-a1 =e1" in ball_steps(open_)


def test_an_arrived_own_ball_can_be_vaulted() -> None:
    """Own balls are jumped wherever they stand."""
    state = at("c5:wW d5:wW e5:w a1:wW a5:bB a4:bB e1:bB")

    assert "c5-e5" in ball_steps(state)


def test_a_ball_on_the_enemys_home_can_be_vaulted() -> None:
    """Only a ball's own goal protects it: a white ball on White's home is jumped like any other."""
    state = at("c1:bB b1:wW a1:b e3:w d3:wW c3:wW a5:bB c5:bB", "b")

    assert "c1-a1 =e3" in ball_steps(state)


# -- relocations

ONE = "c3:wW d3:bB e3:w a3:b a5:b c1:bw b2:wW a1:wW c5:bB e5:bB"


def test_one_ball_goes_to_any_other_free_ring_of_its_colour() -> None:
    """Not to its own cell, nor to a cell that shows a ring of the other colour."""
    state = at(ONE)

    assert {text for text in legal(state) if text.startswith("+e1 c3-e3")} == {"+e1 c3-e3 =a3", "+e1 c3-e3 =a5"}


def test_the_ring_of_the_turn_counts_for_relocations() -> None:
    """A ring put on an enemy ring hides it; one lifted from an enemy ring shows it."""
    state = at(ONE)

    assert {text for text in legal(state) if text.startswith("+a3 c3-e3")} == {"+a3 c3-e3 =a5"}
    assert {text for text in legal(state) if text.startswith("c1-e1 c3-e3")} == {
        "c1-e1 c3-e3 =a3",
        "c1-e1 c3-e3 =a5",
        "c1-e1 c3-e3 =c1",
    }


def test_the_landing_ring_may_be_the_one_of_the_turn() -> None:
    """The ring step can make the cell to land on, but not with the ring that lay there."""
    state = at(ONE.replace("e3:w", "e3:b"))

    assert {text for text in legal(state) if "c3-e3" in text} == {
        "+e3 c3-e3 =a3",
        "+e3 c3-e3 =a5",
        "c1-e3 c3-e3 =a3",
        "c1-e3 c3-e3 =a5",
        "c1-e3 c3-e3 =c1",
    }


def test_without_a_free_ring_there_is_no_vault() -> None:
    """If the enemy balls cannot be relocated the vault is not allowed, also when the ring step is to blame."""
    none = at("c3:wW d3:bB e3:w b2:wW a1:wW c5:bB e5:bB")
    last = at("c3:wW d3:bB e3:w a3:b b2:wW a1:wW c5:bB e5:bB")

    assert not any("=" in text for text in legal(none))
    assert "+e1 c3-e3 =a3" in legal(last)
    assert not any(text.startswith("+a3 c3-e3") for text in legal(last))


def test_two_balls_end_on_any_other_pair_of_cells() -> None:
    """One may go to the cell the other has just left, but they do not end where they stood."""
    state = at("b3:wW c3:bB d3:bB e3:w a5:b e1:b b1:wW a2:wW b5:bB")

    assert {text for text in legal(state) if text.startswith("+c1 b3-e3")} == {
        "+c1 b3-e3 =a5,c3",
        "+c1 b3-e3 =a5,d3",
        "+c1 b3-e3 =a5,e1",
        "+c1 b3-e3 =c3,e1",
        "+c1 b3-e3 =d3,e1",
    }


def test_three_balls_need_one_free_ring() -> None:
    """With one free cell the three shift along, and any one of the cells they stood on is left."""
    state = at("a3:wW b3:bB c3:bB d3:bB e3:w e1:b b1:wW a2:wW")

    assert {text for text in legal(state) if text.startswith("+c1 a3-e3")} == {
        "+c1 a3-e3 =b3,c3,e1",
        "+c1 a3-e3 =b3,d3,e1",
        "+c1 a3-e3 =c3,d3,e1",
    }


def test_three_balls_with_more_free_rings() -> None:
    """Three of the five cells, but not the three they stood on: nine ways, and count knows them all."""
    state = at("a3:wW b3:bB c3:bB d3:bB e3:w e1:b e5:b b1:wW a2:wW")

    assert len([text for text in legal(state) if text.startswith("+c1 a3-e3")]) == 9
    assert GAME.count(state) == len(legal(state)) == len(GAME.moves(state))


# -- picks

TWO = "b3:wW c3:bB d3:bB e3:w a5:b e1:b b1:wW a2:wW b5:bB"


def test_relocation_cells_may_be_picked_in_any_order() -> None:
    """Whatever the order, the picks mean one and the same turn."""
    state = at("a3:wW b3:bB c3:bB d3:bB e3:w e1:b e5:b b1:wW a2:wW")
    move = GAME.read(state, "+c1 a3-e3 =b3,e1,e5")

    for order in permutations(move[4:]):
        assert GAME.check(state, (*move[:4], *order)) == move


def test_the_last_relocation_must_make_a_difference() -> None:
    """After the cell of one jumped ball the cell of the other is not offered."""
    state = at(TWO)
    ring_and_ball = GAME.read(state, "+c1 b3-e3 =a5,c3")[:4]
    c3, e1, a5, d3 = (NAMES.index(name) for name in ("c3", "e1", "a5", "d3"))

    assert GAME.steps(state, ring_and_ball) == [e1, c3, d3, a5]
    assert GAME.steps(state, (*ring_and_ball, c3)) == [e1, a5]
    assert GAME.steps(state, (*ring_and_ball, a5)) == [e1, c3, d3]
    assert GAME.steps(state, (*ring_and_ball, a5, c3)) == []


@pytest.mark.parametrize(
    "picks",
    [
        ("a1",),
        ("c3", "c3"),
        ("c1", "e1", "c3", "d3"),
        ("c1", "e1", "c3", "e3"),
        ("c1", "e1", "c3", "e3", "d3"),
        ("c1", "e1", "c3", "e3", "a3", "a5"),
    ],
)
def test_other_picks_are_refused(picks: tuple[str, ...]) -> None:
    """What cannot be picked, an unfinished turn and one that goes on too long are illegal."""
    with pytest.raises(Refusal) as refused:
        GAME.check(at(ONE), [NAMES.index(name) for name in picks])

    assert refused.value.code == ErrorCode.MOVE_ILLEGAL


def test_the_enemys_supply_is_refused() -> None:
    """White cannot take a black ring."""
    with pytest.raises(Refusal) as refused:
        GAME.check(GAME.initial(GAME.options({})), (BLACK_SUPPLY, 6, 0, 6))

    assert refused.value.code == ErrorCode.MOVE_ILLEGAL


# -- the option `rules`: the original program


def original(stacks: str, turn: str = "w") -> State:
    return at(stacks, turn, rules="original")


def test_a_ball_that_has_arrived_may_move_again_by_the_original_rules() -> None:
    """By the published rules only the other two balls have steps."""
    stacks = "e5:bwW d4:w a1:wW b1:wW a5:bB b5:bB c5:bB"

    assert "e5-d4" in ball_steps(original(stacks))
    assert "e5-d4" not in ball_steps(at(stacks))


def test_a_ball_that_has_arrived_may_be_vaulted_by_the_original_rules() -> None:
    """Black's ball on its goal cell b1 can be moved off it."""
    stacks = "a1:wW b1:bB c1:w a3:wW a4:wW e3:b d5:bB e5:bB"

    assert "a1-c1 =e3" in ball_steps(original(stacks))
    assert not any(step.startswith("a1-c1") for step in ball_steps(at(stacks)))


def test_relocation_targets_are_listed_before_the_vault_by_the_original_rules() -> None:
    """A cell that another vaulted ball has just left is no target, so two balls need two free rings."""
    stacks = "a3:wW b3:bB c3:bB d3:w a1:wW b1:wW e5:bB e1:b d1:b"
    sent = {step.partition("=")[2] for step in ball_steps(original(stacks)) if step.startswith("a3-d3")}

    assert sent == {"d1,e1"}
    assert not any(
        step.startswith("a3-d3") for step in ball_steps(original(stacks.replace(" d1:b", ""))) if "=" in step
    )
    assert any("b3" in step for step in ball_steps(at(stacks)) if step.startswith("a3-d3 ="))


def test_a_ring_step_without_a_ball_step_is_a_turn_by_the_original_rules() -> None:
    """It is written without a ball part and chosen in two picks; by the published rules it is not complete."""
    start = GAME.initial(GAME.options({"rules": "original"}))
    alone = [move for move in GAME.moves(start) if len(move) == 2]

    assert len(alone) == 14
    assert GAME.count(start) == 23
    assert GAME.read(start, "+e1") == (WHITE_SUPPLY, NAMES.index("e1"))
    with pytest.raises(Refusal) as refused:
        GAME.read(GAME.initial(GAME.options({})), "+e1")
    assert refused.value.code == ErrorCode.MOVE_ILLEGAL
