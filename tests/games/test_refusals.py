"""Whatever text comes in, a game answers with a value or a refusal, never with a crash."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour import games
from parlour.games import laws, refusals
from parlour.games.api import Game
from parlour.protocol.errors import ErrorCode, Refusal

GAMES = [pytest.param(games.find(key), id=key) for key in games.keys()]
FUZZ = settings(max_examples=150)

# Letters that look right to a careless parser are as likely as any others: other scripts' digits, signs, separators.
ODD = st.text(alphabet=st.sampled_from("abcdefghij0123456789-+=x,./#*JXOwWbBdlpsDLK. \t\n²٣Ａ\x00é"), max_size=60)
TEXTS = st.one_of(ODD, st.text(max_size=40))
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)


def edited(text: str, edits: list[tuple[int, str]]) -> str:
    """`text` with a few characters replaced, put in or left out."""
    for where, new in edits:
        at = where % (len(text) + 1)
        text = text[:at] + new + text[at + 1 :]
    return text


EDITS = st.lists(st.tuples(st.integers(0, 400), st.text("abcj123409-+=x,./#*JXOwWbBdlps ", max_size=2)), max_size=4)


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(text=TEXTS)
def test_any_text_as_a_move(game: Game[Any], text: str) -> None:
    """A text that is no legal move is malformed or illegal."""
    state = game.initial(game.options({}))
    try:
        move = game.read(state, text)
    except Refusal as refusal:
        assert refusal.code in (ErrorCode.MOVE_MALFORMED, ErrorCode.MOVE_ILLEGAL)
        assert refusal.sentence
    else:
        assert game.write(state, move) == text


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(pick=st.integers(0, 10_000), edits=EDITS)
def test_nearly_right_moves(game: Game[Any], pick: int, edits: list[tuple[int, str]]) -> None:
    """A legal move with a few characters changed is still read as what it says, or refused."""
    state = game.initial(game.options({}))
    legal = [game.write(state, move) for move in game.moves(state)]
    text = edited(legal[pick % len(legal)], edits)
    try:
        move = game.read(state, text)
    except Refusal as refusal:
        assert refusal.code in (ErrorCode.MOVE_MALFORMED, ErrorCode.MOVE_ILLEGAL)
        assert text not in legal
    else:
        assert game.write(state, move) == text


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(text=TEXTS)
def test_any_text_as_a_position(game: Game[Any], text: str) -> None:
    """A text that is no position is refused with a sentence."""
    try:
        state = game.parse(text, game.options({}))
    except Refusal as refusal:
        assert refusal.code in (ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE)
        assert refusal.sentence
    else:
        assert game.print(state).split(" ")[0] == text.split(" ", maxsplit=1)[0]


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(seed=st.integers(0, 2**32), ply=st.integers(0, 80), edits=EDITS)
def test_nearly_right_positions(game: Game[Any], seed: int, ply: int, edits: list[tuple[int, str]]) -> None:
    """A position with a few characters changed is refused, or is one that can be played on and written again."""
    options = game.options({})
    rng = Random(seed)
    state = game.initial(options)
    for _ in range(ply):
        if game.to_move(state) is None:
            break
        state = game.apply(state, rng.choice(list(game.moves(state))))
    try:
        found = game.parse(edited(game.print(state), edits), options)
    except Refusal as refusal:
        assert refusal.code in (ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE)
    else:
        assert game.parse(game.print(found), options) == found or game.to_move(found) is None
        if game.to_move(found) is None:
            assert game.outcome(found) is not None
        else:
            assert game.moves(found)
            game.scene(game.apply(found, game.moves(found)[0]))


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(given_options=st.dictionaries(TEXTS, VALUES, max_size=3))
def test_any_options(game: Game[Any], given_options: dict[str, Any]) -> None:
    """Options the game does not have are refused by name."""
    known = {spec.key for spec in game.info.options}
    try:
        game.options(given_options)
    except Refusal as refusal:
        assert refusal.code in (ErrorCode.OPTION_UNKNOWN, ErrorCode.OPTION_INVALID, ErrorCode.LAYOUT_INVALID)
        assert refusal.sentence
    else:
        assert set(given_options) <= known


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(value=VALUES)
def test_any_value_for_an_option(game: Game[Any], value: object) -> None:
    """A value an option does not take is refused; one it takes gives a game that can be started."""
    for spec in game.info.options:
        try:
            options = game.options({spec.key: value})
        except Refusal as refusal:
            assert refusal.code in (ErrorCode.OPTION_INVALID, ErrorCode.LAYOUT_INVALID)
        else:
            assert game.moves(game.initial(options))


@pytest.mark.parametrize("game", GAMES)
@FUZZ
@given(picks=st.lists(st.integers(-2, 500), max_size=7))
def test_any_picks(game: Game[Any], picks: list[int]) -> None:
    """Picks that make no legal turn are refused as illegal."""
    state = game.initial(game.options({}))
    try:
        move = game.check(state, picks)
    except Refusal as refusal:
        assert refusal.code == ErrorCode.MOVE_ILLEGAL
    else:
        assert move in game.moves(state)


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_game_takes_no_move(game: Game[Any]) -> None:
    """Playing on after the end is refused with a code of its own."""
    options = game.options({})
    state = laws.check_match(game, options, Random(7), positions=2).states[-1]
    if game.to_move(state) is None:
        with pytest.raises(Refusal) as refused:
            game.check(state, (0,))

        assert refused.value.code == ErrorCode.GAME_OVER


@pytest.mark.parametrize("game", GAMES)
def test_every_place_that_is_not_offered_has_a_reason(game: Game[Any]) -> None:
    """At every step of the turns of a random match, for each cell that the player could press instead."""
    rng = Random(5)
    options = game.options({})
    state, cells = game.initial(options), game.board(options).cells
    while game.to_move(state) is not None:
        picks: tuple[int, ...] = ()
        while offered := game.steps(state, picks):
            if rng.random() < 0.2:
                wrong = [cell for cell in range(cells) if cell not in offered]
                assert [cell for cell in wrong if not game.why_not(state, (*picks, cell))] == []
            picks = (*picks, rng.choice(offered))
        state = game.apply(state, game.canonical(picks))


def test_the_reason_of_a_refusal() -> None:
    """It names the first place that is not on offer and what is wrong with it."""
    game = games.find("mapello")
    state = game.initial(game.options({}))
    assert refusals.reason(game, state, (44,)) == "e5 cannot be chosen: a disc lies there."
    assert refusals.reason(game, state, (999,)) == ""
    assert refusals.reason(game, state, game.steps(state)[:1]) == ""
