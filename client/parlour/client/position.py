"""What a bot is asked about: a position in which it is to move, as it was at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from parlour.client import clocks
from parlour.client.turn import Turn
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.tables import Clock, OptionValue, Player, TimeLeft

if TYPE_CHECKING:
    from parlour.client.table import Table

P = ParamSpec("P")
R = TypeVar("R")


class Position:
    """Everything that is known; nothing here changes when the game goes on."""

    def __init__(self, table: Table, turn: Turn, start: str | None = None) -> None:
        seat = table.seat
        assert seat is not None, "a watcher is never to move"
        self.room = table.room
        self.game = table.terms.game  # its key: "replica"
        self.options: Mapping[str, OptionValue] = table.terms.options  # complete, with the seed where there is one
        self.start = start  # the position in which the game began, if not the game's own beginning
        self.moves = tuple(table.moves)  # made since then, as text
        self.seat = seat  # yours: 0 or 1
        self.board: BoardSpec = table.board
        self.scene: Scene = table.scene
        self.opponent: Player | None = table.opponent
        self.rated = table.terms.rated
        self.clock: Clock = table.terms.clock
        self.time_left: TimeLeft | None = table.time_left(seat)  # yours; None without a time limit
        self.their_time_left: TimeLeft | None = table.time_left(1 - seat)
        self.turn = turn  # nothing is picked yet; walk it with `pick`
        self._table = table
        self._loop = asyncio.get_running_loop()

    @property
    def seconds(self) -> float | None:
        """How long to think, so that the time lasts for the whole game; None: as long as you like."""
        milliseconds = clocks.advisable(self.clock, self.time_left)
        return None if milliseconds is None else milliseconds / 1000

    # -- what can be played

    def legal(self) -> list[Turn]:
        """Every whole turn that may be made. There can be thousands; see `random` for one of them.

        For `choose` as a plain function, which runs in a thread of its own; an async one has `legal_async`.
        """
        return self._wait(self.legal_async)

    def random(self, chance: Random | None = None) -> Turn:
        """A whole turn, by chance at each pick. For `choose` as a plain function."""
        return self._wait(self.random_async, chance)

    def explore(self, turn: Turn) -> Turn:
        """The same turn with what may be picked next, where `turn.unexplored`. For `choose` as a plain function."""
        return self._wait(self.explore_async, turn)

    async def legal_async(self) -> list[Turn]:
        """Every whole turn that may be made."""
        found, left = list[Turn](), [(self.turn, True)]
        while left:
            turn, is_new = left.pop()
            if turn.complete:
                found.append(turn)
                continue
            # Where much is cut, one question here brings what would be many questions further on.
            turn = await self._table.explore(turn, further=turn.cuts > 1 and not is_new)
            left += [(follower, False) for follower in reversed(turn.followers())]
        return found

    async def random_async(self, chance: Random | None = None) -> Turn:
        """A whole turn, by chance at each pick."""
        turn = self.turn
        while not turn.complete:
            turn = (chance or Random()).choice((await self._table.explore(turn)).followers())
        return turn

    async def explore_async(self, turn: Turn) -> Turn:
        """The same turn with what may be picked next, where `turn.unexplored`."""
        return await self._table.explore(turn)

    def _wait(self, asked: Callable[P, Coroutine[object, object, R]], *given: P.args, **named: P.kwargs) -> R:
        """Have something done by the loop that has the connection, from a thread beside it."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is self._loop:
            raise RuntimeError(f"in an async function, await {getattr(asked, '__name__', asked)} instead")
        return asyncio.run_coroutine_threadsafe(asked(*given, **named), self._loop).result()
