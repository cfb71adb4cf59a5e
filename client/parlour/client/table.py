"""A table at which you sit, or which you watch: what is on it, what happens there, and what you do."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace

from parlour.client import clocks
from parlour.client.connection import Connection
from parlour.client.stream import Listener, Stream
from parlour.client.turn import Turn
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Assess,
    Assessment,
    Choices,
    ChooseFirst,
    Claim,
    Command,
    Explore,
    Happened,
    Join,
    Leave,
    Moved,
    Offer,
    Ok,
    Play,
    Presence,
    Rated,
    Resign,
    Room,
    Said,
    Say,
)
from parlour.protocol.mirror import Mirror
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.tables import Chair, Player, Result, Terms, TimeLeft

# What can happen at a table; each is a message of the protocol. `Room`: look at everything anew.
Event = Room | Moved | Happened | Choices | Presence | Said | Rated

What = Literal["draw", "takeback", "rematch"]

LINES_KEPT = 200  # of the talk at a table


class Table:
    """Always as up to date as the connection allows; after a cut it catches up by itself.

    Iterate over it to hear what happens: each iteration begins with a `Room`, the table as it is then. It ends when
    the table is left, and raises what the connection has ended with if it comes to that.
    """

    def __init__(self, connection: Connection, room: str, left: Callable[[Table], None]) -> None:
        self.room = room
        self.presence: Presence | None = None  # who is here, as far as it was told
        self.talk: deque[Said] = deque(maxlen=LINES_KEPT)
        self.ratings: tuple[int, ...] = ()  # by seat after a rated game, once it was counted
        self._connection = connection
        self._left = left
        self._mirror: Mirror | None = None
        self._choices: Choices | None = None
        self._events: Stream[Event] = Stream()
        self._joining: asyncio.Task[None] | None = None
        self._turn_began = 0.0  # by the clock of the loop; for a clock that runs, when it was what the mirror has

    # -- what is on it

    @property
    def mirror(self) -> Mirror:
        """The room as it is known here."""
        known = self._connection.rooms.get(self.room, self._mirror)
        assert known is not None, "the table was not joined"
        self._mirror = known
        return known

    @property
    def terms(self) -> Terms:
        """The game, its options, complete, the clock, and whether it is rated."""
        return self.mirror.room.terms

    @property
    def board(self) -> BoardSpec:
        return self.mirror.room.board

    @property
    def scene(self) -> Scene:
        return self.mirror.scene

    @property
    def moves(self) -> Sequence[str]:
        """The moves so far, as text."""
        return self.mirror.moves

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return len(self.mirror.moves)

    @property
    def seat(self) -> int | None:
        """Yours; None: you watch."""
        return self.mirror.seat

    @property
    def chairs(self) -> Sequence[Chair]:
        return self.mirror.chairs

    @property
    def opponent(self) -> Player | None:
        """Who sits opposite you; None if you watch."""
        seat = self.seat
        return None if seat is None else self.chairs[1 - seat].player

    @property
    def status(self) -> str:
        """waiting, choosing (who moves first), playing or over."""
        return self.mirror.status

    @property
    def result(self) -> Result | None:
        return self.mirror.result

    @property
    def offers(self) -> set[tuple[int, str]]:
        """Open offers: the seat that made it, and what: draw, takeback or rematch."""
        return {(int(seat), what) for seat, _, what in (offer.partition(":") for offer in self.mirror.offers)}

    @property
    def next(self) -> str | None:
        """The room of the rematch, once there is one."""
        return self.mirror.next

    @property
    def turn(self) -> Turn | None:
        """The turn that you may make now, with nothing picked yet; None if you have none, or it was not told yet."""
        mirror, choices = self.mirror, self._choices
        if choices is None or mirror.status != "playing" or mirror.scene.to_move != mirror.seat:
            return None
        return Turn.begin(choices) if choices.ply == len(mirror.moves) else None

    def time_left(self, seat: int) -> TimeLeft | None:
        """The clock of a seat at this moment; None without a time limit."""
        mirror = self.mirror
        if not mirror.clocks:
            return None
        if mirror.running != seat:
            return mirror.clocks[seat]
        elapsed = asyncio.get_running_loop().time() - self._turn_began
        return clocks.after(self.terms.clock, mirror.clocks[seat], int(elapsed * 1000))

    # -- what happens

    def __aiter__(self) -> Listener[Event]:
        turn = self.turn
        first: list[Event] = [self._snapshot()]
        if turn is not None and self._choices is not None:
            first.append(self._choices)
        return self._events.listen(*first)

    async def until(self, fits: Callable[[Table], bool]) -> None:
        """Wait until the table is like that."""
        async for _ in self:
            if fits(self):
                return
        raise ConnectionError("The table was left.")

    async def my_turn(self) -> Turn | None:
        """Wait for your turn; None when the game is over instead."""
        await self.until(lambda table: table.turn is not None or table.result is not None)
        return self.turn

    async def over(self) -> Result:
        """Wait for the end of the game."""
        await self.until(lambda table: table.result is not None)
        result = self.result
        assert result is not None
        return result

    # -- a turn

    async def play(self, turn: Turn | str | Sequence[int]) -> None:
        """Make a turn: one that is complete, its picks, or a move as the game writes it.

        When this returns, the move is safe, and the table shows it.
        """
        if isinstance(turn, str):
            await self._do(Play(id=0, room=self.room, ply=self.ply, move=turn))
        elif isinstance(turn, Turn):
            await self._do(Play(id=0, room=self.room, ply=turn.ply, picks=turn.picks))
        else:
            await self._do(Play(id=0, room=self.room, ply=self.ply, picks=tuple(turn)))

    async def explore(self, turn: Turn, *, further: bool = False) -> Turn:
        """The same turn with what may be picked next, which is asked for only if it was not told yet.

        `further`: ask in any case, since the answer looks further ahead than what is known.
        """
        if turn.complete or not (further or turn.unexplored):
            return turn
        asked = Explore(id=0, room=self.room, ply=turn.ply, picks=turn.picks)
        return turn.explored(await self._connection.ask(asked, Choices))

    # -- around the board

    async def offer(self, what: What) -> None:
        """Offer a draw, ask for your last turn back, or offer another game."""
        await self._do(Offer(id=0, room=self.room, what=what))

    async def answer(self, what: What, yes: bool) -> None:
        """Accept or decline what the opponent has offered, or withdraw your own offer."""
        await self._do(AnswerOffer(id=0, room=self.room, what=what, yes=yes))

    async def choose_first(self, me: bool) -> None:
        """Say who moves first, where the rules give this choice to you."""
        await self._do(ChooseFirst(id=0, room=self.room, me=me))

    async def resign(self) -> None:
        await self._do(Resign(id=0, room=self.room))

    async def abort(self) -> None:
        """Call the game off before both sides have moved."""
        await self._do(Abort(id=0, room=self.room))

    async def claim(self) -> None:
        """Claim the win after the opponent has been away for long."""
        await self._do(Claim(id=0, room=self.room))

    async def say(self, text: str) -> None:
        """Talk to everybody in the room."""
        await self._do(Say(id=0, room=self.room, text=text))

    async def hint(self) -> Assessment:
        """What the computer would do now. Only in games that are not rated."""
        return await self.assess(self.ply)

    async def assess(self, ply: int) -> Assessment:
        """What the computer thinks of the position after so many moves."""
        return await self._connection.ask(Assess(id=0, room=self.room, ply=ply), Assessment)

    async def leave(self) -> None:
        """Stop following this table. A player keeps the seat."""
        self._left(self)
        self._events.end()
        await self._connection.ask(Leave(id=0, room=self.room), Ok)

    async def _do(self, command: Command) -> None:
        """Have it done, and wait until the table shows it."""
        epoch = self.mirror.epoch
        done = await self._connection.ask(command, Ok)
        if done.seq is not None:
            seq = done.seq
            await self.until(lambda table: table.mirror.seq >= seq or table.mirror.epoch != epoch)

    # -- told by the connection

    async def joined(self) -> None:
        """Enter the room, once, however many ask for it at the same time."""
        if self._joining is None:
            self._joining = asyncio.create_task(self._join())
            self._joining.add_done_callback(lambda task: task.cancelled() or task.exception())  # all may have gone
        await asyncio.shield(self._joining)

    async def _join(self) -> None:
        await self._connection.ask(Join(id=0, room=self.room), Room)
        self._set_clock(self.mirror.room)

    def take(self, event: Event) -> None:
        match event:
            case Choices():
                self._choices = event
            case Presence():
                self.presence = event
            case Said():
                self.talk.append(event)
            case Rated():
                self.ratings = event.ratings
            case Room():
                self._set_clock(event)
            case Happened(what="taken_back"):
                self._choices = None  # another position may get the same number
                self._set_clock(None)
            case Moved():
                self._set_clock(None)
            case Happened():
                if event.clocks is not None or event.status is not None:
                    self._set_clock(None)
        self._events.put(event)

    def _set_clock(self, room: Room | None) -> None:
        """The clocks are now as the mirror has them. Only one with a delay must know how long the turn has lasted."""
        self._turn_began = asyncio.get_running_loop().time()
        if room is not None and room.terms.clock.kind == "delay":
            self._turn_began -= room.lasted / 1000

    def end(self, fault: Exception | None) -> None:
        self._events.end(fault)

    def _snapshot(self) -> Room:
        """The room as it would be sent now."""
        mirror = self.mirror
        left = tuple(each for seat in range(len(mirror.clocks)) if (each := self.time_left(seat)) is not None)
        return replace(
            mirror.room,
            id=None,
            epoch=mirror.epoch,
            seq=mirror.seq,
            scene=mirror.scene,
            chairs=tuple(mirror.chairs),
            status=mirror.status,
            moves=tuple(mirror.moves),
            seat=mirror.seat,
            clocks=left,
            offers=tuple(sorted(mirror.offers)),
            result=mirror.result,
            next=mirror.next,
            watchers=mirror.room.watchers if self.presence is None else self.presence.watchers,
        )
