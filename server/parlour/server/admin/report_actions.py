"""Players' reports, as operators see and handle them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.store.players import StoredPlayer
from parlour.server.store.reports import Handled
from parlour.server.store.store import Store


class NamedPlayer(Struct, frozen=True):
    """A player with the current name."""

    id: str
    name: str


class ReportRow(Struct, frozen=True):
    """A report. Times are in milliseconds since 1970."""

    id: str
    at: int
    author: NamedPlayer
    player: NamedPlayer
    reason: str
    text: str
    room: str  # empty: the report is not about a game
    chat: Sequence[str]  # what the reported player said there
    handled: Handled | None


class ReportActions:
    """Lists and handles reports. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(self, store: Store, audit: AuditWriter) -> None:
        self._store = store
        self._audit = audit

    async def list(self, *, handled: bool) -> list[ReportRow]:
        """Return the open reports, or all, newest first."""
        found = await self._store.reports.newest(handled=handled)
        ids = sorted({id for report in found for id in (report.author, report.player)})
        players = dict(zip(ids, await self._store.players.get(ids), strict=True))
        return [
            ReportRow(
                id=report.id,
                at=report.at,
                author=_named(report.author, players),
                player=_named(report.player, players),
                reason=report.reason,
                text=report.text,
                room=report.room,
                chat=report.chat,
                handled=report.handled,
            )
            for report in found
        ]

    async def handle(self, context: ActionContext, id: str) -> None:
        """Mark a report as handled; the reason is the note, which no player reads."""
        report = await self._store.reports.get(id)
        if report is None:
            raise Refusal(ErrorCode.REPORT_UNKNOWN, f"There is no report with the id “{id}”. List the reports again.")
        await self._audit.write(context, "handle-report", player=report.player, detail=f"report {id}")
        await self._store.reports.handle(id, Handled(context.operator, context.reason, self._store.clock.now()))


def _named(id: str, players: dict[str, StoredPlayer | None]) -> NamedPlayer:
    player = players[id]
    return NamedPlayer(id, id if player is None else player.name)
