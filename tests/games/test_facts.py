"""The facts of a move are what the positions before and after it say."""

from __future__ import annotations

from random import Random

import pytest

from parlour import games
from parlour.games.facts import SAFE, facts_of
from parlour.games.perft import random_match
from tests.games.fifth_game.noughts import GAME as NOUGHTS
from tests.games.text_facts import FACTS


@pytest.mark.parametrize("key", FACTS)
def test_facts_agree_with_the_texts(key: str) -> None:
    """Along random games, they equal what a second program reads off the position texts."""
    game = games.find(key)
    for seed in range(3):
        match = random_match(game, game.options({}), Random(seed))
        plies = list(zip(match.states, match.moves, match.states[1:], strict=False))[:120]
        for before, move, after in plies:
            texts = game.print(before), game.write(before, move), game.print(after)
            assert dict(game.facts(before, move, after)) == FACTS[key](*texts), texts


def test_every_game_has_some_facts() -> None:
    """Who won, why, the score, who moves next, who was skipped, and the move itself."""
    state = NOUGHTS.parse("oox/.x./o.x x", NOUGHTS.options({}))
    move = NOUGHTS.read(state, "c2")
    known = facts_of(NOUGHTS, state, move, NOUGHTS.apply(state, move))

    assert known == {"move": "c2", "winner": "x", "reason": "three", "score": None, "next": None, "skips": False}


def test_a_move_is_safe_unless_the_opponent_can_win_at_once() -> None:
    """It is worked out only where it is wanted, because it tries every reply."""
    state = NOUGHTS.parse("oo./.x./..x x", NOUGHTS.options({}))

    def safe(text: str) -> object:
        move = NOUGHTS.read(state, text)
        return facts_of(NOUGHTS, state, move, NOUGHTS.apply(state, move), (SAFE,))[SAFE]

    assert safe("c3") is True
    assert safe("a1") is False
