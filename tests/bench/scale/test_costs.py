"""Costs are derived from runs."""

from __future__ import annotations

import pytest

from bench.scale.costs import HEADERS, derive, fit
from tests.bench.scale import synthetic


def test_the_costs_of_a_known_machine_are_found() -> None:
    """Each is separated from the others: two nodes and a cluster cost more than one of each."""
    once = synthetic.runs()
    costs = derive(type(once)(once.moves[:5], once.spectators, once.beats, once.worker_kib, once.idle_store_cpu))

    assert costs.move.value == pytest.approx(synthetic.MOVE)
    assert costs.remote_move.value == pytest.approx(synthetic.REMOTE)
    assert costs.cluster_move.value == pytest.approx(synthetic.CLUSTER)
    assert costs.store_move.value == pytest.approx(synthetic.STORE_MOVE)
    assert costs.store_remote_move.value == pytest.approx(synthetic.STORE_REMOTE)
    assert costs.cluster_store_move.value == pytest.approx(synthetic.CLUSTER_STORE)
    assert costs.delivery.value == pytest.approx(4e-6)
    assert costs.game_memory.value == 8192
    assert costs.connection_memory.value == 12 * 1024
    assert costs.move_to_clients.value == 180 + 3 * HEADERS
    assert costs.move_to_store.value == 400


def test_a_cost_has_a_spread() -> None:
    """The rounds differ by a fifth."""
    move = derive(synthetic.runs()).move
    assert (move.value, move.low, move.high) == pytest.approx((110e-6, 100e-6, 120e-6))


def test_heartbeats_are_a_straight_line() -> None:
    """A constant part, and one for each node; neither is negative."""
    assert fit(synthetic.runs().beats) == pytest.approx((synthetic.BEAT, synthetic.BEAT_PER_NODE))
