"""What the interface provides on top of a game's own methods: checked moves, and sentences for refusals."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from parlour import games
from parlour.games import api
from parlour.games.api import Game, chosen
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import Mark

REPLICA = games.find("replica")
START = REPLICA.initial(REPLICA.options({}))
OVER = REPLICA.parse("......../......../...w..../......../...w..../..bb..../......../W......b -", REPLICA.options({}))


def refused(picks: tuple[int, ...], game: Game[Any] = REPLICA, state: Any = START) -> Refusal:
    with pytest.raises(Refusal) as caught:
        game.check(state, picks)
    return caught.value


def test_check_returns_the_move_of_legal_picks() -> None:
    """Every legal move passes as it is, and a text is read through the same check."""
    for move in REPLICA.moves(START):
        assert REPLICA.check(START, move) == move
        assert REPLICA.read(START, REPLICA.write(START, move)) == move


def test_different_picks_may_stand_for_one_move() -> None:
    """A bar of Isaac may be placed from either end; the move is the same."""
    isaac = games.find("isaac")
    state = isaac.initial(isaac.options({}))
    slot, low, high = isaac.read(state, "c4-g4")

    assert isaac.check(state, (slot, high, low)) == (slot, low, high)


@pytest.mark.parametrize(
    ("picks", "sentence"),
    [
        ((0,), "a1 cannot be chosen; choose one of g5, h5, g6, h6, e7, f7, g7, h7, e8, f8, g8, h8."),
        ((38, 0), "After g5, a1 cannot be chosen; choose one of f4, g4, f5."),
        ((38, 29, 29), "After g5, f4, f4 cannot be chosen; the turn is complete."),
        ((38,), "The turn is not complete: choose one of f4, g4, f5."),
        ((999,), "place 999 cannot be chosen; choose one of g5, h5, g6, h6, e7, f7, g7, h7, e8, f8, g8, h8."),
        ((-1,), "place -1 cannot be chosen; choose one of g5, h5, g6, h6, e7, f7, g7, h7, e8, f8, g8, h8."),
    ],
)
def test_a_refusal_says_what_would_be_right(picks: tuple[int, ...], sentence: str) -> None:
    """The sentence names the first pick that is wrong, and what could be picked instead."""
    refusal = refused(picks)

    assert refusal.code == ErrorCode.MOVE_ILLEGAL
    assert refusal.sentence == sentence


def test_a_refusal_lists_a_dozen_choices() -> None:
    """A list of choices is never longer than a player would read."""
    isaac = games.find("isaac")
    slot = isaac.steps(isaac.initial(isaac.options({})))[0]

    assert "and 88 more." in refused((slot,), isaac, isaac.initial(isaac.options({}))).sentence


def test_a_finished_game_takes_no_moves() -> None:
    """That is a refusal with a code of its own, whatever the picks."""
    assert refused((0, 1), state=OVER).code == ErrorCode.GAME_OVER


def test_a_skipped_side_is_noted() -> None:
    """The scene after a turn says which side had no move; usually it says nothing."""
    mapello = games.find("mapello")
    match = games.start("mapello")
    for text in ["e4", "d4", "d5", "d6", "e7", "f8", "c3", "e3", "g7", "g5", "e9", "c5", "b4", "g9"]:
        match.play_text(text)
    notes = [
        mapello.scene_after(before, move, after).note
        for before, move, after in zip(match.states, match.moves, match.states[1:], strict=False)
    ]

    assert notes == [""] * 13 + ["Black had no move."]


def test_chosen_places_are_marked_one_by_one() -> None:
    """Each pick has its own mark."""
    assert chosen((5, 7)) == ((Mark.CHOSEN, 5), (Mark.CHOSEN, 7))


def test_the_interface_fits_on_a_page() -> None:
    """An author can read all of it before writing a game."""
    assert len(inspect.getsource(api).splitlines()) <= 230
