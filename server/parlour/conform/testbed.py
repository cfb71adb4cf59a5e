"""The environment of the checks of a server: opens connections, and finds and keeps a table."""

from __future__ import annotations

import asyncio
from random import Random

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from parlour.conform.probe import NotReached, Observations, Probe, RuleBroken, needs
from parlour.conform.table import Table
from parlour.protocol import messages as wire
from parlour.protocol.codec import Codec
from parlour.protocol.types import Terms


class ServerTestbed:
    """One run of all checks with one subprotocol."""

    def __init__(self, url: str, codec: Codec, game: str, timeout: float, seed: object = 0) -> None:
        self.url = url
        self.codec = codec
        self.terms = Terms(game)
        self.observations = Observations()
        self.rng = Random(str(seed))
        self.timeout = timeout
        self._probes: list[Probe] = []
        self._table: Table | None = None

    # -- connections

    async def open(self, codec: Codec | None = None) -> Probe:
        """Return a new connection, before hello."""
        codec = codec or self.codec
        try:
            socket = await connect(
                self.url, subprotocols=[Subprotocol(codec.subprotocol)], open_timeout=self.timeout, compression=None,
                close_timeout=1, max_size=None, ping_interval=None,
            )  # fmt: skip
        except (OSError, InvalidHandshake, InvalidURI) as fault:
            raise NotReached(f"no connection: {str(fault) or type(fault).__name__}") from None
        probe = Probe(socket, codec, self.observations, self.timeout)
        self._probes.append(probe)
        return probe

    async def guest(self, codec: Codec | None = None) -> Probe:
        """Return a new connection, after welcome."""
        probe = await self.open(codec)
        await needs(probe.hello())
        return probe

    async def again(self, before: Probe, *rooms: wire.Cursor, choices: bool = True) -> Probe:
        """Cut a connection and return a new one for the same session, which has these cursors."""
        await before.cut()
        probe = await self.open()
        probe.replicas, probe.ids = before.replicas, before.ids
        await needs(probe.hello(before.token, rooms, choices=choices, session=before.session_id))
        return probe

    async def twin(self, other: Probe) -> Probe:
        """Return another connection of the same player, with a session and command ids of its own."""
        probe = await self.open()
        await needs(probe.hello(other.token))
        return probe

    # -- tables

    async def table(self) -> Table:
        """Return a table whose game has just begun. Earlier checks may have used it."""
        if self._table is None or not self._table.young:
            await self.leave()
            self._table = await self.new_table()
        return self._table

    async def leave(self) -> None:
        """Leave the table that is kept for other checks."""
        table, self._table = self._table, None
        if table is not None:
            await table.close()

    async def new_table(self) -> Table:
        """Return a new table, at which this player has not moved yet."""
        return await needs(self._sit_down())

    async def _sit_down(self) -> Table:
        me, paired, other = await self.pair()
        for probe in (me, other):
            if probe is not None:
                answer = await probe.ask(wire.Join(id=0, room=paired.room))
                if not isinstance(answer, wire.Room):
                    raise RuleBroken(f"join was answered by {answer}")
        return Table(paired.room, me, paired.seat, other, self.rng)

    async def pair(self) -> tuple[Probe, wire.Paired, Probe | None]:
        """Get paired with a second guest of the kit, or with an opponent of the server's, which is None."""
        me = await self.guest()
        await self._queue(me)
        await me.settle()
        at_once = me.since(0, wire.Paired)
        if at_once:
            return me, at_once[0], None
        other = await self.guest()
        await self._queue(other)
        mine = await me.wait(wire.Paired, 0, "paired")
        others = await other.wait(wire.Paired, 0, "paired")
        if mine.room == others.room:
            return me, mine, other
        await other.ask(wire.Join(id=0, room=others.room))
        await other.ask(wire.Resign(id=0, room=others.room))
        return me, mine, None

    async def _queue(self, probe: Probe) -> None:
        answer = await probe.ask(wire.Queue(id=0, terms=self.terms))
        if not isinstance(answer, wire.Ok):
            raise RuleBroken(f"queue was answered by {answer}")

    # -- the end

    async def close(self) -> None:
        await self.leave()
        await asyncio.gather(*(probe.close() for probe in self._probes))
