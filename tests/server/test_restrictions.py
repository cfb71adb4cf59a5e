"""How players are told what an operator has decided."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode
from parlour.server.restrictions import Restriction, moment, muted, suspended

NOON = 1_700_000_000_000


def test_a_restriction_ends() -> None:
    """It holds until its time, or for good."""
    assert Restriction(NOON).holds_at(NOON - 1)
    assert not Restriction(NOON).holds_at(NOON)
    assert Restriction(0).holds_at(NOON)


def test_the_player_reads_the_reason_and_the_date() -> None:
    """A ban has a code of its own, because it has no date."""
    refusal = suspended(Restriction(NOON, "Insults"))
    assert (refusal.code, refusal.sentence) == (
        ErrorCode.SUSPENDED,
        "You are suspended until 14 November 2023, 22:13 UTC. Reason: Insults",
    )
    refusal = suspended(Restriction(0, "Insults"))
    assert (refusal.code, refusal.sentence) == (ErrorCode.BANNED, "You are banned from this server. Reason: Insults")
    refusal = muted(Restriction(NOON))
    assert (refusal.code, refusal.sentence) == (ErrorCode.MUTED, f"You cannot chat until {moment(NOON)}.")
    assert muted(Restriction(0)).sentence == "You cannot chat."
