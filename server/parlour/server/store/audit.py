"""The audit log: the actions of operators, in order. Parlour never changes or removes an entry."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from parlour.server.store.pipeline import Pipeline

MAX_ENTRIES = 1_000_000  # about 200 MB; the oldest ones are dropped then


class AuditEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One action of an operator."""

    operator: str
    action: str  # suspend, announce, …
    target: str = ""  # a room or a node; of a player, the name at the time of reading, which is not stored
    player: str = ""  # the id of a player
    reason: str = ""
    detail: str = ""  # until when, the new name, …
    at: int = 0  # milliseconds since 1970
    id: str = ""  # assigned by the store


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AuditEntry).decode


class AuditLog:
    """The audit log of the deployment. The coroutines raise StoreUnavailable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._key = pipeline.keys.audit

    async def append(self, entry: AuditEntry) -> None:
        """Add an entry at the end."""
        command = (b"XADD", self._key, b"MAXLEN", b"~", MAX_ENTRIES, b"*", b"entry", encode(entry))
        await self._pipeline.call(*command)

    async def newest(self, count: int, before: str = "") -> list[AuditEntry]:
        """Return some entries, newest first; with `before`, those older than that entry."""
        end = f"({before}" if before else "+"
        found = await self._pipeline.call(b"XREVRANGE", self._key, end, b"-", b"COUNT", count)
        return [msgspec.structs.replace(decode(fields[1]), id=id.decode()) for id, fields in found]

    async def about(self, player: str, count: int) -> list[AuditEntry]:
        """Return the newest entries about a player, by id, newest first."""
        entries: list[AuditEntry] = []
        before = ""
        while page := await self.newest(1000, before):
            entries += [entry for entry in page if entry.player == player]
            if len(entries) >= count:
                break
            before = page[-1].id
        return entries[:count]
