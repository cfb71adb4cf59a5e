"""Games without a fault, cut choices, clocks, and unexpected turns."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from parlour.conform.client_faults import UNDER_WAY, AtReady, Fault
from parlour.conform.connection import Connection
from parlour.conform.profiles import Profile
from parlour.conform.script import THINKING, Outgoing, Pause
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import BOT_TOKEN
from parlour.protocol import messages as wire
from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Clock, Pick, Step, TimeLeft

ALWAYS = ("subprotocol", "hello-first", "waits-for-welcome", "well-formed", "fresh-ids", "no-flood")


class _NoFault(Fault):
    """Nothing goes wrong, but welcome is delayed."""

    expected = "the game did not end"
    shows: ClassVar[tuple[str, ...]] = ALWAYS

    def __init__(self) -> None:
        super().__init__()
        self.injected = "the client was started"

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if isinstance(message, wire.Welcome):
            return Pause(0.1), message
        if isinstance(message, wire.RoomEvent | wire.Room) and message.result is not None:
            self.kept = True
        return (message,)


class WholeGame(_NoFault):
    rule = "plays"
    shows = (*ALWAYS, "legal")


class WatchedGame(_NoFault):
    rule = "watches"

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Play | wire.Explore | wire.Queue):
            self.complain(f"a spectator sent {wire.name_of(type(message))}")
        return True


class Meeting(_NoFault):
    rule = "meets"


class ChallengedGame(_NoFault):
    rule = "takes-challenge"
    shows = (*ALWAYS, "legal")

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Hello) and message.token != BOT_TOKEN:
            self.complain("hello did not have the token in PARLOUR_TOKEN")
        return True


class CutChoices(Fault):
    """Choices that are cut. A game whose turns are single picks gets a second pick, the same place again."""

    rule = "explores"
    expected = "it never asked with explore"
    budget = 0

    def outgoing(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        if not isinstance(message, wire.Choices) or message.id is not None:
            return (message,)
        self.injected = "the choices had picks with more to explore"
        if any(isinstance(pick, Pick) and (pick.more or pick.then) for pick in message.step.picks):
            return (message,)
        places = [pick.place if isinstance(pick, Pick) else pick for pick in message.step.picks]
        step = replace(message.step, picks=tuple(Pick(place, more=True) for place in places))
        return (replace(message, step=step),)

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play | wire.Explore) or message.room not in connection.rooms:
            return True
        room, picks = connection.rooms[message.room], message.picks or ()
        is_whole = picks[:1] and not room.game.steps(room.match.state, picks[:1]) and message.ply == room.ply
        if isinstance(message, wire.Play):
            if is_whole and len(picks) == 2 and picks[0] == picks[1]:
                self.server.handle(connection, replace(message, picks=picks[:1]))
                return False
            return True
        self.kept = self.kept or bool(picks)
        if is_whole and picks[0] in room.game.steps(room.match.state):
            connection.put(
                wire.Choices(
                    room=room.id,
                    ply=room.ply,
                    step=Step(0, (picks[0],)),
                    prompts=("Choose it again.",),
                    id=message.id,
                    picks=picks,
                )
            )
            return False
        return True


class Clocks(_NoFault):
    """Clocks as bare numbers and as arrays, one for each seat."""

    rule = "clocks"
    shows = ()
    clock = Clock("byoyomi", 60_000, 10_000, 3)

    def __init__(self) -> None:
        super().__init__()
        self.injected = ""

    def thinks(self, room: ScriptedRoom) -> float:
        self.injected = "one clock was shown as a number, the other one as an array"
        room.clocks = TimeLeft(50_000, 3), TimeLeft(9_000)
        return THINKING


class Flag(Fault):
    rule = "flag"

    def __init__(self) -> None:
        super().__init__()
        self.kept = True  # unless the client does not exit

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY or self.injected:
            return True
        self.injected = "the client's time ran out while it had the move"
        room = connection.rooms[message.room]
        assert room.to_move is not None
        self.server.publish(room, room.flag(room.to_move))
        connection.put(
            wire.Refused(code=ErrorCode.GAME_OVER, text="Your time had run out.", id=message.id, room=room.id)
        )
        return False


class OtherConnection(Fault):
    rule = "other-connection"
    expected = "it did not play on"

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY:
            return True
        if self.injected:
            self.kept = True
            return True
        self.injected = "another connection of the player had played the turn"
        room = connection.rooms[message.room]
        self.server.publish(room, room.random_turn(Random(0)))
        connection.put(wire.Refused(code=ErrorCode.STALE_PLY, text="You have moved already.", id=message.id))
        return False


class TakenBack(Fault):
    rule = "takeback"
    expected = "it did not play again at that ply"

    def __init__(self) -> None:
        super().__init__()
        self._play: wire.Play | None = None

    def thinks(self, room: ScriptedRoom) -> float:
        return 0.5 if self._play and not self.kept else THINKING

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and self.injected:
            self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY:
            return True
        if self._play is None:
            self._play = message
            self.later(0.1, lambda: self._take_back(connection.rooms[message.room]))
        elif self.injected and not self.kept:
            self.kept = message.ply == self._play.ply and message.id != self._play.id
            if not self.kept:
                self.complain(f"{self.injected}, and it played {message}")
        return True

    def _take_back(self, room: ScriptedRoom) -> None:
        assert self._play is not None
        if room.result is None and room.ply == self._play.ply + 1:
            self.injected = f"its turn at ply {self._play.ply} was taken back"
            self.server.publish(room, room.take_back(self._play.ply))
        else:
            self._play = None


class _NoSync(AtReady):
    """A change that a client follows without a sync."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = True

    def incoming(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and self.injected:
            self.complain(f"{self.injected}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class TakenBackWatched(_NoSync):
    rule = "takeback-watched"
    profiles = (Profile.SPECTATOR,)

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        assert isinstance(message, wire.Moved)
        room = connection.rooms[message.room]
        self.injected = "two turns were taken back"
        return message, *room.take_back(room.ply - 2)


class UnknownEvent(_NoSync):
    rule = "events-unknown"

    def inject(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Outgoing]:
        assert isinstance(message, wire.Moved)
        self.injected = "an event of an unknown kind changed the note of the scene"
        return message, *connection.rooms[message.room].remark("weather", "It rains.")
