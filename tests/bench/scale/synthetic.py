"""Runs of a machine whose costs are known, to check what is derived from them."""

from __future__ import annotations

from bench.scale.runs import Beat, MoveRun, Runs, Spectators, StoreUse

MOVE, REMOTE, CLUSTER = 100e-6, 60e-6, 20e-6  # seconds of a node
STORE_MOVE, STORE_REMOTE, CLUSTER_STORE = 20e-6, 5e-6, 10e-6  # seconds of the store
BEAT, BEAT_PER_NODE = 30e-6, 0.5e-6


def move_run(workers: int, masters: int, factor: float = 1.0) -> MoveRun:
    """Return a run that costs exactly what it should, times a factor."""
    shared, moves = 1 - 1 / workers, 6000
    node = MOVE + shared * REMOTE + (masters > 1) * CLUSTER
    store = STORE_MOVE + shared * STORE_REMOTE + (masters > 1) * CLUSTER_STORE
    used = StoreUse(7000 * 400, 7000 * 300, 7000 * 200, 200 * 8192, 1 / masters)
    return MoveRun(
        workers, masters, 200, shared, moves, factor * moves * node, factor * moves * store,
        moves * 150, moves * 30, 7000, used,
    )  # fmt: skip


def runs() -> Runs:
    """Return runs of two rounds, the second of which is a fifth slower."""
    kinds = ((1, 1), (2, 1), (1, 2), (3, 1), (3, 3))
    return Runs(
        moves=[move_run(*kind, factor) for factor in (1.0, 1.2) for kind in kinds],
        spectators=[Spectators(100_000, 0.4, 40.0, 12.0, 600e-6, 2e-6)],
        beats=[Beat(nodes, BEAT + nodes * BEAT_PER_NODE) for nodes in (1, 100, 1000)],
        worker_kib=64 * 1024,
        idle_store_cpu=300e-6,
    )
