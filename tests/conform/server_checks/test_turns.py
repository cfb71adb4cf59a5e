"""Checks of choices, legal moves and refusals."""

from __future__ import annotations

from parlour.conform.report import Verdict
from parlour.conform.server_checks import CHECKS, turns
from tests.conform.honest_server import check_honest_server

RULES = [rule for rule, check in CHECKS.items() if check.__module__ == turns.__name__]


async def test_an_honest_server_keeps_these_rules() -> None:
    """Each check reports its rule as kept by a server that keeps it; test_broken_servers.py covers the others."""
    report = await check_honest_server(RULES)
    assert report.of(Verdict.KEPT) == [finding.rule for finding in report.findings], report.table()


def test_the_rules_of_this_module() -> None:
    """This module checks exactly these rules."""
    assert set(RULES) >= {"choices", "explore", "play", "repeat", "stale-ply", "not-your-turn"}
