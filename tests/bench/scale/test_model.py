"""The capacity model adds up costs, and knows what is used up first."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from bench.scale.costs import Cost, derive
from bench.scale.model import (
    CONNECTIONS,
    MASTER_MEMORY,
    Workload,
    cpu_per_move,
    crowd,
    limits,
    most_workers,
    needs,
)
from tests.bench.scale import synthetic

COSTS = derive(synthetic.runs())


def test_small_installations_need_one_of_everything() -> None:
    """And use little of it."""
    found = needs(Workload(100), COSTS)
    assert (found.workers, found.masters) == (1, 1)
    assert found.worker_cores < 0.01
    assert found.is_possible


def test_needs_grow_with_the_games() -> None:
    """Ten times as many games need about ten times as much, but never less."""
    found = [needs(Workload(10.0**power), COSTS) for power in range(3, 8)]
    for fewer, more in itertools.pairwise(found):
        assert more.workers >= fewer.workers
        assert more.masters >= fewer.masters
        assert more.store_memory == pytest.approx(10 * fewer.store_memory)
        assert more.client_traffic == pytest.approx(10 * fewer.client_traffic)
        assert more.worker_cores > 9 * fewer.worker_cores


def test_workers_and_masters_are_sufficient() -> None:
    """No core is used more than allowed, no worker has too many connections, no master too much memory."""
    for games in (1e3, 1e5, 1e7):
        found = needs(Workload(games), COSTS)
        assert found.worker_cores <= found.workers * found.workload.utilisation
        assert found.store_cores <= found.masters * found.workload.utilisation
        assert found.workload.connections <= found.workers * CONNECTIONS
        assert found.store_memory <= found.masters * MASTER_MEMORY


def test_players_on_two_nodes_cost_more() -> None:
    """With many workers, almost every game is on two of them."""
    alone, two, many = (cpu_per_move(COSTS, workers, 1)[0] for workers in (1, 2, 1000))
    assert alone == COSTS.move.value
    assert two == pytest.approx(alone + COSTS.remote_move.value / 2)
    assert many == pytest.approx(alone + COSTS.remote_move.value, rel=0.01)
    assert cpu_per_move(COSTS, 1, 3)[0] == pytest.approx(alone + COSTS.cluster_move.value)


def test_heartbeats_limit_the_number_of_workers() -> None:
    """Every node beats, and every beat reads those of all nodes, so their cost grows with the square."""
    most = most_workers(COSTS)
    cost = 2 * most * (COSTS.beat + COSTS.beat_per_node * most)
    assert 0.49 < cost <= 0.5
    assert most_workers(replace(COSTS, beat_per_node=0.0)) == int(0.5 / (2 * COSTS.beat))


def test_limits_are_where_one_is_no_longer_enough() -> None:
    """A little below a limit one worker, or one master, is enough; above it is not."""
    found = limits(COSTS)
    assert needs(Workload(found.worker * 0.99), COSTS).workers == 1
    assert needs(Workload(found.worker * 1.01), COSTS).workers == 2
    assert needs(Workload(min(found.master_cpu, found.master_memory) * 1.05), COSTS).masters == 2


def test_a_crowd_is_limited_by_deliveries_or_connections() -> None:
    """Every spectator is sent every move in time, and has a place."""
    assert crowd(1e6, COSTS).workers == 1e6 / CONNECTIONS
    slow = replace(COSTS, delivery=Cost(1e-3, 1e-3, 1e-3))
    assert crowd(1e6, slow, within=1.0).workers == 1000
    assert crowd(1e6, COSTS).burst == pytest.approx(1e6 * COSTS.update.value)
