"""The audit log as actions write it: every action leaves an entry that says who acted and why."""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store.audit import AuditEntry
from parlour.server.store.store import Store

LONGEST_REASON = 500  # characters


class ActionContext(Struct, frozen=True):
    """An operator and the reason for an action. Players read the reasons that concern them."""

    operator: str
    reason: str


class AuditWriter:
    """Writes the audit log. An entry is written before its action, so no action goes unrecorded."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def write(
        self, context: ActionContext, action: str, target: str = "", *, player: str = "", detail: str = ""
    ) -> None:
        """Add an entry. Refuse one without a reason."""
        if not context.reason.strip() or len(context.reason) > LONGEST_REASON or not context.reason.isprintable():
            sentence = f"Give a reason of up to {LONGEST_REASON} characters, in one line."
            raise Refusal(ErrorCode.TEXT_REFUSED, sentence)
        await self._store.audit.append(
            AuditEntry(
                operator=context.operator,
                action=action,
                target=target,
                player=player,
                reason=context.reason,
                detail=detail,
                at=self._store.clock.now(),
            )
        )
