"""Moderation by a player: block, mute and report other players."""

from __future__ import annotations

from parlour.client.connection import Connection
from parlour.protocol.messages import Block, BlockList, GetBlockList, Mute, Ok, Report, ReportReason


class Moderation:
    """The player's own decisions about other players."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def block(self, name: str, *, on: bool = True) -> None:
        """Block or unblock a player.

        You are not paired with a blocked player, and cannot invite or chat with each other.
        """
        await self._connection.ask(Block(id=0, name=name, on=on), Ok)

    async def mute(self, name: str, *, on: bool = True) -> None:
        """Mute or unmute a player: the chat of a muted one is hidden."""
        await self._connection.ask(Mute(id=0, name=name, on=on), Ok)

    async def block_list(self) -> BlockList:
        """Return the names of the players who are blocked and muted."""
        return await self._connection.ask(GetBlockList(id=0), BlockList)

    async def report(self, name: str, reason: ReportReason, text: str = "", room: str | None = None) -> None:
        """Report a player to the operator, because of a game if `room` is given."""
        await self._connection.ask(Report(id=0, name=name, reason=reason, text=text, room=room), Ok)
