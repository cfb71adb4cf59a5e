"""How long players wait for their next acknowledged command after a fault of their node. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import ceil, inf

from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement

Period = tuple[float, float]  # from and to


def takeover_times(seen: Observations) -> dict[str, list[float]]:
    """Return by kind of fault how long each affected player that was trying to act had to wait.

    A player is affected if it was connected to the node when the fault began. It was trying to act if its command was
    unanswered then, or was sent while the fault lasted and before the client had another connection. Time in which the
    store was broken too does not count, because no node can take over without it.
    """
    attempts: dict[str, list[Attempt]] = {}
    for attempt in seen.attempts:
        attempts.setdefault(attempt.player, []).append(attempt)
    placements: dict[str, list[Placement]] = {}
    for placement in seen.placements:
        placements.setdefault(placement.client, []).append(placement)
    times: dict[str, list[float]] = {}
    outages = [(run.began, run.ended or inf) for run in seen.faults if not run.address]
    for run in seen.faults:
        if not run.address or _overlap((run.began, run.ended or inf), outages):
            continue
        waits = times.setdefault(run.fault.kind, [])
        for player, own in attempts.items():
            wait = _wait(run, own, placements.get(player, []))
            if wait is not None and not _overlap(wait, outages):
                waits.append(wait[1] - wait[0])
    return times


def _overlap(time: Period, others: Sequence[Period]) -> bool:
    return any(time[0] < end and start < time[1] for start, end in others)


def _wait(run: FaultRun, attempts: Sequence[Attempt], placements: Sequence[Placement]) -> Period | None:
    """Return when a player waited; None if it was not affected, not trying to act, or never acknowledged."""
    current = bisect_right(placements, run.began, key=lambda placement: placement.at)
    if current == 0 or placements[current - 1].address != run.address:
        return None
    reconnected = placements[current].at if current < len(placements) else inf
    until = min(reconnected, inf if run.ended is None else run.ended)
    for attempt in attempts:
        if attempt.sent is None or attempt.answered is None or attempt.seq is None:
            continue
        if attempt.answered > run.began and attempt.sent < until:
            return max(run.began, attempt.sent), attempt.answered
    return None


def percentile(times: Sequence[float], percent: float) -> float:
    """Return the smallest of the times that is at least as long as this percentage of them."""
    return sorted(times)[max(0, ceil(len(times) * percent / 100) - 1)]
