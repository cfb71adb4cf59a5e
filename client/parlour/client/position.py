"""The position that a bot is asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from parlour.client import clocks
from parlour.client.turn import Turn
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Clock, OptionValue, Player, TimeLeft

if TYPE_CHECKING:
    from parlour.client.table import Table

P = ParamSpec("P")
R = TypeVar("R")


class Position:
    """A snapshot of a table at which the bot is to move. It does not change when the game goes on."""

    def __init__(self, table: Table, turn: Turn, start: str | None = None) -> None:
        seat = table.seat
        assert seat is not None, "a spectator is never to move"
        self.room: str = table.room  # its id
        self.game: str = table.terms.game  # its key: "replica"
        self.options: Mapping[str, OptionValue] = table.terms.options  # all of them, including the seed if there is one
        self.start = start  # the first position, if it is not the game's usual one
        self.moves: tuple[str, ...] = tuple(table.moves)  # since `start`, in the game's notation
        self.seat: int = seat  # yours: 0 or 1
        self.board: BoardSpec = table.board  # its fixed parts
        self.scene: Scene = table.scene  # its contents
        self.opponent: Player | None = table.opponent
        self.rated: bool = table.terms.rated  # whether the game changes ratings
        self.clock: Clock = table.terms.clock  # the time control
        self.time_left: TimeLeft | None = table.time_left(seat)  # in milliseconds; None without a limit
        self.opponent_time_left: TimeLeft | None = table.time_left(1 - seat)
        self.turn = turn  # nothing is picked yet; use `pick`
        self._table = table
        self._loop = asyncio.get_running_loop()

    def __repr__(self) -> str:
        return f"<Position {self.room}: {self.game}, seat {self.seat}, move {len(self.moves)}>"

    @property
    def seconds(self) -> float | None:
        """The seconds to think so that the time lasts for the whole game; None without a time limit."""
        milliseconds = clocks.thinking_time(self.clock, self.time_left)
        return None if milliseconds is None else milliseconds / 1000

    # -- legal turns

    def legal_turns(self) -> list[Turn]:
        """Return every legal turn. There can be thousands; `random_turn` finds one without listing them all.

        Call it from a plain `choose`, which runs in a separate thread; an async one awaits `legal_turns_async`.
        """
        return self._wait(self.legal_turns_async)

    def random_turn(self, rng: Random | None = None) -> Turn:
        """Return a legal turn, choosing each pick at random. For a plain `choose`."""
        return self._wait(self.random_turn_async, rng)

    def explore(self, turn: Turn) -> Turn:
        """Return the turn with its next picks filled in, if it is `unexplored`. For a plain `choose`."""
        return self._wait(self.explore_async, turn)

    async def legal_turns_async(self) -> list[Turn]:
        """Return every legal turn."""
        found, stack = list[Turn](), [(self.turn, True)]
        while stack:
            turn, is_root = stack.pop()
            if turn.complete:
                found.append(turn)
                continue
            # Where several branches are truncated, one request here saves a request for each of them.
            turn = await self._table.explore(turn, deeper=turn.truncations > 1 and not is_root)
            stack += [(child, False) for child in reversed(turn.children())]
        return found

    async def random_turn_async(self, rng: Random | None = None) -> Turn:
        """Return a legal turn, choosing each pick at random."""
        turn = self.turn
        while not turn.complete:
            turn = (rng or Random()).choice((await self._table.explore(turn)).children())
        return turn

    async def explore_async(self, turn: Turn) -> Turn:
        """Return the turn with its next picks filled in, if it is `unexplored`."""
        return await self._table.explore(turn)

    def _wait(self, function: Callable[P, Coroutine[object, object, R]], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run a coroutine on the connection's loop, from another thread, and return its result."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is self._loop:
            raise RuntimeError(f"in an async function, await {getattr(function, '__name__', function)} instead")
        return asyncio.run_coroutine_threadsafe(function(*args, **kwargs), self._loop).result()
