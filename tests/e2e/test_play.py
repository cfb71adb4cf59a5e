"""Whole games over real sockets."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.protocol.tables import Clock
from tests.e2e.players import play_pair
from tests.e2e.processes import ServerProcess


@pytest.mark.parametrize("key", ["isaac", "mapello", "mitsudomoe", "replica"])
async def test_two_clients_play_a_whole_game(server: ServerProcess, key: str) -> None:
    """Both end with the same moves, the same scene and the result that the rules give."""
    one, two = await play_pair(server.url, key, seed=11, clock=Clock("fischer", 600_000, 1_000))

    assert one.mirror.moves == two.mirror.moves
    assert one.mirror.scene == two.mirror.scene
    assert one.mirror.result == two.mirror.result
    assert len(one.acknowledged) + len(two.acknowledged) == len(one.mirror.moves)

    game = games.find(key)
    state = game.initial(game.options(one.mirror.room.terms.options))
    for text in one.mirror.moves:
        state = game.apply(state, game.read(state, text))
    outcome = game.outcome(state)
    assert outcome is not None
    assert one.mirror.result is not None
    assert (one.mirror.result.winner, one.mirror.result.reason) == (outcome.winner, outcome.reason)
