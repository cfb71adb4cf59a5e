"""An operator's actions on nodes: announce, drain, resume."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.control import Announce, Control, Drain
from parlour.server.store.store import Store

LONGEST_TEXT = 500  # characters


class NodeActions:
    """Announces, and drains nodes. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(self, store: Store, control: Control, audit: AuditWriter) -> None:
        self._store = store
        self._control = control
        self._audit = audit

    async def announce(self, context: ActionContext, text: str) -> None:
        """Show a text to all connected players."""
        text = text.strip()
        if not text or len(text) > LONGEST_TEXT or not text.isprintable():
            sentence = f"Give a text of up to {LONGEST_TEXT} characters, in one line."
            raise Refusal(ErrorCode.TEXT_REFUSED, sentence)
        await self._audit.write(context, "announce", detail=text)
        self._control.send(Announce(text, self._store.clock.now()))

    async def drain(self, context: ActionContext, node: str) -> None:
        """Have a node accept no more clients, and send its clients to other nodes."""
        if len(self._find(node)) < 2:
            sentence = "This is the only node, and its players would have nowhere to go. Announce a stop instead."
            raise Refusal(ErrorCode.OPTION_INVALID, sentence)
        await self._audit.write(context, "drain", node)
        self._control.send(Drain(node, drains=True))

    async def resume(self, context: ActionContext, node: str) -> None:
        """Have a drained node serve clients again."""
        self._find(node)
        await self._audit.write(context, "resume", node)
        self._control.send(Drain(node, drains=False))

    def _find(self, node: str) -> list[str]:
        """Return all live nodes. Refuse a name that none of them has."""
        nodes = sorted(self._store.heartbeat.beats)
        if node not in nodes:
            raise Refusal(ErrorCode.OPTION_INVALID, f"There is no node “{node}”. The nodes are: {', '.join(nodes)}.")
        return nodes
