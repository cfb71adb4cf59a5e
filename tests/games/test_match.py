"""A match: positions, moves, and what only their history can tell."""

from __future__ import annotations

from typing import Any

import pytest

from parlour import games
from parlour.games.api import REPETITION, Outcome
from parlour.games.match import Match
from parlour.protocol.errors import Refusal

# Both sides have a ring to carry to and fro, and a ball to move with it.
CIRCLING = ".,.,.,bB,bB/w,.,.,bB,./.,w,.,b,./.,wW,.,.,b/wW,wW,.,.,. w 3,3"
CIRCLE = ("a4-a5 b2-b3", "e2-e1 d4-d3", "a5-a4 b3-b2", "e1-e2 d3-d4")


def play(match: Match[Any], *texts: str) -> None:
    for text in texts:
        match.play(match.game.read(match.state, text))


def circling() -> Match[Any]:
    game = games.find("mitsudomoe")
    options = game.options({})
    return Match(game, options, game.parse(CIRCLING, options))


def test_a_match_begins_at_the_first_position() -> None:
    """Without a position it is the game's own first one, with nothing played and nothing decided."""
    game = games.find("replica")
    match = Match(game, game.options({"size": 12}))

    assert match.state == game.initial(game.options({"size": 12}))
    assert match.states == [match.state]
    assert match.moves == []
    assert match.outcome is None


def test_a_match_may_begin_anywhere() -> None:
    """Given a position, it begins there."""
    match = circling()

    assert match.game.print(match.state) == CIRCLING


def test_a_match_remembers_every_position() -> None:
    """`states[n]` is the position after n moves."""
    match = circling()
    play(match, *CIRCLE[:3])

    assert len(match.states) == 4
    assert len(match.moves) == 3
    assert match.states[-1] == match.state
    for before, move, after in zip(match.states, match.moves, match.states[1:], strict=False):
        assert match.game.apply(before, move) == after


def test_taking_back_undoes_the_last_move() -> None:
    """Position, moves and states are those from before."""
    match = circling()
    play(match, *CIRCLE[:2])
    two = (match.state, list(match.states), list(match.moves))
    play(match, CIRCLE[2])
    match.take_back()

    assert (match.state, match.states, match.moves) == two


def test_the_third_occurrence_is_a_draw() -> None:
    """Twice round the circle the first position stands for the third time, and no sooner is it a draw."""
    match = circling()
    for text in (*CIRCLE, *CIRCLE):
        assert match.outcome is None
        play(match, text)

    assert match.state == match.states[0] == match.states[4]
    assert match.outcome == Outcome(None, REPETITION)


def test_a_position_does_not_know_its_history() -> None:
    """The draw belongs to the match: the position itself goes on, also in a match that begins with it."""
    match = circling()
    play(match, *CIRCLE, *CIRCLE)

    assert match.game.outcome(match.state) is None
    assert Match(match.game, match.options, match.state).outcome is None


def test_taking_back_a_repetition() -> None:
    """What was taken back has not occurred: the match goes on, and the same move draws it again."""
    match = circling()
    play(match, *CIRCLE, *CIRCLE)
    match.take_back()

    assert match.outcome is None
    play(match, CIRCLE[3])
    assert match.outcome == Outcome(None, REPETITION)


def test_occurrences_taken_back_do_not_count() -> None:
    """Playing and taking back the same move over and over repeats nothing."""
    match = circling()
    for _ in range(5):
        play(match, CIRCLE[0])
        assert match.outcome is None
        match.take_back()

    assert match.outcome is None


def test_the_side_to_move_is_part_of_the_position() -> None:
    """The same pieces with the other side to move are another position."""
    game = games.find("mitsudomoe")
    white, black = (game.parse(CIRCLING.replace(" w ", f" {turn} "), game.options({})) for turn in "wb")

    assert white != black


def test_the_end_by_the_rules_is_the_game_s_own() -> None:
    """The outcome of the last position is that of the match."""
    game = games.find("replica")
    options = game.options({})
    match = Match(
        game, options, game.parse("......../......../......../......../.B....../......../W......./........ w", options)
    )
    play(match, "a2-a1")

    assert match.outcome == game.outcome(match.state) == Outcome(0, "goal")


def test_moves_can_be_listed_and_played_as_text() -> None:
    """The texts are those of the game, sorted; a text that is not a legal move is refused and changes nothing."""
    match = games.start("mapello")
    assert match.legal_moves == ["d5", "e4", "f7", "g6"]

    match.play_text("d5")
    assert match.game.write(match.states[0], match.moves[0]) == "d5"
    for text in ("d5", "z9"):
        with pytest.raises(Refusal):
            match.play_text(text)
    assert len(match.moves) == 1


def test_a_match_prints_its_board() -> None:
    """The board is that of the options, with the position of now."""
    match = games.start("replica")
    match.play_text("e7-d6")

    assert str(match).splitlines()[1:3] == [" 7 . . . . . o o o", " 6 . . . o . . o o"]
