"""Setting up positions by hand, in every game that has an editor."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import games
from parlour.games.api import Game
from parlour.games.perft import random_move
from parlour.games.position_editor import PositionEditor

EDITED = [key for key in games.keys() if games.find(key).editor is not None]


def position(game: Game[Any], seed: int, plies: int) -> Any:
    """Return a position of a random game, before its end."""
    rng = Random(seed)
    state = game.initial(game.options({}))
    for _ in range(plies):
        after = game.apply(state, random_move(game, state, rng))
        if game.to_move(after) is None:
            break
        state = after
    return state


def editor_of(key: str) -> tuple[Game[Any], PositionEditor[Any]]:
    game = games.find(key)
    assert game.editor is not None
    return game, game.editor


def test_all_games_have_an_editor() -> None:
    """Parlour's own games can all be set up by hand."""
    assert set(EDITED) >= {"isaac", "mapello", "mitsudomoe", "replica"}


@pytest.mark.parametrize("key", EDITED)
@given(seed=st.integers(0, 10_000), plies=st.integers(0, 70))
def test_a_position_is_taken_apart_without_loss(key: str, seed: int, plies: int) -> None:
    """The draft of a position has its text and its scene, and stays the same when the side to move is set again."""
    game, editor = editor_of(key)
    state = position(game, seed, plies)
    text = game.print(state)
    draft = editor.read(text, game.options({}))
    assert editor.write(draft) == text
    assert editor.scene(draft) == game.scene(state)
    assert editor.with_turn(draft, game.to_move(state) or 0) == draft
    for number, each in enumerate(editor.numbers(draft)):
        assert 0 <= each.value <= each.high
        assert each.value % each.step == 0
        assert editor.with_number(draft, number, each.value) == draft
        assert not each.choices or len(each.choices) == each.high + 1


@pytest.mark.parametrize("key", EDITED)
def test_a_cleared_board_has_no_pieces(key: str) -> None:
    """Only what is beside the board is left, and the first seat is to move."""
    game, editor = editor_of(key)
    scene = editor.scene(editor.clear(game.options({})))
    assert all(place >= game.board(game.options({})).cells for place, *_ in scene.pieces)
    assert scene.to_move == 0


@pytest.mark.parametrize("key", [key for key in EDITED if key != "isaac"])  # whose bars take two cells
@given(seed=st.integers(0, 10_000), plies=st.integers(0, 70))
def test_every_position_can_be_built(key: str, seed: int, plies: int) -> None:
    """The pieces of a position, put on an empty board one by one, make its text; taken away again, the empty board."""
    game, editor = editor_of(key)
    state, options = position(game, seed, plies), game.options({})
    wanted = editor.read(game.print(state), options)
    items = {item.glyph: number for number, item in enumerate(editor.palette)}
    empty = draft = editor.clear(options)
    pieces = [
        (cell, glyph)
        for cell, *glyphs in game.scene(state).pieces
        if cell < game.board(options).cells
        for glyph in glyphs
    ]
    for cell, glyph in pieces:
        draft = editor.put(draft, items[glyph], (cell,))
    for number, each in enumerate(editor.numbers(wanted)):
        draft = editor.with_number(draft, number, each.value)
    draft = editor.with_turn(draft, game.to_move(state) or 0)
    assert editor.write(draft) == game.print(state)
    assert game.parse(editor.write(draft), options) == state

    for cell, _ in reversed(pieces):
        draft = editor.put(draft, items[None], (cell,))
    assert editor.scene(draft).pieces == editor.scene(empty).pieces
