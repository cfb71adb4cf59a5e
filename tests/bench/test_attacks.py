"""Attacks by one address are refused, and do not hold up the server's event loop."""

from __future__ import annotations

from pathlib import Path

from bench.attacks import ATTACKS, Outcome, report, run


async def test_attacks_are_refused_and_block_nothing(tmp_path: Path) -> None:
    """Of each attack something is refused, and the event loop is never busy for 50 ms of processor time."""
    none, *attacks = await run(tmp_path, pings=20)
    assert (none.accepted, none.refused) == (0, 0)
    assert len(attacks) == len(ATTACKS)
    assert [each.name for each in attacks if each.refused == 0 or each.blocks] == []


def test_the_report_marks_what_is_too_much() -> None:
    """A bystander who waits for too long is one reason, a blocked event loop another."""
    outcomes = [Outcome("none", 0.001, 0, 0, 0, 0.05), Outcome("chat", 0.2, 5, 5, 0, 0.05)]
    outcomes.append(Outcome("seeks", 0.001, 5, 5, 1, 0.05))
    _, none, chat, seeks = report(outcomes).splitlines()
    assert [line.endswith("too much") for line in (none, chat, seeks)] == [False, True, True]
