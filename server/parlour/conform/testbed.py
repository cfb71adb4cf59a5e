"""The environment of the checks of a server: opens connections, and finds and keeps a table."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Literal, NamedTuple

from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from parlour.conform.frames import Transcript
from parlour.conform.probe import NotReached, Observations, Probe, RuleBroken, needs, supported
from parlour.conform.table import Table
from parlour.protocol import messages as wire
from parlour.protocol.codec import Codec
from parlour.protocol.types import Terms

COMES_BACK = 60.0  # seconds for a server to start

Restart = Callable[[], Awaitable[None]]


class Account(NamedTuple):
    """An account at the server, and the connection that registered it."""

    probe: Probe
    answer: wire.SignedIn
    name: str
    password: str


class ServerTestbed:
    """One run of all checks with one subprotocol."""

    def __init__(
        self, url: str, codec: Codec, game: str, timeout: float, seed: object = 0, restart: Restart | None = None
    ) -> None:
        self.url = url
        self.codec = codec
        self.terms = Terms(game)
        self.observations = Observations()
        self.rng = Random(str(seed))
        self.timeout = timeout
        self.restart = restart
        self.transcript = Transcript(time.monotonic)
        self._account: Account | None = None
        self._probes: list[Probe] = []
        self._table: Table | None = None

    # -- connections

    async def open(self, codec: Codec | None = None) -> Probe:
        """Return a new connection, before hello."""
        codec = codec or self.codec
        try:
            socket = await _connect(self.url, [Subprotocol(codec.subprotocol)], self.timeout)
        except (OSError, InvalidHandshake, InvalidURI) as fault:
            raise NotReached(f"no connection: {str(fault) or type(fault).__name__}") from None
        probe = Probe(socket, codec, self.observations, self.timeout, self.transcript, len(self._probes) + 1)
        self._probes.append(probe)
        self.transcript.add(probe.number, "kit", "a connection is opened")
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

    async def returned(self, before: Probe) -> Probe:
        """Return a new connection for the session of one that the server has lost; wait until the server is back."""
        deadline = asyncio.get_running_loop().time() + COMES_BACK
        while True:
            try:
                probe = await self.open()
                cursors = tuple(replica.cursor for replica in before.replicas.values())
                probe.replicas, probe.ids = before.replicas, before.ids
                await probe.hello(before.token, cursors, session=before.session_id)
            except (NotReached, RuleBroken) as why:
                if asyncio.get_running_loop().time() >= deadline:
                    raise RuleBroken(f"the server did not come back within {COMES_BACK:g} s: {why}") from None
                await asyncio.sleep(0.2)
            else:
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

    async def meet(self, terms: Terms | None = None, seat: Literal["any", "first", "second"] = "any") -> Table:
        """Return a new table of two guests of the kit, who met by a seek. The first one created it."""
        return await needs(self._meet(terms or self.terms, seat))

    async def _meet(self, terms: Terms, seat: Literal["any", "first", "second"]) -> Table:
        me, other = await self.guest(), await self.guest()
        posted = supported(await me.ask(wire.Seek(id=0, terms=terms, seat=seat)), "seeks")
        if not isinstance(posted, wire.Ok) or posted.seek is None:
            raise RuleBroken(f"seek was answered by {posted}")
        accepted = await other.ask(wire.Accept(id=0, seek=posted.seek))
        if not isinstance(accepted, wire.Ok) or accepted.room is None:
            raise RuleBroken(f"accept was answered by {accepted}")
        return await self.sit_down(accepted.room, me, other)

    async def sit_down(self, room: str, me: Probe, other: Probe | None) -> Table:
        """Let the players of a room join it."""
        for probe in (me, other):
            if probe is not None:
                answer = await probe.ask(wire.Join(id=0, room=room))
                if not isinstance(answer, wire.Room):
                    raise RuleBroken(f"join was answered by {answer}")
        seat = me.replicas[room].seat
        if seat is None:
            raise RuleBroken(f"a player of {room} has no seat in it")
        return Table(room, me, seat, other, self.rng)

    async def account(self) -> Account:
        """Return an account, which several checks use."""
        if self._account is None:
            probe = await self.guest()
            name, password = f"Kit{secrets.token_hex(5)}", secrets.token_hex(12)
            answer = supported(await probe.ask(wire.Register(id=0, name=name, password=password)), "accounts")
            if not isinstance(answer, wire.SignedIn):
                raise NotReached(f"register was answered by {answer}")
            self._account = Account(probe, answer, name, password)
        return self._account

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


async def _connect(url: str, subprotocols: list[Subprotocol], timeout: float) -> ClientConnection:
    """Open a WebSocket; a URL `unix:PATH` is that of a Unix socket."""
    options: dict[str, Any] = {
        "subprotocols": subprotocols, "open_timeout": timeout, "compression": None, "close_timeout": 1,
        "max_size": None, "ping_interval": None,
    }  # fmt: skip
    if url.startswith("unix:"):
        return await unix_connect(url[5:], "ws://localhost/ws", **options)
    return await connect(url, **options)
