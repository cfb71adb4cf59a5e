"""The small client and the small server keep the rules that one module of the kit checks."""

from __future__ import annotations

from types import ModuleType

from parlour.conform.client_check import faults_of
from parlour.conform.profiles import EVERY
from parlour.conform.server_checks import CHECKS
from tests.conform.mutations import check_small_client, check_small_server
from tests.conform.small_client import SmallClient
from tests.conform.small_server import SmallServer


def expect_small_client_keeps(faults: ModuleType) -> None:
    """Check the rules that the faults of a module decide, as every kind of client."""
    checked = 0
    for profile in EVERY:
        rules = {fault.rule for fault in faults_of(profile) if fault.__module__ == faults.__name__}
        if rules:
            report = check_small_client(SmallClient, profile, rules)
            assert report.exit_code == 0, report.table()
            checked += len(report.findings)
    assert checked


def expect_small_server_keeps(checks: ModuleType, game: str = "replica") -> None:
    """Check the rules of a module."""
    rules = [rule for rule, check in CHECKS.items() if check.__module__ == checks.__name__]
    report = check_small_server(SmallServer, only=rules, game=game)
    assert report.exit_code == 0, report.table()
    assert [finding.rule for finding in report.findings if finding.rule in rules]
