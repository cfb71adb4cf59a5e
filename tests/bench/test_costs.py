"""The measurement of what commands cost."""

from __future__ import annotations

import pytest

from bench.costs import fastest, long_game, works
from parlour.server.archive import storage, verify


@pytest.mark.parametrize("key", ["isaac", "mitsudomoe"])
def test_everything_measured_does_its_work(key: str) -> None:
    """A long game has a record that can be verified, and each piece of work runs and takes some time."""
    game = long_game(key)
    record = storage.record_of(game.over)
    assert len(record.moves) == game.running.ply > 10
    assert list(verify.faults(record)) == []
    assert all(0 < fastest(work.run, 0.0001) < 60 for work in works(key, game))
