"""What the scripted server does to a client, one fault a game, and what the client must do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from parlour.conform.connection import Connection
from parlour.conform.script import Close, Cut, Leaving, Pause, Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.scene import SceneDiff

# Faults strike from this ply on, when a game is well under way.
UNDER_WAY = 2


class Fault(Script):
    """A game with one fault in it, which decides one rule."""

    rule: ClassVar[str]
    wanted: ClassVar[str] = "nothing that the client did showed it"  # what is said if `kept` stays False
    budget: ClassVar[int] = BUDGET  # how many picks fit into one message

    def __init__(self) -> None:
        self.struck = ""  # what was done to the client, once it is done
        self.kept = False  # whether the client has done what it must
        self.complaint = ""  # what it did wrong

    def complain(self, complaint: str) -> None:
        self.complaint = self.complaint or complaint

    def ready(self, connection: Connection, update: wire.Message | wire.Moved) -> bool:
        """Whether this update is one to strike at: a move that gives the turn to the opponent, for the first time."""
        return not self.struck and isinstance(update, wire.Moved) and _opponent_thinks(connection.rooms[update.room])


def _opponent_thinks(room: ScriptedRoom) -> bool:
    return room.ply >= UNDER_WAY and room.to_move is not None and room.players[room.to_move] is None


class NoFault(Fault):
    """Nothing goes wrong; only welcome takes its time."""

    rule = "plays"

    def __init__(self) -> None:
        super().__init__()
        self.struck = "the client was started"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if isinstance(message, wire.Welcome):
            return Pause(0.1), message
        self.kept = self.kept or (isinstance(message, wire.Happened) and message.result is not None)
        return (message,)


class CutChoices(Fault):
    rule = "explores"
    wanted = "it never asked with explore"
    budget = 0

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if isinstance(message, wire.Choices):
            self.struck = "choices came with picks that have more"
        return (message,)

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or isinstance(message, wire.Explore)
        return True


# -- lost connections


class _Reconnects(Fault):
    wanted = "it did not connect again and say hello"

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.kept = self.kept or (bool(self.struck) and isinstance(message, wire.Hello))
        return True


class LostBeforeWelcome(_Reconnects):
    rule = "reconnects-early"

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not self.struck:
            self.struck = "the connection was cut after hello"
            connection.put(Cut())
            return False
        return super().arriving(connection, message)


class LostInOpponentsTurn(_Reconnects):
    rule = "reconnects-later"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not self.ready(connection, message):
            return (message,)
        self.struck = "the connection was cut in the opponent's turn"
        return message, Cut()


class Restart(_Reconnects):
    rule = "reconnects-restart"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not self.ready(connection, message):
            return (message,)
        self.struck = "the connection was closed with 1012"
        closing = wire.Closing(code=CloseCode.RESTART, text="This server restarts.")
        return message, closing, Close(CloseCode.RESTART)


class LostHistory(LostInOpponentsTurn):
    rule = "takes-room"

    def __init__(self) -> None:
        super().__init__()
        self._epochs: dict[str, int] = {}

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        leaving = super().leaving(connection, message)
        if self.struck and not self._epochs:
            for room in connection.rooms.values():
                room.lose_history()
                self._epochs[room.id] = room.feed.epoch
        return leaving

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if isinstance(message, wire.Sync) and message.epoch < self._epochs.get(message.room, 0):
            self.complain("it was sent the whole room, and asked for what followed the old one")
        return super().arriving(connection, message)


class _Resends(Fault):
    rule = "resends"
    wanted = "it did not send the command again"

    def __init__(self) -> None:
        super().__init__()
        self.command: wire.Command | None = None  # the one that is not answered

    def watch(self, message: wire.ClientMessage, kind: type[wire.Command]) -> None:
        """After the fault, the first of that kind must be the command again."""
        if self.struck and not self.kept and isinstance(message, kind) and self.command is not None:
            self.kept = message.id == self.command.id
            if not self.kept:
                self.complain(f"{self.struck}; it had id {self.command.id}, and then came one with id {message.id}")


class QueueUnanswered(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Queue)
        if isinstance(message, wire.Queue) and not self.struck:
            self.command = message
        return True

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if self.struck or self.command is None or not isinstance(message, wire.Ok):
            return (message,)
        self.struck = "the connection was cut instead of the answer to queue"
        return (Cut(),)


class PlayUnanswered(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if isinstance(message, wire.Play) and message.ply >= UNDER_WAY and not self.struck:
            self.command = message
        return True

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if self.struck or self.command is None or not isinstance(message, wire.Ok) or message.id != self.command.id:
            return (message,)
        self.struck = "the turn was played and the connection cut instead of the answer"
        return (Cut(),)


class PlayLost(_Resends):
    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        self.watch(message, wire.Play)
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY or self.struck:
            return True
        self.command = message
        self.struck = "the connection was cut before the turn reached the server"
        connection.put(Cut())
        return False


# -- lost, repeated and wrong updates


class RepeatedUpdates(Fault):
    rule = "ignores-repeats"

    def __init__(self) -> None:
        super().__init__()
        self._before: wire.Moved | None = None

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        before = self._before
        if isinstance(message, wire.Moved):
            self._before = message
        if before is None or not self.ready(connection, message):
            return (message,)
        self.struck = "two updates were sent again"
        self.kept = True
        return message, before, message

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.struck and isinstance(message, wire.Sync):
            self.complain(f"{self.struck}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class LostUpdate(Fault):
    rule = "asks-for-missed"
    wanted = "it never asked with sync"

    def __init__(self) -> None:
        super().__init__()
        self._missing: wire.Moved | None = None

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.struck = f"update {message.epoch}:{message.seq} was left out"
        self._missing = message
        return ()

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        missing = self._missing
        if isinstance(message, wire.Sync) and missing is not None and not self.kept:
            self.kept = (message.room, message.epoch, message.seq) == (missing.room, missing.epoch, missing.seq - 1)
            if not self.kept:
                self.complain(f"{self.struck}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class _WrongScene(Fault):
    wanted = "it never asked for the whole room with epoch 0"

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if self.struck and not self.kept and isinstance(message, wire.Sync):
            self.kept = message.epoch == 0
            if not self.kept:
                self.complain(f"{self.struck}, and it asked with sync from {message.epoch}:{message.seq}")
        return True


class WrongDiff(_WrongScene):
    rule = "asks-for-whole"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.struck = f"update {message.epoch}:{message.seq} put a piece on the board that is not there"
        return (replace(message, change=_with_ghost(connection.rooms[message.room], message.change)),)


def _with_ghost(room: ScriptedRoom, change: SceneDiff) -> SceneDiff:
    """The change, and one piece more on a free cell."""
    taken = {stack[0] for stack in room.scene.pieces} | {stack[0] for stack in change.pieces}
    free = next(place for place in range(len(taken) + 1) if place not in taken)
    return replace(change, pieces=tuple(sorted((*change.pieces, (free, 0)))))


class WrongHash(_WrongScene):
    rule = "checks-hash"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        if not isinstance(message, wire.Moved) or not self.ready(connection, message):
            return (message,)
        self.struck = f"update {message.epoch}:{message.seq} had a wrong hash"
        return (replace(message, hash=message.hash ^ 1),)


# -- refusals


class _Refusal(Fault):
    wanted = "no other turn came"
    code: ClassVar[ErrorCode]

    def __init__(self) -> None:
        super().__init__()
        self.refused: wire.Play | None = None

    def arriving(self, connection: Connection, message: wire.ClientMessage) -> bool:
        if not isinstance(message, wire.Play) or message.ply < UNDER_WAY:
            return True
        if self.refused is None:
            self.refused = message
            self.struck = f"a turn was refused with {self.code}"
        elif self.again(message, self.refused):
            self.kept = True
            return True
        connection.put(wire.Refused(code=self.code, text=self.code.meaning, id=message.id))
        return False

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        """Whether the turn is to be accepted now."""
        raise NotImplementedError


class CannotStore(_Refusal):
    rule = "tries-again"
    code = ErrorCode.TRY_AGAIN

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        return True


class Stale(_Refusal):
    rule = "chooses-again"
    wanted = "no turn with a new id came"
    code = ErrorCode.STALE_PLY

    def again(self, turn: wire.Play, refused: wire.Play) -> bool:
        return turn.id != refused.id


# -- growth and talk


class _Noise(Fault):
    def __init__(self) -> None:
        super().__init__()
        self.kept = True  # unless the game does not get to its end


class UnknownFields(_Noise):
    rule = "fields-unknown"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        self.struck = "every message had fields that nobody knows"
        grown: Any = msgspec.to_builtins(message)
        if isinstance(grown, list):
            return ([*grown, {"weather": "fine"}],)
        for part in (grown, grown.get("you"), grown.get("board")):
            if part is not None:
                part["weather"] = {"sky": ["blue", 1, None]}
        return (grown,)


class UnknownMessages(_Noise):
    rule = "messages-unknown"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        self.struck = "messages came that nobody knows"
        return message, {"t": "weather", "sky": "blue", "room": "room-1"}


class Talk(_Noise):
    rule = "talk"

    def leaving(self, connection: Connection, message: wire.Message | wire.Moved) -> Iterable[Leaving]:
        room = next(iter(connection.rooms), None)
        if room is None:
            return (message,)
        self.struck = "presence and said came all the time"
        said = wire.Said(room=room, name="Guest 7", text="<b>Nice</b> move \N{SPARKLES}", at=1)
        return wire.Presence(room=room, online=(True, False), watchers=3), message, said


FAULTS: tuple[type[Fault], ...] = (
    NoFault, CutChoices,
    LostBeforeWelcome, LostInOpponentsTurn, Restart, LostHistory, QueueUnanswered, PlayUnanswered, PlayLost,
    RepeatedUpdates, LostUpdate, WrongDiff, WrongHash,
    CannotStore, Stale,
    UnknownFields, UnknownMessages, Talk,
)  # fmt: skip
