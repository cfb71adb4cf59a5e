"""A table at the server under test, and how to play there without knowing the rules."""

from __future__ import annotations

import contextlib
from random import Random

from parlour.conform.probe import Probe, RuleBroken, TooShort
from parlour.protocol import messages as wire
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Pick

# Several checks share a table until this many moves have been played.
YOUNG = 12


class Table:
    """A room in which the kit has one seat or both."""

    def __init__(self, room: str, me: Probe, seat: int, other: Probe | None, rng: Random) -> None:
        self.room = room
        self.me = me
        self.seat = seat
        self.other = other  # None: the server's own opponent has the other seat
        self._rng = rng

    @property
    def replica(self) -> RoomReplica:
        return self.me.replicas[self.room]

    @property
    def young(self) -> bool:
        return self.replica.status == "playing" and len(self.replica.moves) < YOUNG

    async def turn(self) -> wire.Choices:
        """Play until it is the kit's turn. Return the choices."""
        while self.replica.scene.to_move != self.seat:
            if self.replica.result is not None or self.replica.scene.to_move is None:
                raise TooShort("the game ended too early")
            await self.others_turn()
        return await self.choices(self.me)

    async def others_turn(self) -> None:
        """Let the other player move, and wait for the update."""
        ply = len(self.replica.moves)
        if self.other is not None:
            await self.play(self.other, await self.choices(self.other))
        await self.beyond(ply)

    async def beyond(self, ply: int) -> None:
        """Wait until the turn at this ply has been played."""
        await self.me.until(lambda: len(self.replica.moves) > ply, f"the turn at ply {ply}")

    async def choices(self, probe: Probe) -> wire.Choices:
        """Return the choices for the current position, and wait for them if necessary."""
        replica = probe.replicas[self.room]

        def came() -> bool:
            # The other player's move may arrive meanwhile, so the ply is looked up each time.
            return self.room in probe.choices and probe.choices[self.room].ply == len(replica.moves)

        await probe.until(came, f"choices for ply {len(replica.moves)} or later")
        return probe.choices[self.room]

    async def walk(self, probe: Probe, choices: wire.Choices) -> tuple[int, ...]:
        """Return a random turn from the choices. Explore where they are cut."""
        picks = choices.picks
        while True:
            pick = self._rng.choice(choices.step.picks)
            place, then, more = (pick.place, pick.then, pick.more) if isinstance(pick, Pick) else (pick, None, False)
            picks = (*picks, place)
            if more:
                choices = await probe.ask(wire.Explore(id=0, room=self.room, ply=choices.ply, picks=picks))
                if not isinstance(choices, wire.Choices):
                    raise RuleBroken(f"explore of a pick that has more was answered by {choices}")
            elif then is not None:
                choices = wire.Choices(room=self.room, ply=choices.ply, step=then, prompts=choices.prompts)
            else:
                return picks

    async def play(self, probe: Probe, choices: wire.Choices) -> wire.Moved:
        """Play any turn from the choices. Raise RuleBroken unless it is accepted and sent as an update."""
        picks = await self.walk(probe, choices)
        mark = probe.mark()
        answer = await probe.ask(wire.Play(id=0, room=self.room, ply=choices.ply, picks=picks))
        if not isinstance(answer, wire.Ok):
            raise RuleBroken(f"a turn from the choices was answered by {answer}")
        return await probe.wait(wire.Moved, mark, "moved", lambda moved: moved.room == self.room)

    async def close(self) -> None:
        """Resign and close the connections, so that an opponent does not have to wait."""
        with contextlib.suppress(RuleBroken):
            if self.replica.result is None:
                await self.me.ask(wire.Resign(id=0, room=self.room))
        for probe in (self.me, self.other):
            if probe is not None:
                await probe.close()
