"""Nothing happens without an entry in the audit log."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import LONGEST_REASON, ActionContext, AuditWriter
from tests.server.admin.conftest import Nodes


@pytest.mark.parametrize("reason", ["", "  ", "x" * (LONGEST_REASON + 1), "two\nlines"])
async def test_a_reason_is_needed(nodes: Nodes, reason: str) -> None:
    """An action without a readable reason is refused."""
    with pytest.raises(Refusal) as refused:
        await AuditWriter(nodes[0].store).write(ActionContext("nora", reason), "mute")
    assert refused.value.code is ErrorCode.TEXT_REFUSED
    assert await nodes[0].store.audit.newest(1) == []
