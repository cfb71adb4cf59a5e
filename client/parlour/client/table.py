"""A game room as its players and spectators see it: its state, its events, and the actions of a player."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec.structs import replace

from parlour.client.connection import Connection
from parlour.client.event_stream import EventStream, Subscription
from parlour.client.turn import Turn
from parlour.protocol.clock import time_left
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Assess,
    Assessment,
    Berserk,
    Choices,
    ChooseFirst,
    Claim,
    Command,
    Describe,
    Described,
    Explore,
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
    RoomEvent,
    Said,
    Say,
)
from parlour.protocol.replica import RoomReplica
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Player, Result, SeatedPlayer, Terms, TimeLeft

Event = Room | Moved | RoomEvent | Choices | Presence | Said | Rated
"""The events at a table; each is a protocol message. After a `Room`, read the whole state again."""

OfferKind = Literal["draw", "takeback", "rematch"]
"""The offers that a player can make."""

CHAT_HISTORY = 200  # lines


class Table:
    """A game that is followed, as a player or as a spectator.

    It is as up to date as the connection allows, and catches up by itself after a reconnect.

    Iterate over it to receive events. Each iteration starts with a `Room`, the current state. It ends when the table
    is left, and raises the error with which the connection ends.
    """

    def __init__(self, connection: Connection, room: str, on_leave: Callable[[Table], None]) -> None:
        self.room = room  # its id
        self.presence: Presence | None = None  # who is online; None: not known yet
        self.chat: deque[Said] = deque(maxlen=CHAT_HISTORY)  # the newest lines
        self.ratings: tuple[int, ...] = ()  # by seat, once a rated game has been rated
        self._connection = connection
        self._on_leave = on_leave
        self._replica: RoomReplica | None = None
        self._choices: Choices | None = None
        self._events: EventStream[Event] = EventStream()
        self._joining: asyncio.Task[None] | None = None
        self._turn_began = 0.0  # loop time at which the running clock was as the replica has it

    def __repr__(self) -> str:
        if self._connection.rooms.get(self.room, self._replica) is None:
            return f"<Table {self.room}: not joined>"
        players = " against ".join(seated.player.name for seated in self.players)
        state = self.status if self.result is None else f"over, {self.result.reason}"
        return f"<Table {self.room}: {self.terms.game}, {players}, move {self.ply}, {state}>"

    # -- state

    @property
    def replica(self) -> RoomReplica:
        """The local copy of the room."""
        replica = self._connection.rooms.get(self.room, self._replica)
        assert replica is not None, "the table was not joined"
        self._replica = replica
        return replica

    @property
    def terms(self) -> Terms:
        """The game, all of its options, the clock, and whether the game is rated."""
        return self.replica.room.terms

    @property
    def unrated(self) -> str:
        """Why this rated game will not count, as a code; empty: there is no reason known from the start."""
        return self.replica.room.unrated

    @property
    def tournament(self) -> str | None:
        """The tournament that the game is part of."""
        return self.replica.room.tournament

    @property
    def may_berserk(self) -> bool:
        """Whether you can halve your clock now, in an arena."""
        halved = self.replica.berserk
        if self.seat is None or self.result is not None or not halved or halved[self.seat]:
            return False
        return self.ply == 0 or (self.ply == 1 and self.scene.to_move == self.seat)

    @property
    def board(self) -> BoardSpec:
        """The fixed parts of the board, the same for the whole game."""
        return self.replica.room.board

    @property
    def scene(self) -> Scene:
        """The contents of the board."""
        return self.replica.scene

    @property
    def moves(self) -> Sequence[str]:
        """The moves so far, in the game's notation."""
        return self.replica.moves

    @property
    def ply(self) -> int:
        """The number of moves so far."""
        return len(self.replica.moves)

    @property
    def seat(self) -> int | None:
        """Your seat, or None for a spectator."""
        return self.replica.seat

    @property
    def players(self) -> Sequence[SeatedPlayer]:
        """Who plays, by seat."""
        return self.replica.players

    @property
    def opponent(self) -> Player | None:
        """The other player, or None for a spectator."""
        seat = self.seat
        return None if seat is None else self.players[1 - seat].player

    @property
    def status(self) -> str:
        """choosing (who moves first), playing or over."""
        return self.replica.status

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return self.replica.result

    @property
    def offers(self) -> set[tuple[int, str]]:
        """Open offers: the seat that made it, and its kind: draw, takeback or rematch."""
        return {(int(seat), kind) for seat, _, kind in (offer.partition(":") for offer in self.replica.offers)}

    @property
    def next(self) -> str | None:
        """The room of the rematch, once there is one."""
        return self.replica.next

    @property
    def turn(self) -> Turn | None:
        """Your turn, with nothing picked yet; None if you are not to move, or your choices have not arrived yet."""
        replica, choices = self.replica, self._choices
        if choices is None or replica.status != "playing" or replica.scene.to_move != replica.seat:
            return None
        return Turn.begin(choices) if choices.ply == len(replica.moves) else None

    def time_left(self, seat: int) -> TimeLeft | None:
        """Return the time a seat has left at this moment; None without a time limit."""
        replica = self.replica
        if not replica.clocks:
            return None
        if replica.running != seat:
            return replica.clocks[seat]
        elapsed = asyncio.get_running_loop().time() - self._turn_began
        return time_left(self.terms.clock, replica.clocks[seat], int(elapsed * 1000))

    # -- events

    def __aiter__(self) -> Subscription[Event]:
        turn = self.turn
        first: list[Event] = [self._snapshot()]
        if turn is not None and self._choices is not None:
            first.append(self._choices)
        return self._events.subscribe(*first)

    async def until(self, condition: Callable[[Table], bool]) -> None:
        """Wait until a condition holds. Raise `ConnectionError` if the table is left before."""
        async for _ in self:
            if condition(self):
                return
        raise ConnectionError("The table was left.")

    async def my_turn(self) -> Turn | None:
        """Wait for your turn and return it, or None once the game is over."""
        await self.until(lambda table: table.turn is not None or table.result is not None)
        return self.turn

    async def over(self) -> Result:
        """Wait for the end of the game and return the result."""
        await self.until(lambda table: table.result is not None)
        result = self.result
        assert result is not None
        return result

    # -- moves

    async def play(self, turn: Turn | str | Sequence[int]) -> None:
        """Play a complete turn, its picks, or a move in the game's notation.

        When this returns, the move is stored on the server and the table shows it.
        """
        if isinstance(turn, str):
            await self._do(Play(id=0, room=self.room, ply=self.ply, move=turn))
        elif isinstance(turn, Turn):
            await self._do(Play(id=0, room=self.room, ply=turn.ply, picks=turn.picks))
        else:
            await self._do(Play(id=0, room=self.room, ply=self.ply, picks=tuple(turn)))

    async def describe(self, picks: Sequence[int] | None = None) -> str:
        """Return the last move in words, or a whole turn that the side to move could play."""
        ply = self.ply
        asked = Describe(id=0, room=self.room, ply=ply, picks=None if picks is None else tuple(picks))
        return (await self._connection.ask(asked, Described)).text

    async def explore(self, turn: Turn, *, deeper: bool = False) -> Turn:
        """Return the turn with its next picks filled in. The server is only asked if they are not known yet.

        `deeper`: ask in any case, because the answer looks further ahead than what is known.
        """
        if turn.complete or not (deeper or turn.unexplored):
            return turn
        asked = Explore(id=0, room=self.room, ply=turn.ply, picks=turn.picks)
        return turn.explored(await self._connection.ask(asked, Choices))

    # -- offers, resigning, chat

    async def offer(self, kind: OfferKind) -> None:
        """Offer a draw or a rematch, or ask to take back your last turn."""
        await self._do(Offer(id=0, room=self.room, kind=kind))

    async def answer(self, kind: OfferKind, yes: bool) -> None:
        """Accept or decline the opponent's offer, or withdraw your own."""
        await self._do(AnswerOffer(id=0, room=self.room, kind=kind, accept=yes))

    async def choose_first(self, me: bool) -> None:
        """Decide who moves first, if the rules give you this choice."""
        await self._do(ChooseFirst(id=0, room=self.room, go_first=me))

    async def resign(self) -> None:
        """Give up the game."""
        await self._do(Resign(id=0, room=self.room))

    async def abort(self) -> None:
        """Abort the game, before both sides have moved."""
        await self._do(Abort(id=0, room=self.room))

    async def berserk(self) -> None:
        """Halve your clock in an arena, for an extra point if you win."""
        await self._do(Berserk(id=0, room=self.room))

    async def claim(self) -> None:
        """Claim the win after the opponent has been offline for long enough."""
        await self._do(Claim(id=0, room=self.room))

    async def say(self, text: str) -> None:
        """Send a chat message to the room."""
        await self._do(Say(id=0, room=self.room, text=text))

    async def hint(self) -> Assessment:
        """Return the computer's assessment of the current position. Casual games only."""
        return await self.assess(self.ply)

    async def assess(self, ply: int) -> Assessment:
        """Return the computer's assessment of the position after `ply` moves."""
        return await self._connection.ask(Assess(id=0, room=self.room, ply=ply), Assessment)

    async def leave(self) -> None:
        """Stop following this table. A player keeps the seat."""
        self._on_leave(self)
        self._events.end()
        await self._connection.ask(Leave(id=0, room=self.room), Ok)

    async def _do(self, command: Command) -> None:
        """Send a command, and wait until the table shows its effect."""
        ok = await self._connection.ask(command, Ok)
        if ok.epoch is not None and ok.seq is not None:
            effect = ok.epoch, ok.seq
            await self.until(lambda table: (table.replica.epoch, table.replica.seq) >= effect)

    # -- called by the client

    async def ensure_joined(self) -> None:
        """Join the room, once, however many callers wait for it."""
        if self._joining is None:
            self._joining = asyncio.create_task(self._join())
            self._joining.add_done_callback(
                lambda task: task.cancelled() or task.exception()
            )  # the callers may be cancelled
        await asyncio.shield(self._joining)

    async def _join(self) -> None:
        await self._connection.ask(Join(id=0, room=self.room), Room)
        self._set_clock(self.replica.room)

    def handle(self, event: Event) -> None:
        """Apply an event at the table, and publish it to every iteration."""
        match event:
            case Choices():
                self._choices = event
            case Presence():
                self.presence = event
            case Said():
                self.chat.append(event)
            case Rated():
                self.ratings = event.ratings
            case Room():
                self._set_clock(event)
            case RoomEvent(kind="taken_back"):
                self._choices = None  # the next position may have the same ply
                self._set_clock(None)
            case Moved():
                self._set_clock(None)
            case RoomEvent():
                if event.clocks is not None or event.status is not None:
                    self._set_clock(None)
        self._events.publish(event)

    def _set_clock(self, room: Room | None) -> None:
        """Take over the clocks of the replica, which are current now.

        A clock with a delay needs the age of the turn too.
        """
        self._turn_began = asyncio.get_running_loop().time()
        if room is not None and room.terms.clock.kind == "delay":
            self._turn_began -= room.turn_elapsed / 1000

    def end(self, error: Exception | None) -> None:
        """End all iterations."""
        self._events.end(error)

    def _snapshot(self) -> Room:
        """Return the room as the server would send it now."""
        replica = self.replica
        left = tuple(each for seat in range(len(replica.clocks)) if (each := self.time_left(seat)) is not None)
        return replace(
            replica.room,
            id=None,
            epoch=replica.epoch,
            seq=replica.seq,
            scene=replica.scene,
            players=tuple(replica.players),
            status=replica.status,
            moves=tuple(replica.moves),
            seat=replica.seat,
            clocks=left,
            offers=tuple(sorted(replica.offers)),
            result=replica.result,
            next=replica.next,
            spectators=replica.room.spectators if self.presence is None else self.presence.spectators,
        )
