"""The figures as tables, and what became of the targets."""

from __future__ import annotations

from collections.abc import Sequence

from bench.load import figures
from bench.load.figures import Run, Spread, Target
from bench.load.systems import COLYSEUS, PARLOUR, System

# What is told about every system: the name of the figure, how it is called, and how many digits mean something.
LINES = (
    ("cpu_per_move", "µs of server CPU per move", 1),
    ("cpu_per_move_with_store", "… with the store's", 1),
    ("cpu_per_move_with_choices", "… with what may be picked, as people need it", 1),
    ("cpu_per_move_in_games", "… where games end and others begin", 1),
    ("moves_per_second", "moves per second, at most", 0),
    ("closed_p50", "ms from move to update at that load, median", 2),
    ("closed_p99", "… 99 %", 2),
    ("update_bytes", "bytes of an update", 1),
    ("bytes_per_move", "bytes to both players per move, in all", 0),
    ("cpu_per_delivery", "µs of server CPU per delivery", 2),
    ("cpu_per_delivery_with_store", "… with the store's", 2),
    ("kib_per_connection", "KiB per idle connection in a room", 1),
    ("join_cpu", "µs of server CPU to let somebody in", 0),
    ("steady_p50", "ms from move to update at a fixed load, median", 2),
    ("steady_p90", "… 90 %", 2),
    ("steady_p99", "… 99 %", 2),
    ("steady_p999", "… 99.9 %", 2),
)

# What Parlour costs as a part of what another system does.
COMPARED = (
    "cpu_per_move",
    "cpu_per_move_with_store",
    "cpu_per_delivery",
    "cpu_per_delivery_with_store",
    "kib_per_connection",
    "steady_p50",
    "steady_p99",
)

MOST_PER_MOVE = 0.8  # of what Colyseus needs
MOST_PER_DELIVERY = 0.75
MOST_KIB = 24


def table(runs: Sequence[Run], systems: Sequence[System]) -> str:
    """Every figure of every system: the median of the rounds, with the lowest and the highest."""
    lines = [
        "| | " + " | ".join(system.title for system in systems) + " |",
        "|:--|" + "--:|" * len(systems),
    ]
    for name, title, digits in LINES:
        found = [figures.figure(runs, system.key, name) for system in systems]
        if any(found):
            lines.append(f"| {title} | " + " | ".join(_written(each, digits) for each in found) + " |")
    return "\n".join(lines)


def ratios(runs: Sequence[Run], systems: Sequence[System]) -> str:
    """What Parlour needs for each 1.00 of another system, by rounds."""
    titles = {name: title for name, title, _ in LINES}
    others = [system for system in systems if system.key != PARLOUR]
    lines = [
        "| Parlour compared with | " + " | ".join(other.title for other in others) + " |",
        "|:--|" + "--:|" * len(others),
    ]
    for at, name in enumerate(COMPARED):
        found = [figures.ratio(runs, PARLOUR, other.key, name) for other in others]
        if any(found):
            title = titles[name]
            if title.startswith("… with"):
                title = f"{titles[COMPARED[at - 1]]}, {title[2:]}"
            lines.append(f"| {title} | " + " | ".join(_written(each, 2, "×") for each in found) + " |")
    return "\n".join(lines)


def _written(spread: Spread | None, digits: int, unit: str = "") -> str:
    if spread is None:
        return ""
    middle = f"{spread.median:,.{digits}f}{unit}"
    if spread.low == spread.high:
        return middle
    return f"{middle} [{spread.low:,.{digits}f}–{spread.high:,.{digits}f}]"


def judge(runs: Sequence[Run]) -> list[Target]:
    """What became of the targets, as far as they were measured."""
    found = (
        ("server CPU per move, of Colyseus", MOST_PER_MOVE, figures.ratio(runs, PARLOUR, COLYSEUS, "cpu_per_move")),
        (
            "server CPU per delivery, of Colyseus",
            MOST_PER_DELIVERY,
            figures.ratio(runs, PARLOUR, COLYSEUS, "cpu_per_delivery"),
        ),
        ("KiB per idle connection", MOST_KIB, figures.figure(runs, PARLOUR, "kib_per_connection")),
    )
    return [
        Target(what, wanted, measured.median, measured.median <= wanted)
        for what, wanted, measured in found
        if measured is not None
    ]
