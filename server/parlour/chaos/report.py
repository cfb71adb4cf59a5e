"""The result of a run: a table for people, JSON for programs, and an exit code."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from parlour.chaos.checker import Kind, Violation
from parlour.chaos.evidence import Evidence
from parlour.chaos.faults import KINDS
from parlour.chaos.observations import Observations
from parlour.chaos.takeover import percentile, takeover_times

WIDTH = 116
EXAMPLES = 3  # shown for each kind of violation


class Takeover(Struct, frozen=True):
    """How long players waited for their next acknowledged command, in seconds."""

    players: int
    p50: float
    p99: float


class FaultSummary(Struct, frozen=True):
    """How often a kind of fault was executed, and what it cost the players of the node."""

    kind: str
    executed: int
    takeover: Takeover | None  # None: it hits no node, or no player was trying to act


class Report(Struct, frozen=True):
    """The findings of a run."""

    seed: int
    seconds: float
    left_out: tuple[str, ...]  # faults that this machine cannot produce
    faults: tuple[FaultSummary, ...]
    games: int
    commands: int  # acknowledged
    spectators: int
    reconnects: int
    takeover: Takeover | None
    violations: tuple[Violation, ...]

    @property
    def exit_code(self) -> int:
        """0 if every guarantee was kept, otherwise 1."""
        return 1 if self.violations else 0

    def json(self) -> bytes:
        """Return the report for programs."""
        whole = {"ok": not self.violations, **msgspec.structs.asdict(self)}
        return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"

    def table(self) -> str:
        """Return the report for people."""
        lines = [f"{'fault':<16}{'executed':>8}{'players waiting':>18}{'p50':>10}{'p99':>10}"]
        lines += [f"{fault.kind:<16}{fault.executed:>8}{_times(fault.takeover)}" for fault in self.faults]
        lines.append(f"{'all':<16}{sum(fault.executed for fault in self.faults):>8}{_times(self.takeover)}")
        lines += [f"{name:<16}{'left out: libfaketime is not installed':>8}" for name in self.left_out]
        lines += [
            "",
            f"{self.games:,} games, {self.commands:,} acknowledged commands, {self.spectators:,} spectators, "
            f"{self.reconnects:,} reconnects in {self.seconds:.0f} seconds (seed {self.seed})",
            "",
        ]
        counts = Counter(violation.kind for violation in self.violations)
        for kind in Kind:
            lines.append(f"{kind:<16}{counts[kind]:>8}    {kind.meaning}")
            found = [violation.sentence for violation in self.violations if violation.kind is kind]
            for sentence in found[:EXAMPLES]:
                lines += textwrap.wrap(sentence, WIDTH, initial_indent=" " * 28 + "→ ", subsequent_indent=" " * 30)
        lines += ["", "No violation." if not self.violations else f"{len(self.violations)} violations."]
        return "\n".join(lines)


def summarize(
    seen: Observations,
    evidence: Evidence,
    violations: Sequence[Violation],
    *,
    seed: int,
    spectators: int,
    reconnects: int,
    left_out: Sequence[str],
) -> Report:
    """Return the report on a run."""
    times = takeover_times(seen)
    executed = Counter(run.fault.kind for run in seen.faults)
    return Report(
        seed=seed,
        seconds=round(seen.ended, 1),
        left_out=tuple(left_out),
        faults=tuple(
            FaultSummary(kind, executed[kind], _takeover(times.get(kind, ()))) for kind in KINDS if executed[kind]
        ),
        games=len(evidence.logs),
        commands=sum(attempt.seq is not None for attempt in seen.attempts),
        spectators=spectators,
        reconnects=reconnects,
        takeover=_takeover([time for each in times.values() for time in each]),
        violations=tuple(violations),
    )


def _takeover(times: Sequence[float]) -> Takeover | None:
    if not times:
        return None
    return Takeover(len(times), round(percentile(times, 50), 3), round(percentile(times, 99), 3))


def _times(takeover: Takeover | None) -> str:
    if takeover is None:
        return f"{'-':>18}{'-':>10}{'-':>10}"
    return f"{takeover.players:>18}{takeover.p50:>8.2f} s{takeover.p99:>8.2f} s"
