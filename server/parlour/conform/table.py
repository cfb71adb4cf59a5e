"""A table at the server under test, and how to play on at it without knowing any rules."""

from __future__ import annotations

import contextlib
from random import Random

from parlour.conform.probe import Broken, Probe, TooShort
from parlour.protocol import messages as wire
from parlour.protocol.mirror import Mirror
from parlour.protocol.tables import Pick

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
                raise TooShort("the game ended too early")
            await self.others_turn()
        return await self.choices(self.me)

    async def others_turn(self) -> None:
        """The other player moves, by our hand or not, and we are told."""
        ply = len(self.mirror.moves)
        if self.other is not None:
            await self.play(self.other, await self.choices(self.other))
        await self.beyond(ply)

    async def beyond(self, ply: int) -> None:
        """The turn at that ply is made, and we know it."""
        await self.me.until(lambda: len(self.mirror.moves) > ply, f"the turn at ply {ply}")

    async def choices(self, probe: Probe) -> wire.Choices:
        """The choices for the present position, which must have come or be on the way."""
        mirror = probe.mirrors[self.room]

        def came() -> bool:
            # The other player's turn may still be on its way to this one, so the ply is looked up each time.
            return self.room in probe.choices and probe.choices[self.room].ply == len(mirror.moves)

        await probe.until(came, f"choices for ply {len(mirror.moves)} or later")
        return probe.choices[self.room]

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

    async def play(self, probe: Probe, choices: wire.Choices) -> wire.Moved:
        """Make any turn of the choices; broken unless it is accepted and told."""
        picks = await self.walk(probe, choices)
        mark = probe.mark()
        answer = await probe.ask(wire.Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        if not isinstance(answer, wire.Ok):
            raise Broken(f"a turn from the choices was answered by {answer}")
        return await probe.wait(wire.Moved, mark, "moved", lambda moved: moved.room == self.room)

    async def close(self) -> None:
        """Leave politely, so that nobody waits for us."""
        with contextlib.suppress(Broken):
            if self.mirror.result is None:
                await self.me.ask(wire.Resign(id=0, room=self.room))
        for probe in (self.me, self.other):
            if probe is not None:
                await probe.close()
