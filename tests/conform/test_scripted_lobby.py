"""The lobby of the scripted server."""

from __future__ import annotations

import pytest

from parlour.conform.scripted_lobby import Invitation, ScriptedLobby
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Terms


def test_seeks_are_listed_and_challenges_are_not() -> None:
    """The lobby has open seeks only, and every change of them counts."""
    lobby = ScriptedLobby()
    lobby.add(Invitation("seek-1", Terms("replica")))
    lobby.add(Invitation("challenge-1", Terms("replica"), is_challenge=True))
    assert [seek.seek for seek in lobby.whole().seeks] == ["seek-1"]
    assert lobby.n == 1
    lobby.remove("seek-1")
    assert lobby.whole().seeks == ()
    assert lobby.n == 2


@pytest.mark.parametrize(("id", "code"), [("seek-7", ErrorCode.SEEK_GONE), ("challenge-7", ErrorCode.INVITE_UNKNOWN)])
def test_what_is_not_there_cannot_be_removed(id: str, code: ErrorCode) -> None:
    """The refusal says what it was."""
    with pytest.raises(Refusal) as refused:
        ScriptedLobby().remove(id)
    assert refused.value.code is code
