"""A crowd of players who queue at once."""

from __future__ import annotations

import pytest

from bench.crowd import Crowd
from bench.pairing import faults, nodes
from parlour.protocol.types import Terms
from parlour.server.store.embedded import EmbeddedStore


async def test_a_crowd_is_paired(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every player of the crowd is paired once, and their waiting times are measured."""
    async with (
        EmbeddedStore(tmp_path_factory.mktemp("store")) as store,
        nodes(store.url, 1) as urls,
        Crowd(urls, 4) as crowd,
    ):
        pairings = await crowd.queue(Terms("isaac"))
        with pytest.raises(ConnectionError, match="game_unknown"):
            await crowd.queue(Terms("chess"))

    assert faults(pairings) == []
    assert len({pairing.name for pairing in pairings}) == 4
    assert all(pairing.seconds > 0 for pairing in pairings)
