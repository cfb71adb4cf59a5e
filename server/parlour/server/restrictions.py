"""Suspensions and mutes: their end, their reason, and the refusals that tell players about them."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal


class Restriction(Struct, frozen=True):
    """A suspension or a mute."""

    until: int  # milliseconds since 1970; 0: for good
    reason: str = ""  # as the player reads it

    def holds_at(self, now: int) -> bool:
        """Return whether it is still in force."""
        return self.until == 0 or now < self.until


def suspended(restriction: Restriction) -> Refusal:
    """Return the answer to a suspended or banned player."""
    if restriction.until == 0:
        return Refusal(ErrorCode.BANNED, f"You are banned from this server.{_reason(restriction)}")
    sentence = f"You are suspended until {moment(restriction.until)}.{_reason(restriction)}"
    return Refusal(ErrorCode.SUSPENDED, sentence)


def muted(restriction: Restriction) -> Refusal:
    """Return the answer to a player who may not chat."""
    until = f" until {moment(restriction.until)}" if restriction.until else ""
    return Refusal(ErrorCode.MUTED, f"You cannot chat{until}.{_reason(restriction)}")


def moment(time: int) -> str:
    """Return a time in milliseconds since 1970 as text, such as `3 May 2027, 14:05 UTC`."""
    at = datetime.fromtimestamp(time / 1000, UTC)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"


def _reason(restriction: Restriction) -> str:
    return f" Reason: {restriction.reason}" if restriction.reason else ""
