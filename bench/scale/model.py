"""The capacity model: how many workers and masters a number of games needs. Pure; `costs.py` feeds it."""

from __future__ import annotations

from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from bench.scale.costs import Costs

GIB = 1024**3
BEATS_PER_SECOND = 2.0
MASTER_MEMORY = 16 * GIB  # beyond which saving, restarting and replicating a master takes too long
CONNECTIONS = 10_000  # of a worker, the default of --max-connections


class Workload(Struct, frozen=True):
    """What players do. The defaults are assumptions: change them to yours."""

    games: float  # in progress
    seconds_per_move: float = 10.0
    moves_per_game: float = 40.0
    spectators_per_game: float = 0.2
    kept: float = 3600.0  # seconds for which a finished game stays in the store
    utilisation: float = 0.5  # of a core; more makes moves wait

    @property
    def moves(self) -> float:
        """Moves per second."""
        return self.games / self.seconds_per_move

    @property
    def ended(self) -> float:
        """Games that end per second, and as many begin."""
        return self.moves / self.moves_per_game

    @property
    def connections(self) -> float:
        return self.games * (2 + self.spectators_per_game)


class Needs(Struct, frozen=True):
    """What a workload needs."""

    workload: Workload
    workers: int
    masters: int
    worker_cores: float  # of CPU time in use, of all workers
    store_cores: float  # likewise, of all masters
    coordination: float  # the share of a core that heartbeats take of the one master that has them
    worker_memory: float  # bytes, all workers together
    store_memory: float  # bytes
    client_traffic: float  # bytes per second
    store_traffic: float  # bytes per second
    disk: float  # bytes per second

    @property
    def is_possible(self) -> bool:
        """Whether the heartbeats of all workers fit on one master."""
        return self.coordination <= self.workload.utilisation


def needs(workload: Workload, costs: Costs) -> Needs:
    """Return what a workload needs. The number of workers and masters affects their costs, so this is a fixed point."""
    workers, masters = 1, 1
    while True:
        found = _needs(workload, costs, workers, masters)
        if (found.workers, found.masters) == (workers, masters):
            return found
        workers, masters = max(workers, found.workers), max(masters, found.masters)


def _needs(workload: Workload, costs: Costs, workers: int, masters: int) -> Needs:
    node_cpu, store_cpu = cpu_per_move(costs, workers, masters)
    worker_cores = (
        workload.moves * (node_cpu + workload.spectators_per_game * costs.delivery.value)
        + workload.connections * costs.idle.value
        + (2 + workload.spectators_per_game) * workload.ended * costs.join.value
    )
    coordination = BEATS_PER_SECOND * workers * (costs.beat + costs.beat_per_node * workers)
    store_cores = workload.moves * store_cpu + workers * costs.idle_node + coordination
    store_memory = costs.game_memory.value * (workload.games + workload.ended * workload.kept)
    client_traffic = workload.moves * (costs.move_to_clients.value + workload.spectators_per_game * costs.update.value)
    return Needs(
        workload=workload,
        workers=max(ceil(worker_cores / workload.utilisation), ceil(workload.connections / CONNECTIONS), 1),
        masters=max(ceil(store_cores / workload.utilisation), ceil(store_memory / MASTER_MEMORY), 1),
        worker_cores=worker_cores,
        store_cores=store_cores,
        coordination=coordination,
        worker_memory=workers * costs.node_memory + workload.connections * costs.connection_memory.value,
        store_memory=store_memory,
        client_traffic=client_traffic,
        store_traffic=workload.moves * (costs.move_to_store.value + costs.move_from_store.value),
        disk=workload.moves * costs.move_on_disk.value,
    )


def cpu_per_move(costs: Costs, workers: int, masters: int) -> tuple[float, float]:
    """Return the CPU time of the workers and of the masters per move.

    Two players are on different workers with a probability of 1 - 1/workers.
    """
    remote = 1 - 1 / workers
    node = costs.move.value + remote * costs.remote_move.value + (masters > 1) * costs.cluster_move.value
    store = costs.store_move.value + remote * costs.store_remote_move.value
    return node, store + (masters > 1) * costs.cluster_store_move.value


# -- limits


def most_workers(costs: Costs, utilisation: float = 0.5) -> int:
    """Return how many workers the master with the heartbeats can serve."""
    a, b = BEATS_PER_SECOND * costs.beat_per_node, BEATS_PER_SECOND * costs.beat
    return int((-b + sqrt(b * b + 4 * a * utilisation)) / (2 * a)) if a else int(utilisation / b)


class Limits(Struct, frozen=True):
    """How many games fit before a resource is used up, if there is one of it."""

    worker: float
    master_cpu: float
    master_memory: float
    gigabit: float  # of network to the clients
    heartbeats: float


def limits(costs: Costs, workload: Workload = Workload(1)) -> Limits:  # noqa: B008  # a constant
    """Return the limits of one worker, one master, one gigabit per second, and of the heartbeats."""
    one = _needs(replace(workload, games=1), costs, 1, 1)
    many = _needs(replace(workload, games=1e6), costs, 1000, 2)
    overhead = costs.idle_node + BEATS_PER_SECOND * (costs.beat + costs.beat_per_node)
    per_worker = 1e6 * workload.utilisation / many.worker_cores
    return Limits(
        worker=min(workload.utilisation / one.worker_cores, CONNECTIONS / one.workload.connections),
        master_cpu=workload.utilisation / (one.store_cores - overhead),
        master_memory=MASTER_MEMORY / one.store_memory,
        gigabit=1e9 / 8 / one.client_traffic,
        heartbeats=most_workers(costs, workload.utilisation) * per_worker,
    )


# -- one game with many spectators


class Crowd(Struct, frozen=True):
    """What the spectators of one game need."""

    spectators: float
    workers: int
    delivery_cpu: float  # seconds per move, of all workers
    memory: float  # bytes
    burst: float  # bytes per move
    store_messages: int  # that the master sends per move


def crowd(spectators: float, costs: Costs, within: float = 0.5) -> Crowd:
    """Return what it takes to send every move to all spectators within some seconds."""
    delivery = spectators * costs.delivery.value
    workers = max(ceil(delivery / within), ceil(spectators / CONNECTIONS))
    memory = workers * costs.node_memory + spectators * costs.connection_memory.value
    return Crowd(spectators, workers, delivery, memory, spectators * costs.update.value, workers)
