"""What limited tokens allow."""

from __future__ import annotations

from typing import get_args

import pytest

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    ClientMessage,
    CreateBot,
    CreateToken,
    GetRecord,
    Play,
    Queue,
    Register,
    Scope,
    SignOut,
)
from parlour.server.sessions.scopes import PUBLIC, SCOPES, scope_refusal


def test_a_scope_allows_its_messages() -> None:
    """And those that need none."""
    assert scope_refusal(frozenset({"play"}), Play) is None
    assert scope_refusal(frozenset({"play"}), GetRecord) is None
    assert scope_refusal(frozenset({"challenge"}), SignOut) is None
    refusal = scope_refusal(frozenset({"play", "read"}), Queue)
    assert refusal is not None
    assert refusal.code == ErrorCode.SCOPE_MISSING
    assert "“challenge”" in refusal.sentence


@pytest.mark.parametrize("kind", [Register, CreateBot, CreateToken])
def test_no_scope_allows_to_change_the_account(kind: type) -> None:
    """Not even all of them together."""
    assert scope_refusal(frozenset(get_args(Scope)), kind) is not None


def test_a_message_needs_at_most_one_scope() -> None:
    """What is public needs none."""
    assert not PUBLIC & SCOPES.keys()
    assert PUBLIC | SCOPES.keys() < set(get_args(ClientMessage))
    assert set(SCOPES.values()) == set(get_args(Scope))
