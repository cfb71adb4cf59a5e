"""Players who wait in quick match, shown among the open seeks of the lobby."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from parlour.server.matchmaking.quick_match import QueueEntry, decode_payload
from parlour.server.matchmaking.seeks import StoredSeek, encode
from parlour.server.sessions.session import Session
from parlour.server.store.seeks import Owner, SeekStatus
from parlour.server.store.store import Store

PREFIX = "queue:"  # the ids of listed places in queues begin with it; no seek has such an id


class QueueListing:
    """Lists this node's places in queues.

    A listed place is only a notice: a player who accepts it joins the same queue, so a stale notice does no harm.
    Players who are paired within a second never appear.
    """

    def __init__(self, store: Store, owner_of: Callable[[Session], Owner]) -> None:
        self._seeks = store.seeks
        self._owner_of = owner_of
        self._listed: set[str] = set()

    async def refresh(self, entries: Mapping[str, QueueEntry]) -> None:
        """Replace the listed places with these, by ticket. Call this every second."""
        for ticket in self._listed - set(entries):
            self._listed.discard(ticket)
            await self._seeks.suspend(listed_id(ticket))  # the same ticket may come back after a reconnect
        renewed = sorted(self._listed)
        if renewed:
            statuses = await self._seeks.renew([listed_id(ticket) for ticket in renewed])
            lost = [ticket for ticket, status in zip(renewed, statuses, strict=True) if status is not SeekStatus.OPEN]
            self._listed.difference_update(lost)
        for ticket in set(entries) - self._listed:
            entry = entries.get(ticket)
            if entry is not None:  # it may have ended while another one was listed
                await self._list(ticket, entry)

    async def _list(self, ticket: str, entry: QueueEntry) -> None:
        host = decode_payload(entry.ticket.payload).participant
        data = encode(StoredSeek(host, entry.terms, {}, "any"))
        status = await self._seeks.post(listed_id(ticket), data, self._owner_of(entry.session))
        if status is SeekStatus.OPEN:  # otherwise the list is full, and the player waits without a notice
            self._listed.add(ticket)


def listed_id(ticket: str) -> str:
    """Return the id of a listed place in a queue."""
    return PREFIX + ticket


def is_listed_place(id: str) -> bool:
    """Return whether an id belongs to a place in a queue rather than to a seek."""
    return id.startswith(PREFIX)
