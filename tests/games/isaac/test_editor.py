"""Setting up positions of Isaac by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.isaac import GAME
from parlour.games.isaac.bars import BOARD, LENGTHS, listed
from parlour.games.isaac.editor import DARK_POINTS, LIGHT_POINTS, OUT, PHASE, TAKE, IsaacEditor
from parlour.games.isaac.placement import HANDS
from parlour.games.isaac.rules import DARK, LIGHT, State
from parlour.protocol.errors import ErrorCode, Refusal
from tests.games.test_position_editor import position

EDITOR = IsaacEditor()
OPTIONS = GAME.options({})
EMPTY = EDITOR.clear(OPTIONS)


def put(draft: State, item: int, *names: str) -> State:
    cells = [BOARD.cell(name) for name in names]
    return EDITOR.put(draft, item, [cell for cell in cells if cell is not None])


def refused(draft: State, item: int, *places: int) -> str:
    with pytest.raises(Refusal) as caught:
        EDITOR.put(draft, item, places)
    assert caught.value.code is ErrorCode.POSITION_IMPOSSIBLE
    return caught.value.sentence


@given(seed=st.integers(0, 10_000), plies=st.integers(0, 60))
def test_every_position_can_be_built(seed: int, plies: int) -> None:
    """Bars, hands, points and who is without a move, changed one by one, make the text of any position."""
    state = position(GAME, seed, plies)
    draft = EDITOR.with_number(EMPTY, PHASE, int(state.scoring))
    for seat in (DARK, LIGHT):
        for bar in listed(state.bars[seat]):
            draft = EDITOR.put(draft, seat, (bar.high, bar.low))
    for seat in (DARK, LIGHT):
        for index in range(len(LENGTHS)):
            while draft.hands[seat][index] > state.hands[seat][index]:
                draft = EDITOR.put(draft, TAKE, (HANDS[seat] + index,))
    for seat, number in ((DARK, DARK_POINTS), (LIGHT, LIGHT_POINTS)):
        draft = EDITOR.with_number(draft, number, state.scores[seat])
    draft = EDITOR.with_number(draft, OUT, state.out[DARK] + 2 * state.out[LIGHT])
    draft = EDITOR.with_turn(draft, state.turn or DARK)
    assert EDITOR.write(draft) == GAME.print(state)
    assert GAME.parse(EDITOR.write(draft), OPTIONS) == state


def test_a_bar_takes_the_place_of_those_that_it_crosses() -> None:
    """They return to the hand of their side, as does a bar that is taken away by any of its cells."""
    draft = put(EMPTY, DARK, "c4", "g4")
    assert GAME.print(GAME.parse(EDITOR.write(draft), OPTIONS)).startswith("Dc4-g4 d p 54221,54321 ")
    draft = put(draft, LIGHT, "d6", "d3")
    assert EDITOR.write(draft).startswith("Ld3-d6 d p 54321,53321 ")
    assert put(draft, TAKE, "d5") == EMPTY
    assert put(draft, TAKE, "a1") == draft


def test_a_bar_of_the_scoring_phase_was_lifted_or_is_in_hand() -> None:
    """Taken from the board it counts as lifted; a click on a slot puts it into the hand or takes it from there."""
    draft = EDITOR.with_number(put(EMPTY, DARK, "c4", "g4"), PHASE, 1)
    lifted = put(draft, TAKE, "c4")
    assert (lifted.hands[DARK], lifted.longest) == ((5, 4, 2, 2, 1), (5, 0))
    kept = EDITOR.put(lifted, DARK, (HANDS[DARK] + 2,))
    assert (kept.hands[DARK], kept.longest) == ((5, 4, 3, 2, 1), (0, 0))
    assert EDITOR.put(kept, TAKE, (HANDS[DARK] + 2,)) == lifted
    assert put(lifted, DARK, "c4", "g4").hands[DARK] == (5, 4, 1, 2, 1)


def test_points_begin_the_scoring_phase() -> None:
    """The placing phase has none, so going back to it removes them."""
    draft = EDITOR.with_number(EMPTY, LIGHT_POINTS, 12)
    assert (draft.scoring, draft.scores) == (True, (0, 12))
    assert EDITOR.with_number(draft, PHASE, 0) == EMPTY


def test_hands_are_changed_in_the_scoring_phase_only() -> None:
    """While bars are placed, those that are not on the board are in hand."""
    assert EDITOR.slots(EMPTY) == ()
    assert list(EDITOR.slots(EDITOR.with_number(EMPTY, PHASE, 1))) == [*range(HANDS[DARK], HANDS[LIGHT] + len(LENGTHS))]


def test_what_makes_no_sense_is_refused() -> None:
    """No bar of two cells, none of the other side in a hand, and no more than there are."""
    scoring = EDITOR.with_number(EMPTY, PHASE, 1)
    assert "3 to 7 cells" in refused(EMPTY, DARK, 0, 1)
    assert "3 to 7 cells" in refused(EMPTY, DARK, 0, 22)
    assert refused(scoring, DARK, HANDS[LIGHT]) == "This is the hand of Light."
    assert "on the board or in hand" in refused(scoring, DARK, HANDS[DARK])
    seven = put(EMPTY, DARK, "a1", "g1")
    assert "All bars of 7 of Dark" in refused(seven, DARK, 10, 16)
