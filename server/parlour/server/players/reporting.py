"""Players report others to the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Message, Ok, Report
from parlour.server.players.blocking import find_other
from parlour.server.rooms.room import Room
from parlour.server.sessions.command_ids import Handler, with_claimed_id
from parlour.server.sessions.session import Session
from parlour.server.store.reports import MAX_OPEN, StoredReport
from parlour.server.store.store import Store

CHAT_LINES = 10  # of the reported player that are added to a report


class Reporting:
    """Answers `report`."""

    def __init__(
        self,
        store: Store,
        rooms: Mapping[str, Room],
        said_in_tournaments: Callable[[Session, str], tuple[str, ...]],
    ) -> None:
        """`rooms` are those open on this node.

        `said_in_tournaments` returns a player's recent chat in the tournaments that a session follows.
        """
        self._store = store
        self._rooms = rooms
        self._said_in_tournaments = said_in_tournaments
        self.handlers: dict[type[Message], Handler] = {Report: with_claimed_id(store.command_ids, self._report)}

    async def _report(self, session: Session, command: Report) -> None:
        if not command.text.isprintable():
            raise Refusal(ErrorCode.TEXT_REFUSED, "Describe what happened in one line, without special characters.")
        other = await find_other(self._store, session, command.name)
        report = StoredReport(
            author=session.player,
            player=other,
            reason=command.reason,
            at=self._store.clock.now(),
            text=command.text.strip(),
            room=command.room or "",
            chat=self._chat(session, command.room, other)[-CHAT_LINES:],
        )
        if not await self._store.reports.add(report):
            sentence = f"You have made {MAX_OPEN} reports that the operator has not read yet. Try again later."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)
        session.send(Ok(id=command.id))

    def _chat(self, session: Session, id: str | None, player: str) -> tuple[str, ...]:
        """Return a player's recent chat in a room that is open on this node, or without a room in tournaments."""
        if id is None:
            return self._said_in_tournaments(session, player)
        room = self._rooms.get(id)
        return () if room is None else room.chat.lines_of(player)
