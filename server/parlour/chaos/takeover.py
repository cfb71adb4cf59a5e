"""How long players wait for their next acknowledged command after a fault of their node. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import ceil, inf

from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement


def takeover_times(seen: Observations) -> dict[str, list[float]]:
    """Return by kind of fault how long each affected player that was trying to act had to wait.

    A player is affected if it was connected to the node when the fault began. It was trying to act if its command was
    unanswered then, or was sent while the fault lasted and before the client had another connection. Faults during
    which the store was broken too do not count, because no node can take over without it.
    """
    attempts: dict[str, list[Attempt]] = {}
    for attempt in seen.attempts:
        attempts.setdefault(attempt.player, []).append(attempt)
    placements: dict[str, list[Placement]] = {}
    for placement in seen.placements:
        placements.setdefault(placement.client, []).append(placement)
    times: dict[str, list[float]] = {}
    for run in seen.faults:
        if not run.address or any(_overlap(run, other) for other in seen.faults if not other.address):
            continue
        waits = times.setdefault(run.fault.kind, [])
        for player, own in attempts.items():
            wait = _wait(run, own, placements.get(player, []))
            if wait is not None:
                waits.append(wait)
    return times


def _overlap(one: FaultRun, other: FaultRun) -> bool:
    return one.began < (other.ended or inf) and other.began < (one.ended or inf)


def _wait(run: FaultRun, attempts: Sequence[Attempt], placements: Sequence[Placement]) -> float | None:
    """Return how long a player waited; None if it was not affected, not trying to act, or never acknowledged."""
    current = bisect_right(placements, run.began, key=lambda placement: placement.at)
    if current == 0 or placements[current - 1].address != run.address:
        return None
    reconnected = placements[current].at if current < len(placements) else inf
    until = min(reconnected, inf if run.ended is None else run.ended)
    for attempt in attempts:
        if attempt.sent is None or attempt.answered is None or attempt.seq is None:
            continue
        if attempt.answered > run.began and attempt.sent < until:
            return attempt.answered - max(run.began, attempt.sent)
    return None


def percentile(times: Sequence[float], percent: float) -> float:
    """Return the smallest of the times that is at least as long as this percentage of them."""
    return sorted(times)[max(0, ceil(len(times) * percent / 100) - 1)]
