"""Checks of frames that are not messages, or not messages that the server knows."""

from __future__ import annotations

from parlour.conform.report import Verdict
from parlour.conform.server_checks import CHECKS, frames
from tests.conform.honest_server import check_honest_server

RULES = [rule for rule, check in CHECKS.items() if check.__module__ == frames.__name__]


async def test_an_honest_server_keeps_these_rules() -> None:
    """Each check reports its rule as kept by a server that keeps it; test_broken_servers.py covers the others."""
    report = await check_honest_server(RULES)
    assert report.of(Verdict.KEPT) == [finding.rule for finding in report.findings], report.table()


def test_the_rules_of_this_module() -> None:
    """This module checks exactly these rules."""
    assert set(RULES) >= {"message-unknown", "fields-unknown", "frame-malformed", "too-large", "both-subprotocols"}
