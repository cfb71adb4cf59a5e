"""Refuses a command whose id the session has used for a different one, on any node."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from parlour.protocol.command_digest import command_digest, id_reused
from parlour.protocol.messages import Command
from parlour.server.sessions.session import Session
from parlour.server.store.command_ids import CommandIdStore

Handler = Callable[[Session, Any], Coroutine[Any, Any, None]]


def with_claimed_id(command_ids: CommandIdStore, handler: Handler) -> Handler:
    """Return a handler that first claims the command's id.

    For commands that create something outside of a room and carry no password. Commands of a room are in its log.
    """

    async def handle(session: Session, command: Command) -> None:
        if not await command_ids.claim(session.player, session.session_id, command.id, command_digest(command)):
            raise id_reused()
        await handler(session, command)

    return handle
