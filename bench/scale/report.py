"""The tables of docs/scale.md, as Markdown, and the data of its plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from bench.scale.costs import Cost, Costs, derive, per_move, store_per_move
from bench.scale.model import GIB, Workload, cpu_per_move, crowd, limits, most_workers, needs
from bench.scale.runs import MoveRun, Runs

GAMES = (1e3, 1e4, 1e5, 1e6, 1e7)
SPECTATORS = (1e3, 1e4, 1e5, 1e6)
STEPS_PER_DECADE = 4  # of the plot
FED = {(1, 1), (2, 1), (1, 2)}  # workers and masters of the runs from which costs are derived


def report(runs: Runs) -> str:
    """Return all tables, with headings."""
    costs = derive(runs)
    sections = {
        "Costs": costs_table(costs),
        "Games": needs_table(costs),
        "What is used up first": limits_table(costs),
        "Spectators of one game": crowd_table(costs),
        "Predicted and measured": validation_table(runs, costs),
    }
    return "\n\n".join(f"## {title}\n\n{table}" for title, table in sections.items())


def costs_table(costs: Costs) -> str:
    """Return every measured cost with its spread."""

    def micro(cost: Cost, digits: int = 1) -> str:
        return _spread(cost, 1e6, digits)

    rows = [
        ("node CPU per move, both players on one node (µs)", micro(costs.move)),
        ("… more, if they are on two nodes (µs)", micro(costs.remote_move)),
        ("… more, if the store is a cluster (µs)", micro(costs.cluster_move)),
        ("store CPU per move (µs)", micro(costs.store_move)),
        ("… more, if two nodes have the room open (µs)", micro(costs.store_remote_move)),
        ("… more, in a cluster (µs)", micro(costs.cluster_store_move)),
        ("node CPU per update to a spectator (µs)", micro(costs.delivery, 2)),
        ("node CPU per client that connects and joins (µs)", micro(costs.join, 0)),
        ("node CPU per idle connection and second (µs)", micro(costs.idle, 1)),
        ("store CPU per node without players and second (µs)", f"{1e6 * costs.idle_node:,.0f}"),
        (
            "store CPU per heartbeat among n nodes (µs)",
            f"{1e6 * costs.beat:,.0f} + {1e6 * costs.beat_per_node:.2f} n",
        ),
        ("node memory per connection (KiB)", _spread(costs.connection_memory, 1 / 1024, 1)),
        ("memory of a node without players (MiB)", f"{costs.node_memory / 1024**2:,.0f}"),
        ("store memory per game (KiB)", _spread(costs.game_memory, 1 / 1024, 1)),
        ("network to and from the players, per move (bytes)", _spread(costs.move_to_clients, 1, 0)),
        ("network to a spectator, per move (bytes)", _spread(costs.update, 1, 0)),
        ("network to the store, per move (bytes)", _spread(costs.move_to_store, 1, 0)),
        ("network from the store, per move (bytes)", _spread(costs.move_from_store, 1, 0)),
        ("written to disk by the store, per move (bytes)", _spread(costs.move_on_disk, 1, 0)),
    ]
    return _table(("cost", "median [lowest–highest]"), rows)


def needs_table(costs: Costs) -> str:
    """Return what each number of games needs."""
    rows = []
    for games in GAMES:
        found = needs(Workload(games), costs)
        rows.append(
            (
                _power(games),
                f"{found.workload.moves:,.0f}",
                f"{found.workers:,}",
                f"{found.masters:,}",
                _gib(found.worker_memory),
                _gib(found.store_memory),
                _gigabits(found.client_traffic),
                _gigabits(found.store_traffic),
                f"{found.disk / 1e6:,.1f}",
                f"{found.coordination:.0%}" + ("" if found.is_possible else " (too much)"),
            )
        )
    header = (
        "games", "moves/s", "workers", "masters", "memory of workers (GiB)", "memory of masters (GiB)",
        "network to clients (Gbit/s)", "network to masters (Gbit/s)", "disk (MB/s)", "heartbeats (of a core)",
    )  # fmt: skip
    return _table(header, rows)


def limits_table(costs: Costs) -> str:
    """Return the number of games at which each resource is used up."""
    found = limits(costs)
    rows = [
        ("a worker", f"{found.worker:,.0f} games", "more workers: `--workers`, then more machines"),
        ("a master's CPU", f"{found.master_cpu:,.0f} games", "more masters: `redis+cluster://`"),
        ("a master's memory (16 GiB)", f"{found.master_memory:,.0f} games", "more masters, or larger ones"),
        ("a network of 1 Gbit/s to clients", f"{found.gigabit:,.0f} games", "several machines, each with its own link"),
        (
            "the heartbeats' master",
            f"{found.heartbeats:,.0f} games on {most_workers(costs):,} workers",
            "faster cores, or several separate servers",
        ),
    ]
    rows.sort(key=lambda row: float(row[1].split()[0].replace(",", "")))
    return _table(("resource", "used up at", "what relieves it"), rows)


def crowd_table(costs: Costs) -> str:
    """Return what many spectators of one game need."""
    rows = []
    for spectators in SPECTATORS:
        found = crowd(spectators, costs)
        rows.append(
            (
                _power(spectators),
                f"{found.workers:,}",
                f"{found.delivery_cpu:.3g}",
                _gib(found.memory),
                f"{found.burst / 1e6:,.1f}",
                f"{found.store_messages:,}",
            )
        )
    header = (
        "spectators", "workers", "CPU seconds per move", "memory (GiB)", "sent per move (MB)",
        "messages from the master per move",
    )  # fmt: skip
    return _table(header, rows)


def validation_table(runs: Runs, costs: Costs) -> str:
    """Return the prediction of the model for each kind of run beside what was measured."""
    kinds = sorted({(run.workers, run.masters) for run in runs.moves}, key=lambda kind: (kind[1], kind[0]))
    rows = []
    for workers, masters in kinds:
        chosen = [run for run in runs.moves if (run.workers, run.masters) == (workers, masters)]
        predicted = cpu_per_move(costs, workers, masters)
        measured = [median(map(measure, chosen)) for measure in (per_move, store_per_move)]
        rows.append(
            (
                f"{workers}",
                f"{masters}",
                *(
                    text
                    for expected, found in zip(predicted, measured, strict=True)
                    for text in (f"{1e6 * expected:.0f}", f"{1e6 * found:.0f}", f"{expected / found - 1:+.0%}")
                ),
                f"{1 - 1 / workers:.0%} / {_share(chosen):.0%}",
                f"{1 / masters:.0%} / {median(run.store.busiest for run in chosen):.0%}",
                "fed" if (workers, masters) in FED else "checked",
            )
        )
    header = (
        "nodes", "masters", "node CPU, predicted (µs)", "measured", "error", "store CPU, predicted (µs)", "measured",
        "error", "rooms on two nodes, predicted / measured", "busiest master, predicted / measured", "",
    )  # fmt: skip
    return _table(header, rows)


def plot(runs: Runs) -> dict[str, Any]:
    """Return the description from which client/web/docs draws the plot: needs over the number of games."""
    costs = derive(runs)
    steps = range(3 * STEPS_PER_DECADE, 7 * STEPS_PER_DECADE + 1)
    found = [needs(Workload(10 ** (step / STEPS_PER_DECADE)), costs) for step in steps]

    def line(name: str, values: Iterable[float]) -> dict[str, Any]:
        points = [
            (round(each.workload.games), float(f"{value:.3g}")) for each, value in zip(found, values, strict=True)
        ]
        return {"name": name, "points": points}

    return {
        "lines": [
            line("cores of workers", (each.worker_cores / each.workload.utilisation for each in found)),
            line("cores of masters", (each.store_cores / each.workload.utilisation for each in found)),
            line("memory of masters (GiB)", (each.store_memory / GIB for each in found)),
            line("network to clients (Gbit/s)", (8 * each.client_traffic / 1e9 for each in found)),
        ]
    }


def _share(runs: Sequence[MoveRun]) -> float:
    return median(run.shared_rooms for run in runs)


# -- text


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    lines.insert(1, "|" + "|".join([":--"] + ["--:"] * (len(header) - 1)) + "|")
    return "\n".join(lines)


def _spread(cost: Cost, factor: float, digits: int) -> str:
    value, low, high = (f"{factor * number:,.{digits}f}" for number in (cost.value, cost.low, cost.high))
    return f"{value} [{low}–{high}]"


def _power(number: float) -> str:
    return f"{number:,.0f}"


def _gib(size: float) -> str:
    return f"{size / GIB:,.1f}"


def _gigabits(rate: float) -> str:
    return f"{8 * rate / 1e9:,.2f}"
