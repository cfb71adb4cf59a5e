"""A small Parlour server in memory, for one check. It keeps every rule unless its script makes it break one.

It supports hello, reconnects, the queue and the table. It refuses everything else (seeks, challenges, records, …) as an
unknown message, which clients must tolerate anyway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from http import HTTPStatus
from random import Random
from types import TracebackType
from typing import Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from parlour import games
from parlour.conform.codec import CODECS
from parlour.conform.connection import Connection, Guest, Session
from parlour.conform.script import Script
from parlour.conform.scripted_room import ScriptedRoom
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire
from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.replica import Update
from parlour.protocol.types import GameCard, Terms

# The commands that change a game.
TableCommand = wire.Play | wire.Offer | wire.AnswerOffer | wire.Resign | wire.Abort


class ScriptedServer:
    """An async context manager that serves on a free port of this machine."""

    def __init__(
        self,
        script: Script | None = None,
        seed: object = 0,
        opponent: bool = True,
        budget: int = BUDGET,
        think: float = 0.005,
    ) -> None:
        """With `opponent`, clients are paired with the scripted opponent; without, they are paired with each other.

        `think` is how many seconds the opponent takes to move, `budget` how many picks fit into one message.
        """
        self.script = script or Script()
        self.guests: dict[str, Guest] = {}  # by token
        self.rooms: dict[str, ScriptedRoom] = {}
        self._rng = Random(str(seed))
        self._opponent = opponent
        self._budget = budget
        self._think = think
        self._waiting: list[tuple[Terms, Connection, str]] = []
        self._connections: list[Connection] = []
        self._timers: dict[str, asyncio.TimerHandle] = {}  # of rooms in which it is the opponent's turn
        self._server: Server | None = None

    # -- sockets

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._serve, "127.0.0.1", 0,
            subprotocols=[Subprotocol(name) for name in CODECS],
            select_subprotocol=self.choose,
            process_request=_only_ws, compression=None, ping_interval=None, close_timeout=1,
        )  # fmt: skip
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._server is not None
        for timer in self._timers.values():
            timer.cancel()
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/ws"

    def choose(self, _: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
        """Choose a subprotocol. Clients that offer none are accepted, so that the script can note it."""
        return next((name for name in offered if name in CODECS), None)

    async def _serve(self, socket: ServerConnection) -> None:
        connection = Connection(self.script, socket)
        self.script.opened(connection)
        if connection.codec is None:
            await socket.close(1002, "Offer parlour.v1+msgpack or parlour.v1+json.")
            return
        session = Session(connection)
        writer = asyncio.create_task(connection.write())
        self._connections.append(connection)
        try:
            async for frame in socket:
                if connection.lost:
                    break
                self.receive(connection, session, frame)
        except ConnectionClosed:
            pass
        finally:
            self._connections.remove(connection)
            self._disconnected(connection)
            if connection.lost:
                await writer
            writer.cancel()

    def _disconnected(self, connection: Connection) -> None:
        self._waiting = [entry for entry in self._waiting if entry[1] is not connection]
        guest = connection.guest
        if guest is not None and not self._of(guest):
            for room, seat in self._seats(guest):
                self._publish(room, room.disconnected(seat))

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        cursors = tuple(
            wire.Cursor(room.id, room.updates.epoch, room.updates.seq) for room in connection.rooms.values()
        )
        message = session.receive(frame, lambda: cursors)
        if message is None or not self.script.incoming(connection, message):
            return
        if not isinstance(message, wire.Hello):
            assert isinstance(message, wire.Command)
            self._handle(connection, message)
        elif not self._greet(connection, message):
            session.forget_hello()

    # -- hello

    def _greet(self, connection: Connection, hello: wire.Hello) -> bool:
        if hello.token is None:
            name = hello.name or f"Guest {len(self.guests) + 1}"
            guest = Guest(name, f"token-{len(self.guests) + 1}-{self._rng.getrandbits(64):016x}")
            self.guests[guest.token] = guest
        elif hello.token in self.guests:
            guest = self.guests[hello.token]
        else:
            connection.send(wire.Refused(code=ErrorCode.TOKEN_UNKNOWN, text="No player has this token."))
            return False
        connection.guest = guest
        connection.session_id = hello.session if hello.token and hello.session else self.new_session_id()
        connection.wants_choices = hello.choices
        connection.send(
            wire.Welcome(
                you=guest.player,
                token=guest.token,
                session=connection.session_id,
                time=int(time.time() * 1000),
                games=tuple(_card(key) for key in games.keys()),
                max_message_size=MAX_MESSAGE_SIZE,
                server="parlour conform",
            )
        )
        for room, seat in self._seats(guest):
            self._publish(room, room.reconnected(seat))
            if room.result is None:
                connection.send(wire.Paired(room=room.id, seat=seat))
        for cursor in hello.rooms:
            if cursor.room in self.rooms:
                self.catch_up(connection, self.rooms[cursor.room], cursor)
        return True

    def new_session_id(self) -> str:
        return f"{self._rng.getrandbits(48):012x}"

    def catch_up(self, connection: Connection, room: ScriptedRoom, cursor: wire.Cursor, id: int | None = None) -> None:
        """Send the updates after the cursor, the answer to the sync if there was one, and the choices."""
        connection.rooms[room.id] = room
        missed = room.updates.since(cursor)
        if missed is None:
            connection.send(room.whole(_seat(room, connection.guest), id))
        else:
            for update in missed:
                connection.send(update)
            if id is not None:
                connection.send(wire.Ok(id=id, seq=room.updates.seq, epoch=room.updates.epoch))
        self._prompt(connection, room)

    def _prompt(self, connection: Connection, room: ScriptedRoom) -> None:
        if connection.wants_choices and room.to_move is not None and _seat(room, connection.guest) == room.to_move:
            connection.send(room.choices())

    # -- commands

    def _handle(self, connection: Connection, command: wire.Command) -> None:
        guest = connection.guest
        assert guest is not None
        try:
            before = guest.replies.get(connection.session_id, command)
            if before is None:
                self._carry_out(connection, guest, command)
            else:
                connection.send(before)
        except Refusal as refusal:
            connection.send(wire.Refused(code=refusal.code, text=refusal.sentence, id=command.id))

    def _answer(self, connection: Connection, guest: Guest, command: wire.Command, ok: wire.Ok) -> None:
        guest.replies.put(connection.session_id, command, ok)
        connection.send(ok)

    def _carry_out(self, connection: Connection, guest: Guest, command: wire.Command) -> None:
        """Carry out a command that has not been answered before. Raise Refusal if it is not possible."""
        match command:
            case wire.Queue():
                self._queue(connection, guest, command)
            case wire.Join():
                room = self._room(command.room)
                connection.rooms[room.id] = room
                connection.send(room.whole(_seat(room, guest), command.id))
                self._prompt(connection, room)
            case wire.Sync():
                room = self._followed(connection, command.room)
                self.catch_up(connection, room, wire.Cursor(room.id, command.epoch, command.seq), command.id)
            case wire.Leave():
                self._followed(connection, command.room)
                del connection.rooms[command.room]
                self._answer(connection, guest, command, wire.Ok(id=command.id))
            case wire.Say():
                room = self._followed(connection, command.room)
                self._answer(connection, guest, command, wire.Ok(id=command.id))
                said = wire.Said(room=room.id, name=guest.player.name, text=command.text, seat=_seat(room, guest))
                self._to_all(room, [said])
            case wire.Explore():
                room, seat = self._at_table(connection, guest, command.room)
                room.check_turn(seat, command.ply)
                connection.send(room.choices(command.picks, command.id))
            case wire.Play() | wire.Offer() | wire.AnswerOffer() | wire.Resign() | wire.Abort():
                room, seat = self._at_table(connection, guest, command.room)
                updates = _change(room, seat, command)
                first = updates[0]
                self._answer(connection, guest, command, wire.Ok(id=command.id, seq=first.seq, epoch=first.epoch))
                self._publish(room, updates)
            case _:
                name = wire.name_of(type(command))
                raise Refusal(ErrorCode.MESSAGE_UNKNOWN, f"This server does not know “{name}”.")

    def _queue(self, connection: Connection, guest: Guest, queue: wire.Queue) -> None:
        seek = f"queue-{len(self.rooms)}-{queue.id}"
        room_id = f"room-{len(self.rooms) + 1}"
        ScriptedRoom(room_id, queue.terms, (guest.player, None))  # refuses invalid terms
        self._answer(connection, guest, queue, wire.Ok(id=queue.id, seek=seek))
        others = [entry for entry in self._waiting if entry[0] == queue.terms and entry[1].guest is not guest]
        if not self._opponent and not others:
            self._waiting.append((queue.terms, connection, seek))
            return
        pair: list[tuple[Guest | None, str]] = [(guest, seek)]
        if self._opponent:
            pair.append((None, ""))
        else:
            self._waiting.remove(others[0])
            pair.append((others[0][1].guest, others[0][2]))
        self._rng.shuffle(pair)
        players = [found.player if found else None for found, _ in pair]
        room = self.rooms[room_id] = ScriptedRoom(room_id, queue.terms, players, self._budget)
        for seat, (found, seek) in enumerate(pair):
            for each in self._of(found) if found else ():
                each.send(wire.Paired(room=room_id, seat=seat, seek=seek))
        self._let_opponent_act(room)

    # -- rooms

    def _room(self, id: str) -> ScriptedRoom:
        if id not in self.rooms:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "There is no such room.")
        return self.rooms[id]

    def _followed(self, connection: Connection, id: str) -> ScriptedRoom:
        room = self._room(id)
        if id not in connection.rooms:
            raise Refusal(ErrorCode.NOT_IN_ROOM, "Join the room first.")
        return room

    def _at_table(self, connection: Connection, guest: Guest, id: str) -> tuple[ScriptedRoom, int]:
        room = self._followed(connection, id)
        seat = _seat(room, guest)
        if seat is None:
            raise Refusal(ErrorCode.NOT_A_PLAYER, "You are watching this game.")
        return room, seat

    def _of(self, guest: Guest) -> list[Connection]:
        """Return the open connections of a player."""
        return [connection for connection in self._connections if connection.guest is guest]

    def _seats(self, guest: Guest) -> list[tuple[ScriptedRoom, int]]:
        found = [(room, _seat(room, guest)) for room in self.rooms.values()]
        return [(room, seat) for room, seat in found if seat is not None]

    def _publish(self, room: ScriptedRoom, updates: Sequence[Update]) -> None:
        """Send updates to everyone in the room. If the turn has changed, send choices or let the opponent move."""
        self._to_all(room, updates)
        if any(isinstance(update, wire.Moved) for update in updates):
            for connection in self._in(room):
                self._prompt(connection, room)
        self._let_opponent_act(room)

    def _to_all(self, room: ScriptedRoom, messages: Sequence[Update | wire.Said]) -> None:
        for connection in self._in(room):
            for message in messages:
                connection.send(message)

    def _in(self, room: ScriptedRoom) -> list[Connection]:
        return [connection for connection in self._connections if room.id in connection.rooms]

    def _let_opponent_act(self, room: ScriptedRoom) -> None:
        if room.result is None and None in room.players:
            seat = room.players.index(None)
            if (1 - seat, "draw") in room.offers:
                self._publish(room, room.answer(seat, "draw", False))
            if room.to_move == seat and room.id not in self._timers:
                act = asyncio.get_running_loop().call_later(self._think, self._opponent_moves, room)
                self._timers[room.id] = act

    def _opponent_moves(self, room: ScriptedRoom) -> None:
        del self._timers[room.id]
        self._publish(room, room.opponent_turn(self._rng))


def _only_ws(connection: ServerConnection, request: Request) -> Response | None:
    if request.path == "/ws":
        return None
    return connection.respond(HTTPStatus.NOT_FOUND, "Parlour serves /ws.\n")


def _seat(room: ScriptedRoom, guest: Guest | None) -> int | None:
    if guest is None:
        return None
    return next((seat for seat, player in enumerate(room.players) if player is guest.player), None)


def _change(room: ScriptedRoom, seat: int, command: TableCommand) -> list[Update]:
    match command:
        case wire.Play():
            return room.play(seat, command)
        case wire.Offer():
            return room.offer(seat, command.kind)
        case wire.AnswerOffer():
            return room.answer(seat, command.kind, command.accept)
        case wire.Resign():
            return room.resign(seat)
        case wire.Abort():
            return room.abort(seat)


def _card(key: str) -> GameCard:
    info = games.find(key).info
    return GameCard(info.key, info.name, info.summary, info.seats, info.options, (), dict(info.reasons))
