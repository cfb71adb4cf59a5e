"""Nothing happens without an entry in the audit log."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audited import LONGEST_REASON, Audited, Order
from tests.server.admin.conftest import Nodes


@pytest.mark.parametrize("reason", ["", "  ", "x" * (LONGEST_REASON + 1), "two\nlines"])
async def test_a_reason_is_needed(nodes: Nodes, reason: str) -> None:
    """An order without a readable reason is refused."""
    with pytest.raises(Refusal) as refused:
        await Audited(nodes[0].store).write(Order("nora", reason), "mute")
    assert refused.value.code is ErrorCode.TEXT_REFUSED
    assert await nodes[0].store.audit.newest(1) == []
