"""A tournament that is open on this node. Any node can run it; its log keeps the nodes consistent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended, Entry, RoomLog, read_published
from parlour.server.store.tournaments import tournament_log
from parlour.tournaments.erasure import accounts
from parlour.tournaments.events import Created, Event
from parlour.tournaments.state import TournamentState, begin, evolve, fold

logger = logging.getLogger(__name__)

Decide = Callable[[TournamentState, int], list[Event]]  # raises Refusal

T = TypeVar("T")


class Compute(Protocol):
    """Runs a pure function in a thread."""

    async def __call__(self, work: Callable[[], T], /) -> T: ...


SNAPSHOT_EVERY = 256  # events

encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Event).decode
_decode_log = msgspec.msgpack.Decoder(list[Event]).decode


class Snapshot(msgspec.Struct, frozen=True):
    """A tournament after an event of its log."""

    state: TournamentState


_decode_snapshot = msgspec.msgpack.Decoder(Snapshot).decode


class Tournament:
    """The only place on this node where a tournament changes."""

    def __init__(self, id: str, log: RoomLog, now: Callable[[], int], state: TournamentState, seq: int) -> None:
        self.id = id
        self.state = state
        self.seq = seq  # the number of events
        self.on_change: Callable[[], None] = lambda: None
        self._name = tournament_log(id)
        self._log = log
        self._now = now
        self._lock = asyncio.Lock()
        self._snapshot_at = seq + SNAPSHOT_EVERY

    async def change(
        self, decide: Decide, *, check_at: int | None = None, compute: Compute | None = None
    ) -> list[Event]:
        """Decide, append and apply; decide again if another node was first.

        Return the events. `check_at` is when a node has to check the tournament if this one dies. With `compute`,
        another thread decides. Raise Refusal if the command is not allowed now, and StoreUnavailable if it is unknown
        whether the store has the events.
        """
        async with self._lock:
            while True:
                # Events of other nodes may arrive while another thread decides: then the append fails.
                first = self.seq + 1
                # The clocks of nodes differ a little, and a log is in order.
                work = partial(decide, self.state, max(self._now(), self.state.changed))
                events = work() if compute is None else await compute(work)
                if not events:
                    return []
                outcome = await self._append(first, [encode(event) for event in events], check_at)
                if outcome is Appended.OK:
                    self._apply(first, events)
                    await self._save_snapshot()
                    return events
                known = await self._catch_up()
                if outcome is Appended.UNKNOWN:
                    if [known.get(first + index) for index in range(len(events))] == events:
                        return events
                    raise StoreUnavailable("the store did not confirm what happened in a tournament")

    async def _append(self, first: int, entries: Sequence[bytes], check_at: int | None) -> Appended:
        outcome: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._log.append(self._name, first, entries, outcome.set_result, deadline=check_at)
        return await outcome

    def _apply(self, first: int, events: Sequence[Event]) -> None:
        for seq, event in enumerate(events, first):
            if seq == self.seq + 1:
                self.state, self.seq = evolve(self.state, event), seq
        self.on_change()

    async def _save_snapshot(self) -> None:
        if self.seq >= self._snapshot_at:
            self._snapshot_at = self.seq + SNAPSHOT_EVERY
            await self._log.save_snapshot(self._name, self.seq, encode(Snapshot(self.state)))

    # -- what other nodes have appended

    def receive(self, message: bytes) -> bool:
        """Apply published events; return whether some before them are missing."""
        first, entries, _ = read_published(message)
        if first > self.seq + 1:
            return True
        self._apply(first, [_decode(entry) for entry in entries])
        return False

    async def catch_up(self) -> None:
        """Read the log: messages from other nodes may have been missed."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> dict[int, Event]:
        entries = await self._log.tail(self._name, self.seq)
        known = {seq: _decode(entry) for seq, entry in entries}
        for seq, event in known.items():
            self._apply(seq, [event])
        return known


async def create(id: str, log: RoomLog, created: Sequence[Event], check_at: int | None) -> bool:
    """Begin the log of a tournament; return False if there is one already."""
    entries = [encode(event) for event in created]
    outcome = await log.create(tournament_log(id), entries, deadline=check_at)
    if outcome is Appended.UNKNOWN:
        raise StoreUnavailable("the store did not confirm a new tournament")
    return outcome is Appended.OK


class TournamentArchive(Protocol):
    """The logs of finished tournaments that are not in the store any more."""

    async def find(self, tournament: str) -> bytes | None: ...
    async def put(self, tournament: str, ended: int, log: bytes, players: Iterable[str] = ()) -> None: ...
    async def of(self, player: str) -> list[str]: ...


async def load(
    id: str, log: RoomLog, archive: TournamentArchive, now: Callable[[], int], compute: Compute = asyncio.to_thread
) -> Tournament | None:
    """Return a tournament as it is stored now, or as it was archived; None if there is none.

    `compute` runs slow parts in a thread.
    """
    stored = await log.load(tournament_log(id))
    if stored is None:
        events = await events_of(id, log, archive)
        return Tournament(id, log, now, await compute(partial(fold, events)), len(events)) if events else None
    if stored.snapshot is not None:
        try:
            seq, state = stored.snapshot[0], _decode_snapshot(stored.snapshot[1]).state
            return await compute(partial(_continued, id, log, now, state, seq, stored.entries))
        except msgspec.MsgspecError:  # written by another version of the server
            logger.warning("unreadable snapshot; replaying the full log", extra={"tournament": id})
    entries = await log.tail(tournament_log(id), 0)
    created = _decode(entries[0][1])
    assert isinstance(created, Created)
    return await compute(partial(_continued, id, log, now, begin(created), 1, entries[1:]))


def _continued(
    id: str, log: RoomLog, now: Callable[[], int], state: TournamentState, seq: int, entries: Sequence[Entry]
) -> Tournament:
    for number, entry in entries:
        state, seq = evolve(state, _decode(entry)), number
    return Tournament(id, log, now, state, seq)


async def events_of(id: str, log: RoomLog, archive: TournamentArchive) -> list[Event]:
    """Return the whole log of a tournament; empty if there is none."""
    entries = await log.tail(tournament_log(id), 0)
    if entries:
        return [_decode(entry) for _, entry in entries]
    # A log is deleted only when it is in the archive, so a tournament cannot be missed in between.
    archived = await archive.find(id)
    return [] if archived is None else _decode_log(archived)


async def put_away(
    tournament: Tournament,
    log: RoomLog,
    archive: TournamentArchive,
    without_deleted: Callable[[Sequence[Event]], Awaitable[list[Event]]],
    *,
    remove: bool,
) -> bool:
    """Archive a finished tournament, and remove its log; return whether nothing is left to do.

    `without_deleted` returns a log without the players who were deleted meanwhile.
    """
    events = [_decode(entry) for _, entry in await log.tail(tournament_log(tournament.id), 0)]
    if events:
        events = await without_deleted(events)
        await archive.put(tournament.id, tournament.state.changed, encode(events), accounts(events))
    return remove and await log.archive(tournament_log(tournament.id), tournament.seq)


def unknown(id: str) -> Refusal:
    """Return the answer to a command about a tournament that does not exist."""
    return Refusal(ErrorCode.TOURNAMENT_UNKNOWN, f"There is no tournament “{id}”.")
