"""The result of a run."""

from __future__ import annotations

import json
from typing import Any

from parlour.chaos.checker import Kind, Violation
from parlour.chaos.evidence import Evidence
from parlour.chaos.faults import Fault
from parlour.chaos.observations import Attempt, FaultRun, Observations, Placement
from parlour.chaos.report import Report, summarize

SEEN = Observations(
    attempts=[
        Attempt("ada", "room", 3, 8.0, 9.0, None, 12.5, 99, 7),
        Attempt("ada", "room", 5, 13.0, 14.0, None, 14.1, 100, None, "game_over"),
    ],
    placements=[Placement("ada", 1.0, "ws://one")],
    faults=[
        FaultRun(Fault("store-kill", 1.0), "", 20, 25),
        FaultRun(Fault("node-kill", 1.0, 0), "ws://one", 10, 15),
        FaultRun(Fault("node-kill", 1.0, 0), "ws://one", 30, 35),
    ],
    ended=60.04,
)
LOST = Violation(Kind.LOST, "Entry 5 of the log is another one.")


def report(*violations: Violation, **changes: Any) -> Report:
    options: dict[str, Any] = {"seed": 1, "spectators": 5, "reconnects": 3, "left_out": (), **changes}
    return summarize(SEEN, Evidence({}, {}, {}), violations, **options)


def test_the_numbers() -> None:
    """Faults are counted by kind, in a fixed order; only acknowledged commands count."""
    found = report()

    assert [(fault.kind, fault.executed) for fault in found.faults] == [("node-kill", 2), ("store-kill", 1)]
    assert found.commands == 1
    assert found.seconds == 60.0
    assert found.takeover is not None
    assert (found.takeover.players, found.takeover.p50, found.takeover.p99) == (1, 2.5, 2.5)
    assert found.faults[1].takeover is None


def test_no_violation() -> None:
    """The table says so, and the exit code is 0."""
    found = report()

    assert found.exit_code == 0
    assert found.table().endswith("No violation.")
    assert "node-kill              2                 1    2.50 s    2.50 s" in found.table()


def test_violations() -> None:
    """The table has examples of each kind, but not all of them; the exit code is 1."""
    found = report(*[LOST] * 40)

    assert found.exit_code == 1
    assert found.table().count(LOST.sentence) == 3
    assert "lost                  40    an acknowledged command is not in the log" in found.table()
    assert found.table().endswith("40 violations.")


def test_a_fault_that_was_left_out() -> None:
    """The table says why."""
    assert "store-clock     left out: libfaketime is not installed" in report(left_out=["store-clock"]).table()


def test_json() -> None:
    """Programs get all of it, with every violation."""
    found = json.loads(report(LOST, LOST).json())

    assert found["ok"] is False
    assert found["violations"] == [{"kind": "lost", "sentence": LOST.sentence}] * 2
    assert found["faults"][0] == {
        "kind": "node-kill", "executed": 2, "takeover": {"players": 1, "p50": 2.5, "p99": 2.5},
    }  # fmt: skip
    assert json.loads(report().json())["ok"] is True
