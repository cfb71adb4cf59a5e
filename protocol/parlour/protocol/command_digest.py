"""Tells a command that is sent again from a different one with the same id."""

from __future__ import annotations

from zlib import crc32

from msgspec.msgpack import Encoder

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Command

# Clients may write the keys of a map in another order when they send a command again.
_encode = Encoder(order="deterministic").encode


def command_digest(command: Command) -> int:
    """Return a short digest of a command, the same in every process and for both subprotocols.

    It guards against mistakes of clients, not against attacks. Never store that of a command with a password.
    """
    return crc32(_encode(command))


def id_reused() -> Refusal:
    """Return the refusal of a command whose id its session has used for another command."""
    return Refusal(ErrorCode.ID_REUSED, "You have used this id for another command. Use a new id for each command.")
