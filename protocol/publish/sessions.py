"""Scripted sessions with their timing: what a client sends and when it gives up, recorded from `ClientSession`.

Each step of a script is an input at a time in milliseconds, with the output that must follow:

- `connect`, `disconnect`: a connection is opened or lost.
- `send`: the user sends a command, which gets its id from the session.
- `receive`: a message arrives; `news` is what `receive` returns. If `late`, it belongs to the previous connection.
- `wait`: `tick` is called every `every` milliseconds until a time. `lost` is when it first returned false, if it did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.protocol import messages as m
from parlour.protocol.errors import ErrorCode
from parlour.protocol.session import MAX_LEAVES, ClientSession
from parlour.protocol.timing import Urgency, addresses_to_try, open_timeout, reconnect_delay
from parlour.protocol.types import Player, Terms
from publish.sample_people import ROOM
from publish.samples import SESSION, TOKEN, samples

TICK = 250
FIRST_ID = 1  # of the ids that a session gives its commands

WELCOME = m.Welcome(you=Player("Ada"), token=TOKEN, session=SESSION, time=0, games=(), max_message_size=16_384)
OTHER_NODE = "wss://second.example/ws"
RESIGN = m.Resign(id=0, room=ROOM)
QUEUE = m.Queue(id=0, terms=Terms("replica"))
SEEK = m.Seek(id=0, terms=Terms("isaac"))


class Recording:
    """Drives a session and notes every input with the output that followed."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self.now = 0
        self._session = ClientSession("vectors", name="Ada")
        self._connection = self._previous = 0

    def connect(self) -> None:
        self._previous = self._connection
        self._connection = self._session.connected(self._seconds)
        self._note("connect", sent=self._sent())

    def disconnect(self) -> None:
        self._session.disconnected()
        facts = {"urgency": self._session.urgency.name.lower(), "hurried": self._session.is_hurried}
        self._note("disconnect", **facts, sent=self._sent())

    def welcome(self, *nodes: str) -> None:
        """Open a connection and let the server greet the client, and name other nodes."""
        self.connect()
        self.receive(replace(WELCOME, nodes=nodes))

    def send(self, command: m.Command) -> None:
        self._session.send(command)
        request = {key: value for key, value in _builtins(command).items() if key != "id"}
        self._note("send", command=request, sent=self._sent())

    def receive(self, message: m.ServerMessage, *, late: bool = False) -> None:
        news = self._session.receive(self._previous if late else self._connection, message, self._seconds)
        self._note("receive", message=_builtins(message), late=late, news=news, sent=self._sent())

    def wait(self, until: int, every: int = TICK) -> None:
        """Let time pass until the moment given, or until the session gives up."""
        start, sent, lost = self.now, [], None
        while lost is None and self.now < until:
            self.now = min(self.now + every, until)
            lost = None if self._session.tick(self._seconds) else self.now
            sent += [{"at": self.now, "message": message} for message in self._sent()]
        self.steps.append({"at": start, "do": "wait", "until": until, "every": every, "sent": sent, "lost": lost})

    @property
    def _seconds(self) -> float:
        return self.now / 1000

    def _note(self, action: str, **facts: Any) -> None:
        self.steps.append({"at": self.now, "do": action, **facts})

    def _sent(self) -> list[Any]:
        return [_builtins(message) for message in self._session.outgoing()]


def _builtins(message: Any) -> Any:
    return msgspec.to_builtins(message)


# -- silence


def _silent_with_a_command(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    it.wait(10_000)


def _silent_without_a_command(it: Recording) -> None:
    it.welcome()
    it.wait(30_000)


def _silent_before_welcome(it: Recording) -> None:
    it.connect()
    it.send(RESIGN)
    it.wait(30_000)


def _silent_before_welcome_in_a_game(it: Recording) -> None:
    it.welcome(OTHER_NODE)
    it.receive(_whole_room())
    for _ in range(4):
        it.disconnect()
        it.connect()
        it.wait(it.now + 30_000)


def _idle(it: Recording) -> None:
    it.welcome()
    for _ in range(3):
        it.wait(it.now + 10_000)
        it.receive(m.Pong())


def _slow(it: Recording) -> None:
    it.welcome()
    it.send(QUEUE)
    it.wait(1_500)
    it.receive(m.Pong())
    it.wait(20_000)


def _slower_each_time(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    for _ in range(6):
        it.wait(it.now + 30_000)
        it.disconnect()
        it.welcome()


def _talkative(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    for _ in range(12):
        it.wait(it.now + 400, every=200)
        it.receive(m.Presence(room=ROOM, online=(True, True)))
    it.wait(it.now + 5_000)


def _suspended(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    it.wait(500)
    it.wait(4_500, every=4_000)
    it.wait(10_000)


def _suspended_for_long(it: Recording) -> None:
    it.welcome()
    it.wait(3_600_000, every=3_600_000)


def _quick_again(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    it.wait(it.now + 30_000)
    it.disconnect()
    it.welcome()
    it.receive(m.Ok(id=1))
    it.send(RESIGN)
    it.wait(it.now + 30_000)
    it.disconnect()
    it.welcome()
    it.wait(it.now + 1_000)
    it.receive(m.Ok(id=2))
    it.send(RESIGN)
    it.wait(it.now + 30_000)


def _answers_only_pings(it: Recording, seconds: int) -> None:
    for _ in range(seconds):
        it.wait(it.now + 1_000)
        it.receive(m.Pong())


def _no_answer(it: Recording) -> None:
    it.welcome()
    it.send(QUEUE)
    _answers_only_pings(it, 9)
    it.send(QUEUE)
    it.wait(it.now + 3_000)


def _no_answer_in_a_game(it: Recording) -> None:
    it.welcome(OTHER_NODE)
    it.send(QUEUE)
    it.wait(it.now + 1_000)
    it.receive(m.Pong())
    it.send(RESIGN)
    for seconds in (1, 3, 7, 9, 9):
        _answers_only_pings(it, seconds)
        it.wait(it.now + 2_000)
        it.disconnect()
        it.welcome(OTHER_NODE)
    it.receive(m.Ok(id=FIRST_ID + 1))
    it.send(RESIGN)
    _answers_only_pings(it, 1)
    it.wait(it.now + 2_000)


def _one_answer_after_another(it: Recording) -> None:
    it.welcome()
    for number in range(4):
        it.send(QUEUE)
        _answers_only_pings(it, 6)
        it.receive(m.Ok(id=FIRST_ID + number))


# -- retries


def _refused_for_now(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    it.send(RESIGN)
    for code in ErrorCode:
        if code.is_retried:
            it.receive(m.Refused(code=code, text=code.meaning, id=FIRST_ID))
            it.wait(it.now + 1_500)
    it.receive(m.Refused(code=ErrorCode.TOO_MANY_SEEKS, text="In 3 seconds.", id=FIRST_ID, retry_after=3_000))
    it.wait(it.now + 3_500)
    it.receive(m.Ok(id=FIRST_ID))
    it.receive(m.Ok(id=FIRST_ID + 1))
    it.wait(it.now + 3_000)


def _refused_for_people(it: Recording) -> None:
    it.welcome()
    for number, code in enumerate(code for code in ErrorCode if not code.is_retried):
        it.send(RESIGN)
        it.receive(m.Refused(code=code, text=code.meaning, id=FIRST_ID + number))
    it.wait(3_000)


def _reconnected_before_a_retry(it: Recording) -> None:
    it.welcome()
    it.send(RESIGN)
    it.receive(m.Refused(code=ErrorCode.TRY_AGAIN, text="Later.", id=FIRST_ID))
    it.wait(250)
    it.disconnect()
    it.welcome()
    it.receive(m.Ok(id=FIRST_ID))
    it.wait(3_000)


# -- reconnects


def _unanswered(it: Recording) -> None:
    it.send(m.Join(id=0, room=ROOM))
    it.welcome()
    it.send(RESIGN)
    it.disconnect()
    it.receive(m.Ok(id=FIRST_ID + 1))
    it.send(m.Leave(id=0, room="other"))
    it.connect()
    it.receive(WELCOME, late=True)
    it.receive(WELCOME)
    it.receive(WELCOME)
    it.receive(m.Ok(id=FIRST_ID + 1))
    it.receive(m.Ok(id=FIRST_ID + 1))


def _places(it: Recording) -> None:
    it.welcome()
    for seek, command in {"first": QUEUE, "second": SEEK, "third": QUEUE, "fourth": SEEK}.items():
        it.send(command)
        it.receive(m.Ok(id=FIRST_ID + len(it.steps) // 2 - 1, seek=seek))
    it.receive(m.Paired(room=ROOM, seat=0, seek="third"))
    it.send(m.Cancel(id=0, seek="fourth"))
    it.receive(m.Ok(id=FIRST_ID + 4))
    it.disconnect()
    it.welcome()
    it.receive(m.Ok(id=FIRST_ID, seek="first"))
    it.receive(m.Refused(code=ErrorCode.LIMIT_REACHED, text="Too many.", id=FIRST_ID + 1))
    it.disconnect()
    it.welcome()


def _token_unknown(it: Recording) -> None:
    it.welcome()
    it.receive(_whole_room())
    it.disconnect()
    it.connect()
    it.receive(m.Refused(code=ErrorCode.TOKEN_UNKNOWN, text="This token is not known."))
    it.receive(replace(WELCOME, session="a-new-one"))
    it.disconnect()
    it.connect()


# -- rooms


def _whole_room() -> m.Room:
    return next(sample for sample in samples() if isinstance(sample, m.Room))


def _two_plays(it: Recording) -> None:
    room = _whole_room()
    play, update = m.Play(id=0, room=room.room, ply=len(room.moves), picks=(0, 1)), _next_update(room)
    it.welcome()
    it.receive(room)
    for _ in range(2):
        it.send(play)
    it.receive(m.Ok(id=FIRST_ID, seq=update.seq, epoch=update.epoch))
    it.send(play)
    it.send(m.Say(id=0, room=room.room, text="Sorry!"))
    it.disconnect()
    it.connect()
    it.receive(WELCOME)
    it.receive(update)
    it.receive(m.Ok(id=FIRST_ID + 1, seq=update.seq + 2, epoch=update.epoch))
    it.send(play)
    it.receive(room)


def _next_update(room: m.Room) -> m.RoomEvent:
    return m.RoomEvent(room=room.room, epoch=room.epoch, seq=room.seq + 1, hash=room.hash, kind="offered", seat=0)


def _lost_update(it: Recording) -> None:
    room = _whole_room()
    it.welcome()
    it.receive(room)
    it.receive(m.Pong(0, (m.Cursor(room.room, room.epoch, room.seq),)))
    it.receive(m.Pong(0, (m.Cursor(room.room, room.epoch, room.seq + 1),)))
    it.receive(m.Pong(0, (m.Cursor(room.room, room.epoch, room.seq + 1),)))
    it.disconnect()
    it.connect()
    it.receive(WELCOME)


def _wrong_room(it: Recording) -> None:
    room = _whole_room()
    wrong = replace(room, hash=room.hash ^ 1, id=None)
    it.welcome()
    it.receive(wrong)
    it.receive(replace(wrong, id=FIRST_ID))
    it.receive(m.Pong(0, (m.Cursor(room.room, room.epoch, room.seq),)))
    it.receive(replace(room, id=FIRST_ID + 1))


def _unsupported(room: str | None = None, id: int | None = None) -> m.Refused:
    return m.Refused(code=ErrorCode.RULES_UNSUPPORTED, text="Another node may support it.", id=id, room=room)


def _join_of_unsupported_rules(it: Recording) -> None:
    it.welcome()
    it.send(m.Join(id=0, room=ROOM))
    it.receive(_unsupported(id=FIRST_ID))
    it.wait(5_000)
    it.welcome()
    it.receive(replace(_whole_room(), id=FIRST_ID))
    it.wait(it.now + 5_000)


def _room_of_unsupported_rules(it: Recording) -> None:
    room = _whole_room()
    it.welcome()
    it.receive(room)
    it.send(RESIGN)
    for _ in range(MAX_LEAVES):
        it.disconnect()
        it.welcome()
        it.receive(_unsupported(room.room))
        it.receive(_unsupported(id=FIRST_ID))
        it.wait(it.now + 5_000)
    it.disconnect()
    it.welcome()
    it.receive(_unsupported(room.room))
    it.receive(_unsupported(id=FIRST_ID))
    it.wait(it.now + 5_000)


def _record_of_unsupported_rules(it: Recording) -> None:
    it.welcome()
    it.send(m.GetRecord(id=0, room=ROOM))
    it.receive(_unsupported(id=FIRST_ID))
    it.wait(5_000)


SCRIPTS: dict[str, Callable[[Recording], None]] = {
    "a silent server is given up soon while a command is unanswered": _silent_with_a_command,
    "the time that an answer takes decides how long the next one may take": _quick_again,
    "a server that answers pings but not a command is given up": _no_answer,
    "sooner if it is a command of a running game and there are other nodes": _no_answer_in_a_game,
    "a server that answers every command in time is not given up": _one_answer_after_another,
    "a silent server is given up later while none is": _silent_without_a_command,
    "a server that never says welcome is given up": _silent_before_welcome,
    "sooner if the player has a running game and there are other nodes": _silent_before_welcome_in_a_game,
    "an idle client pings": _idle,
    "a slow server gets more time": _slow,
    "each connection that was given up earns the next one more time": _slower_each_time,
    "a server that sends anything at all is not given up": _talkative,
    "a client that was suspended asks before it gives up": _suspended,
    "a client that was suspended for long gives up at once": _suspended_for_long,
    "a command that was refused for now is sent again": _refused_for_now,
    "other refusals are final": _refused_for_people,
    "a reconnect comes before a retry": _reconnected_before_a_retry,
    "unanswered commands are sent again after a reconnect": _unanswered,
    "seeks and places in the queue are taken again": _places,
    "a player whose token is unknown becomes a new guest": _token_unknown,
    "after a play, the next one waits for the update": _two_plays,
    "an update that was lost is asked for": _lost_update,
    "a wrong room is asked for, but not in a loop": _wrong_room,
    "a node that does not support the rules of a room to join is left": _join_of_unsupported_rules,
    "a node that does not support the rules of a joined room is left, but not for ever": _room_of_unsupported_rules,
    "a node need not support the rules of other rooms": _record_of_unsupported_rules,
}


def sessions() -> Iterator[dict[str, Any]]:
    """Yield every script with its steps."""
    for name, script in SCRIPTS.items():
        recording = Recording()
        script(recording)
        yield {"name": name, "steps": recording.steps}


def reconnects() -> Iterator[dict[str, Any]]:
    """Yield the delays before attempts to reconnect."""
    for failures in (0, 1, 2, 3, 4, 5, 6, 7, 50, 10_000):
        for chance in (0.0, 0.5, 1.0):
            delays = {each.name.lower(): round(1000 * reconnect_delay(failures, chance, each), 3) for each in Urgency}
            timeouts = [1000 * open_timeout(failures, at_once) for at_once in (1, 2, 3)]
            yield {"failures": failures, "chance": chance, "delays": delays, "timeouts": timeouts}


def attempts() -> Iterator[dict[str, Any]]:
    """Yield at how many of the known addresses a client tries to connect at once."""
    for known in (1, 2, 3, 4, 100):
        hurried, other = (addresses_to_try(known, is_hurried=each) for each in (True, False))
        yield {"known": known, "hurried": hurried, "other": other}
