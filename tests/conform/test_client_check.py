"""The check of a client, run against the example client."""

from __future__ import annotations

import sys
from pathlib import Path

from parlour.conform.client_check import FAULTS, check_client
from parlour.conform.report import Verdict
from parlour.conform.rules import CLIENT_RULES

EXAMPLE = str(Path(__file__).parents[2] / "docs" / "clients" / "random_player.py")
LIMIT = 60.0


async def test_only_the_wanted_rules_are_reported() -> None:
    """With `only`, games that decide none of these rules are not played."""
    played: list[str] = []
    report = await check_client([sys.executable, EXAMPLE], only=["plays", "legal"], limit=LIMIT, progress=played.append)
    assert report.of(Verdict.KEPT) == ["legal", "plays"]
    assert played == ["plays"]


def test_every_fault_decides_a_rule() -> None:
    """Every injected fault decides at least one rule."""
    assert {fault.rule for fault in FAULTS} <= {rule.key for rule in CLIENT_RULES}
