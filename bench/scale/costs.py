"""From measurements to costs: what one move, connection, delivery or node costs, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from msgspec import Struct

from bench.scale.runs import Beat, MoveRun, Runs

HEADERS = 66  # bytes of Ethernet, IP and TCP headers around a message


class Cost(Struct, frozen=True):
    """A cost: the median of all rounds, the lowest and the highest."""

    value: float
    low: float
    high: float


class Costs(Struct, frozen=True):
    """All costs of the model, in seconds and bytes unless they say otherwise."""

    move: Cost  # CPU of the node, per move, if it serves both players
    remote_move: Cost  # in addition, if they are on two nodes
    store_move: Cost  # CPU of the master, per move
    store_remote_move: Cost  # in addition, if two nodes have the room open
    cluster_move: Cost  # CPU of the node, in addition, if the store is a cluster
    cluster_store_move: Cost  # CPU of the master, likewise
    delivery: Cost  # CPU of the node, per update sent to a spectator
    join: Cost  # CPU of the node, per client that connects and joins a room
    idle: Cost  # CPU of the node per second, for a connection on which nothing happens
    idle_node: float  # CPU of the store per second, for a node without players
    beat: float  # CPU of the store for a heartbeat, without the part below
    beat_per_node: float  # in addition, for each node that the store knows
    connection_memory: Cost  # of the node
    node_memory: float  # of a node without players
    game_memory: Cost  # of the store, for a game in progress
    move_to_clients: Cost  # bytes on the network, per move, for both players
    move_to_store: Cost  # likewise, to the master
    move_from_store: Cost  # from the master
    move_on_disk: Cost
    update: Cost  # bytes on the network, per spectator


def derive(runs: Runs) -> Costs:
    """Return the costs that explain the runs on one node and one master, on two nodes, and on two masters."""
    alone, two_nodes, two_masters = (_of(runs.moves, *kind) for kind in ((1, 1), (2, 1), (1, 2)))
    move, store_move = _cost(map(per_move, alone)), _cost(map(store_per_move, alone))
    fixed, per_node = fit(runs.beats)
    watched = runs.spectators
    return Costs(
        move=move,
        remote_move=_extra(two_nodes, map(per_move, two_nodes), move),
        store_move=store_move,
        store_remote_move=_extra(two_nodes, map(store_per_move, two_nodes), store_move),
        cluster_move=_cost(max(0.0, per_move(run) - move.value) for run in two_masters),
        cluster_store_move=_cost(max(0.0, store_per_move(run) - store_move.value) for run in two_masters),
        delivery=_cost(run.server_cpu / run.deliveries for run in watched),
        join=_cost(run.join_cpu for run in watched),
        idle=_cost(run.idle_cpu for run in watched),
        idle_node=runs.idle_store_cpu,
        beat=fixed,
        beat_per_node=per_node,
        connection_memory=_cost(run.kib_per_connection * 1024 for run in watched),
        node_memory=runs.worker_kib * 1024,
        game_memory=_cost(run.store.memory / run.rooms for run in alone),
        # A move is one message from a player and two to the players: the reply and the update.
        move_to_clients=_cost(
            (run.bytes_to_clients + run.bytes_from_clients) / run.moves + 3 * HEADERS for run in alone
        ),
        move_to_store=_cost(run.store.received / run.all_moves for run in alone),
        move_from_store=_cost(run.store.sent / run.all_moves for run in alone),
        move_on_disk=_cost(run.store.written / run.all_moves for run in alone),
        update=_cost(run.update_bytes + HEADERS for run in watched),
    )


def per_move(run: MoveRun) -> float:
    """Return the CPU time of all workers per move."""
    return run.server_cpu / run.moves


def store_per_move(run: MoveRun) -> float:
    """Return the CPU time of all masters per move."""
    return run.store_cpu / run.moves


def fit(beats: Sequence[Beat]) -> tuple[float, float]:
    """Return the constant part of a heartbeat's cost, and the part for each node: a straight line by least squares."""
    nodes = [float(beat.nodes) for beat in beats]
    middle, mean = sum(nodes) / len(nodes), sum(beat.store_cpu for beat in beats) / len(beats)
    spread = sum((number - middle) ** 2 for number in nodes)
    slope = sum((beat.nodes - middle) * (beat.store_cpu - mean) for beat in beats) / spread
    return max(0.0, mean - slope * middle), max(0.0, slope)


def _of(runs: Iterable[MoveRun], workers: int, masters: int) -> list[MoveRun]:
    return [run for run in runs if (run.workers, run.masters) == (workers, masters)]


def _extra(runs: Sequence[MoveRun], values: Iterable[float], alone: Cost) -> Cost:
    """Return what a room costs in addition because two nodes have it open, from the share of the rooms for which that
    is the case."""
    found = [max(0.0, value - alone.value) / run.shared_rooms for run, value in zip(runs, values, strict=True)]
    return _cost(found)


def _cost(values: Iterable[float]) -> Cost:
    found = list(values)
    return Cost(median(found), min(found), max(found))
