"""Walks through the choices of real positions, also where they are cut."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parlour import games
from parlour.client.turn import Turn
from parlour.games.api import Game
from parlour.games.choices import BUDGET, choices
from parlour.protocol.messages import Choices
from parlour.protocol.scene import patch


def told(game: Game[Any], state: Any, picks: tuple[int, ...] = (), budget: int = BUDGET) -> Choices:
    """What the server would say."""
    step, prompts = choices(game, state, picks, budget)
    return Choices(room="r", ply=3, step=step, prompts=prompts, picks=picks)


def middle_game() -> tuple[Game[Any], Any]:
    """A position in which much can be picked, in several steps."""
    game = games.find("mitsudomoe")
    text = ".,.,w,ww,b/.,.,.,.,bB/b,.,.,bwW,bB/wW,.,wW,bB,./.,w,.,.,. b 1,2"
    return game, game.parse(text, game.options({}))


def whole_turns(game: Game[Any], state: Any, budget: int) -> list[Turn]:
    """Every turn that can be walked to, asking further where the choices are cut."""
    found, left = list[Turn](), [Turn.begin(told(game, state, budget=budget))]
    while left:
        turn = left.pop()
        if turn.unexplored:
            assert turn.children() == []
            turn = turn.explored(told(game, state, turn.picks, budget))
        if turn.complete:
            found.append(turn)
        left += turn.children()
    return found


@pytest.mark.parametrize("budget", [BUDGET, 1])
@pytest.mark.parametrize("key", games.keys())
def test_the_walks_are_the_moves(key: str, budget: int) -> None:
    """Whole turns are those that the rules allow, no fewer and no more, whether or not the choices are cut."""
    game, chance = games.find(key), Random(5)
    state = game.initial(game.options({}))
    for _ in range(4):
        turns = whole_turns(game, state, budget)
        assert {game.canonical(turn.picks) for turn in turns} == set(game.moves(state))
        assert all(len(turn.labels) == len(turn.picks) and turn.ply == 3 for turn in turns)
        state = game.apply(state, chance.choice(list(game.moves(state))))


def test_picks_are_taken_back() -> None:
    """Each step back gives the turn as it was, with its prompt and its look; back to nothing is the beginning."""
    game, state = middle_game()
    turn = beginning = Turn.begin(told(game, state))
    walked = [turn]
    while not turn.complete:
        turn = turn.children()[0]
        walked.append(turn)

    assert len(walked) > 2
    for before in reversed(walked[:-1]):
        turn = turn.back()
        assert turn == before
    assert turn.back() == turn == beginning
    assert walked[-1].back(0) == beginning
    assert walked[-1].back(99) == walked[-1]


def test_a_half_made_turn_looks_as_the_rules_say() -> None:
    """The look of a turn makes of the scene what the game shows after these picks."""
    game, state = middle_game()
    scene = game.scene(state)
    firsts = Turn.begin(told(game, state)).children()
    seconds = [second for first in firsts for second in first.children()]
    turns = [turn for turn in seconds if turn.preview is not None and turn.legal_picks]
    assert turns != []
    for turn in turns:
        assert turn.preview is not None
        assert patch(scene, turn.preview).pieces == game.half_turn(state, turn.picks).scene.pieces
        assert turn.prompt == game.half_turn(state, turn.picks).prompt


def test_what_does_not_fit_changes_nothing() -> None:
    """An illegal pick is an error; an answer about other picks is ignored."""
    game, state = middle_game()
    cut = Turn.begin(told(game, state, budget=1)).children()[0]
    other = Turn.begin(told(game, state, budget=1)).children()[1]

    with pytest.raises(ValueError, match="cannot be picked"):
        Turn.begin(told(game, state)).pick(10_000)
    assert cut.unexplored
    assert cut.explored(told(game, state, other.picks)) == cut
    assert not cut.explored(told(game, state, cut.picks)).unexplored
