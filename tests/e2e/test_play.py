"""Whole games over real sockets."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.protocol.types import Clock
from tests.e2e.players import play_pair
from tests.e2e.processes import ServerProcess


@pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_two_clients_play_a_whole_game(server: ServerProcess, key: str) -> None:
    """Both end with the same moves, the same scene and the result of the rules."""
    one, two = await play_pair(server.url, key, seed=11, clock=Clock("fischer", 600_000, 1_000))

    assert one.replica.moves == two.replica.moves
    assert one.replica.scene == two.replica.scene
    assert one.replica.result == two.replica.result
    assert len(one.acknowledged) + len(two.acknowledged) == len(one.replica.moves)

    game = games.find(key)
    state = game.initial(game.options(one.replica.room.terms.options))
    for text in one.replica.moves:
        state = game.apply(state, game.read(state, text))
    outcome = game.outcome(state)
    assert outcome is not None
    assert one.replica.result is not None
    assert (one.replica.result.winner, one.replica.result.reason) == (outcome.winner, outcome.reason)
