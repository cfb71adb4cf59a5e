"""Reports by players are listed for operators, who mark them as handled."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Report
from parlour.server.admin.audit_writer import AuditWriter
from parlour.server.admin.player_actions import PlayerActions
from parlour.server.admin.report_actions import ReportActions
from tests.server.admin.conftest import ORDER, Nodes


async def test_a_report_is_listed_and_handled(nodes: Nodes, players: PlayerActions) -> None:
    """It has the current names; the note is in the audit log; deleting the player removes it."""
    north, south = nodes
    ann = await south.call(name="Ann")
    await south.call(name="Sedge")
    await ann.ask(Report(id=0, name="Sedge", reason="cheating", text="Uses a program", room="r1"))
    reports = ReportActions(north.store, AuditWriter(north.store))

    [row] = await reports.list(handled=False)
    assert (row.author.name, row.player.name, row.reason, row.room) == ("Ann", "Sedge", "cheating", "r1")
    await reports.handle(ORDER, row.id)

    assert await reports.list(handled=False) == []
    [row] = await reports.list(handled=True)
    assert row.handled is not None
    assert (row.handled.operator, row.handled.note) == (ORDER.operator, ORDER.reason)
    [entry] = await north.store.audit.newest(10)
    assert (entry.action, entry.player, entry.detail) == ("handle-report", row.player.id, f"report {row.id}")

    await players.delete(ORDER, "Sedge")
    assert await reports.list(handled=True) == []


async def test_an_unknown_report_is_refused(nodes: Nodes) -> None:
    """Nothing is written to the audit log then."""
    north, _ = nodes
    reports = ReportActions(north.store, AuditWriter(north.store))
    with pytest.raises(Refusal) as refused:
        await reports.handle(ORDER, "missing")
    assert refused.value.code is ErrorCode.REPORT_UNKNOWN
    assert await north.store.audit.newest(10) == []
