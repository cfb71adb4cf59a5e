"""Where the checks of a server take place: opens connections, finds a table, and keeps one to be used again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from random import Random

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidURI
from websockets.typing import Subprotocol

from parlour.conform.probe import Always, Broken, NotReached, Probe
from parlour.protocol import messages as wire
from parlour.protocol.codec import Codec
from parlour.protocol.mirror import Mirror
from parlour.protocol.tables import Pick, Terms

# A table is used by several checks while its game is young.
YOUNG = 12


class Table:
    """A room in which we have one seat, or both."""

    def __init__(self, room: str, me: Probe, seat: int, other: Probe | None, rng: Random) -> None:
        self.room = room
        self.me = me
        self.seat = seat
        self.other = other  # None: somebody else's program plays the other seat
        self._rng = rng

    @property
    def mirror(self) -> Mirror:
        return self.me.mirrors[self.room]

    @property
    def young(self) -> bool:
        return self.mirror.status == "playing" and len(self.mirror.moves) < YOUNG

    async def turn(self) -> wire.Choices:
        """Play on until it is our turn, and give the choices."""
        while self.mirror.scene.to_move != self.seat:
            if self.mirror.result is not None or self.mirror.scene.to_move is None:
                raise NotReached("the game ended too early")
            ply = len(self.mirror.moves)
            mark = self.me.mark()
            if self.other is not None:
                await self.play(self.other, await self.choices(self.other))
            await self.me.wait(
                wire.Moved, mark - 1, "the other player's move", lambda _, ply=ply: len(self.mirror.moves) > ply
            )
        return await self.choices(self.me)

    async def choices(self, probe: Probe) -> wire.Choices:
        """The choices for the present position, which must have come or be on the way."""
        ply = len(probe.mirrors[self.room].moves)
        known = probe.choices.get(self.room)
        if known is not None and known.ply == ply:
            return known
        return await probe.wait(
            wire.Choices, probe.mark(), f"choices for ply {ply}", lambda found: found.id is None and found.ply == ply
        )

    async def walk(self, probe: Probe, choices: wire.Choices) -> tuple[int, ...]:
        """A whole turn, chosen at random from the choices; explores where they are cut."""
        picks = choices.picks
        while True:
            pick = self._rng.choice(choices.step.picks)
            place, then, more = (pick.place, pick.then, pick.more) if isinstance(pick, Pick) else (pick, None, False)
            picks = (*picks, place)
            if more:
                choices = await probe.ask(wire.Explore(id=0, room=self.room, ply=choices.ply, picks=picks))
                if not isinstance(choices, wire.Choices):
                    raise Broken(f"explore of a pick that has more was answered by {choices}")
            elif then is not None:
                choices = wire.Choices(room=self.room, ply=choices.ply, step=then, prompts=choices.prompts)
            else:
                return picks

    async def play(self, probe: Probe, choices: wire.Choices) -> wire.Ok:
        """Make any turn of the choices; broken unless it is accepted and reported."""
        mark = probe.mark()
        picks = await self.walk(probe, choices)
        answer = await probe.ask(wire.Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        if not isinstance(answer, wire.Ok):
            raise Broken(f"a turn from the choices was answered by {answer}")
        await probe.wait(wire.Moved, mark, "moved", lambda moved: moved.room == self.room and moved.seq == answer.seq)
        return answer

    async def close(self) -> None:
        """Leave politely, so that nobody waits for us."""
        with contextlib.suppress(Broken):
            if self.mirror.result is None:
                await self.me.ask(wire.Resign(id=0, room=self.room))
        for probe in (self.me, self.other):
            if probe is not None:
                await probe.close()


class Stage:
    """One run of all checks in one form of the wire."""

    def __init__(self, url: str, codec: Codec, game: str, patience: float, seed: object = 0) -> None:
        self.url = url
        self.codec = codec
        self.terms = Terms(game)
        self.always = Always()
        self.rng = Random(str(seed))
        self.patience = patience
        self._opponent = False  # whether the server pairs us with a program of its own
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
        except (OSError, InvalidHandshake, InvalidURI, TimeoutError) as fault:
            raise NotReached(f"no connection: {fault or type(fault).__name__}") from None
        probe = Probe(socket, codec, self.always, self.patience)
        self._probes.append(probe)
        return probe

    async def guest(self, codec: Codec | None = None) -> Probe:
        """A connection that is past its welcome."""
        probe = await self.open(codec)
        await needs(probe.hello())
        return probe

    async def again(self, before: Probe, rooms: tuple[wire.Standing, ...]) -> Probe:
        """A new connection of the same player, who knows the rooms up to there."""
        probe = await self.open()
        probe.mirrors = before.mirrors
        probe.succeed(before)
        await needs(probe.hello(before.token, rooms))
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
        """A table of one's own, at which nobody has moved for us yet."""
        return await needs(self._seat())

    async def _seat(self) -> Table:
        me = await self.guest()
        paired = await self._queue(me)
        other = None
        if paired is None:
            other = await self.guest()
            await self._queue(other)
            paired = await me.wait(wire.Paired, 0, "paired")
            others = await other.wait(wire.Paired, 0, "paired")
            if others.room != paired.room:
                self._opponent = True
                await Table(others.room, other, others.seat, None, self.rng).join_and_resign()
                other = None
        table = Table(paired.room, me, paired.seat, other, self.rng)
        for probe in (me, other):
            if probe is not None:
                answer = await probe.ask(wire.Join(id=0, room=paired.room))
                if not isinstance(answer, wire.Room):
                    raise Broken(f"join was answered by {answer}")
        return table

    async def _queue(self, probe: Probe) -> wire.Paired | None:
        """Queue; the pairing, if there was one at once."""
        answer = await probe.ask(wire.Queue(id=0, terms=self.terms))
        if not isinstance(answer, wire.Ok):
            raise Broken(f"queue was answered by {answer}")
        await probe.settle()
        return next(iter(probe.since(0, wire.Paired)), None)

    # -- the end

    async def close(self) -> None:
        await self.leave()
        await asyncio.gather(*(probe.close() for probe in self._probes))
