"""The faults in `updates`, against the example client."""

from __future__ import annotations

import sys
from pathlib import Path

from parlour.conform.client_check import FAULTS, check_client
from parlour.conform.client_faults import updates

EXAMPLE = str(Path(__file__).parents[3] / "docs" / "clients" / "random_player.py")
LIMIT = 60.0  # seconds for one game, generous enough for a busy machine
OWN = [fault for fault in FAULTS if fault.__module__ == updates.__name__]


def test_these_faults_are_injected() -> None:
    """The faults in this module are part of the client check."""
    assert updates.LostUpdate in OWN
    assert updates.LostUpdate.rule == "asks-for-missed"


async def test_the_example_client_copes() -> None:
    """The example client keeps every rule that these faults decide; test_broken_clients.py covers other clients."""
    report = await check_client([sys.executable, EXAMPLE], only={fault.rule for fault in OWN}, limit=LIMIT)
    assert report.exit_code == 0, report.table()
