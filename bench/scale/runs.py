"""The measurements that the capacity model is fed with, as `python -m bench.scale measure` writes them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

FILE = Path(__file__).parent / "runs.json"


class StoreUse(Struct, frozen=True):
    """What all masters used in one run."""

    received: int  # bytes
    sent: int  # bytes
    written: int  # bytes of append-only files
    memory: int  # bytes
    busiest: float  # share of the CPU time that the busiest master had


class MoveRun(Struct, frozen=True):
    """A run at a fixed rate of moves."""

    workers: int
    masters: int
    rooms: int
    shared_rooms: float  # share of the rooms that are open on more than one worker
    moves: int  # measured
    server_cpu: float  # seconds for these moves, all workers together
    store_cpu: float  # likewise, all masters together
    bytes_to_clients: int  # for these moves
    bytes_from_clients: int
    all_moves: int  # with those before the measurement
    store: StoreUse  # for all moves


class Spectators(Struct, frozen=True):
    """A run with one room and many spectators, on one worker."""

    deliveries: int
    server_cpu: float
    update_bytes: float  # of a frame
    kib_per_connection: float
    join_cpu: float  # seconds, per spectator
    idle_cpu: float  # seconds of CPU per connection and second, while nothing happens


class Beat(Struct, frozen=True):
    """What a heartbeat costs the store, with a number of nodes."""

    nodes: int
    store_cpu: float  # seconds


class Runs(Struct, frozen=True):
    """Everything that was measured."""

    moves: list[MoveRun]
    spectators: list[Spectators]
    beats: list[Beat]
    worker_kib: float  # memory of a worker without players
    idle_store_cpu: float  # seconds of store CPU per second for one worker without players


def read(file: Path = FILE) -> Runs:
    """Return what was measured last."""
    return msgspec.json.decode(file.read_bytes(), type=Runs)


def write(runs: Runs, file: Path = FILE) -> None:
    """Write what was measured."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(runs)) + b"\n")
