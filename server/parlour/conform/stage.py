"""Where the checks of a server take place: opens connections, finds a table, and keeps one to be used again."""

from __future__ import annotations

import asyncio
from random import Random

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from parlour.conform.probe import Always, Broken, NotReached, Probe, needs
from parlour.conform.table import Table
from parlour.protocol import messages as wire
from parlour.protocol.codec import Codec
from parlour.protocol.tables import Terms


class Stage:
    """One run of all checks in one form of the wire."""

    def __init__(self, url: str, codec: Codec, game: str, patience: float, seed: object = 0) -> None:
        self.url = url
        self.codec = codec
        self.terms = Terms(game)
        self.always = Always()
        self.rng = Random(str(seed))
        self.patience = patience
        self._probes: list[Probe] = []
        self._table: Table | None = None

    # -- connections

    async def open(self, codec: Codec | None = None) -> Probe:
        """A new connection, before hello."""
        codec = codec or self.codec
        try:
            socket = await connect(
                self.url, subprotocols=[Subprotocol(codec.subprotocol)], open_timeout=self.patience, compression=None,
                close_timeout=1, max_size=None, ping_interval=None,
            )  # fmt: skip
        except (OSError, InvalidHandshake, InvalidURI) as fault:
            raise NotReached(f"no connection: {str(fault) or type(fault).__name__}") from None
        probe = Probe(socket, codec, self.always, self.patience)
        self._probes.append(probe)
        return probe

    async def guest(self, codec: Codec | None = None) -> Probe:
        """A connection that is past its welcome."""
        probe = await self.open(codec)
        await needs(probe.hello())
        return probe

    async def again(self, before: Probe, *rooms: wire.Standing, choices: bool = True) -> Probe:
        """Cut a connection and open another one for the same player, who knows these rooms."""
        await before.cut()
        probe = await self.open()
        probe.mirrors, probe.ids = before.mirrors, before.ids
        await needs(probe.hello(before.token, rooms, choices=choices))
        return probe

    # -- tables

    async def table(self) -> Table:
        """A table with a young game that others may have used before."""
        if self._table is None or not self._table.young:
            await self.leave()
            self._table = await self.new_table()
        return self._table

    async def leave(self) -> None:
        """Give up the kept table."""
        table, self._table = self._table, None
        if table is not None:
            await table.close()

    async def new_table(self) -> Table:
        """A table of one's own, at which we have not moved yet."""
        return await needs(self._sit_down())

    async def _sit_down(self) -> Table:
        me, paired, other = await self.pair()
        for probe in (me, other):
            if probe is not None:
                answer = await probe.ask(wire.Join(id=0, room=paired.room))
                if not isinstance(answer, wire.Room):
                    raise Broken(f"join was answered by {answer}")
        return Table(paired.room, me, paired.seat, other, self.rng)

    async def pair(self) -> tuple[Probe, wire.Paired, Probe | None]:
        """Be paired: with a second guest of ours, or with whomever the server has. The latter is None."""
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
            raise Broken(f"queue was answered by {answer}")

    # -- the end

    async def close(self) -> None:
        await self.leave()
        await asyncio.gather(*(probe.close() for probe in self._probes))
