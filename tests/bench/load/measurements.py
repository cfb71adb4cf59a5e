"""Runs with made-up measurements."""

from __future__ import annotations

import msgspec

from bench.load.metrics import Measurement, Run
from bench.load.workloads import MOVES

ZEROS = dict.fromkeys(Measurement.__struct_fields__, 0)


def measurement(**values: float) -> Measurement:
    """Return a measurement of one move, in which everything else is 0 unless given."""
    return msgspec.convert({**ZEROS, "moves": 1, **values}, Measurement, strict=False)


def run(number: int, system: str, workload: str, **values: float) -> Run:
    return Run(number, system, workload, measurement(**values))


def moves(number: int, system: str, cpu: float) -> Run:
    """Return a run of 1,000 moves in 2 seconds, with 10 µs of store CPU per move."""
    return run(number, system, MOVES, moves=1000, deliveries=2000, server_cpu=cpu, store_cpu=0.01, seconds=2.0)


# Per move, Parlour takes 20, 90 and 30 µs, and durable Colyseus 40, 100 and 50.
RUNS = [
    moves(1, "parlour", 0.02), moves(1, "durable-colyseus", 0.04),
    moves(2, "parlour", 0.09), moves(2, "durable-colyseus", 0.10),
    moves(3, "parlour", 0.03), moves(3, "durable-colyseus", 0.05),
]  # fmt: skip
