"""A small Parlour server in memory, for one check. It keeps every rule unless its script makes it break one.

It supports hello, reconnects, the lobby and the table. It refuses everything else (accounts, records, …) as an unknown
message, which clients must tolerate anyway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from random import Random
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from parlour import games
from parlour.conform.connection import Connection, Guest
from parlour.conform.listening import OpenSocket, local_socket
from parlour.conform.profiles import Profile
from parlour.conform.script import Script
from parlour.conform.scripted_lobby import Invitation, ScriptedLobby
from parlour.conform.scripted_room import ScriptedRoom, TableCommand
from parlour.conform.server_sockets import ServerSockets
from parlour.games.choices import BUDGET
from parlour.protocol import messages as wire
from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.replica import Update
from parlour.protocol.types import Clock, GameCard, Player, Terms

DEFAULT_TERMS = Terms("replica")


# The values in the environment of clients.
WATCHED_ROOM = "room-1"
BOT_TOKEN = "token-of-the-bot"  # noqa: S105 (of a player who exists only here)

LONGEST_WATCHED = 30  # plies, so that a spectator need not follow a random game for long


class ScriptedServer(ServerSockets):
    """An async context manager that serves on a free port of this machine."""

    def __init__(
        self,
        script: Script | None = None,
        seed: object = 0,
        *,
        opponent: bool = True,
        budget: int = BUDGET,
        profile: Profile = Profile.PLAYER,
        terms: Terms = DEFAULT_TERMS,
        nodes: int = 0,
        open_socket: OpenSocket = local_socket,
    ) -> None:
        """With `opponent`, clients meet the scripted opponent; without, they meet each other.

        `budget` is how many picks fit into one message, `terms` those of the games that the scripted opponent offers
        or plays before spectators, and `nodes` how many more addresses there are.
        """
        super().__init__(script or Script(), 1 + nodes, open_socket)
        self.profile = profile
        self.terms = terms
        self.guests: dict[str, Guest] = {}  # by token
        self.rooms: dict[str, ScriptedRoom] = {}
        self.paired: dict[str, ScriptedRoom] = {}  # by the seek, challenge or place in the queue that led to it
        self.lobby = ScriptedLobby()
        self.clock: Clock | None = None  # of all games, whatever their terms say
        self.nodes: tuple[str, ...] = ()  # other addresses, for welcome
        self.rng = Random(str(seed))
        self._opponent = opponent
        self._budget = budget
        self._waiting: list[tuple[Terms, Connection, str]] = []
        self._timers: dict[str, asyncio.TimerHandle] = {}  # of rooms in which it is the opponent's turn
        self._has_invited = False

    async def __aenter__(self) -> Self:
        self.nodes = await self.listen()
        if self.profile is Profile.SPECTATOR:
            self.rooms[WATCHED_ROOM] = self.new_room(WATCHED_ROOM, self.terms, (None, None))
        if self.profile is Profile.BOT:
            self.guests[BOT_TOKEN] = Guest("Bot", BOT_TOKEN)
        self.script.attach(self)
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await self.stop_listening()

    def opened(self, connection: Connection) -> None:
        """Note that a connection was opened. Here a client may take any time to say hello."""

    def disconnected(self, connection: Connection) -> None:
        self._waiting = [entry for entry in self._waiting if entry[1] is not connection]
        self.lobby.disconnected(connection)
        guest = connection.guest
        if guest is not None and self.has_left(guest):
            self.gone(guest)

    def has_left(self, guest: Guest) -> bool:
        """Return whether a player who has lost a connection has no other."""
        return not self.of(guest)

    def gone(self, guest: Guest) -> None:
        """Note that the last connection of a player is lost."""
        for room, seat in self.seats(guest):
            self.publish(room, room.disconnected(seat))

    # -- hello

    def greet(self, connection: Connection, hello: wire.Hello) -> bool:
        if hello.token is None:
            name = hello.name or f"Guest {len(self.guests) + 1}"
            guest = Guest(name, f"token-{len(self.guests) + 1}-{self.rng.getrandbits(64):016x}")
            self.guests[guest.token] = guest
        elif hello.token in self.guests:
            guest = self.guests[hello.token]
        else:
            connection.send(wire.Refused(code=ErrorCode.TOKEN_UNKNOWN, text="No player has this token."))
            return False
        connection.guest, connection.token = guest, hello.token or guest.token
        connection.session_id = hello.session if hello.token and hello.session else self.new_session_id()
        connection.wants_choices = hello.choices
        connection.send(
            wire.Welcome(
                you=guest.player,
                token=connection.token,
                session=connection.session_id,
                time=int(time.time() * 1000),
                games=tuple(self.card(key) for key in games.keys()),
                max_message_size=MAX_MESSAGE_SIZE,
                nodes=self.nodes,
                server="parlour conform",
            )
        )
        self.invite(connection)
        for room, seat in self.seats(guest):
            self.publish(room, room.reconnected(seat))
            if room.result is None:
                connection.send(wire.Paired(room=room.id, seat=seat))
        for cursor in hello.rooms:
            if cursor.room in self.rooms:
                self.catch_up(connection, self.rooms[cursor.room], cursor)
        return True

    def card(self, key: str) -> GameCard:
        """Return a game as welcome lists it."""
        info = games.find(key).info
        return GameCard(info.key, info.name, info.summary, info.seats, info.options, (), dict(info.reasons))

    def new_session_id(self) -> str:
        return f"{self.rng.getrandbits(48):012x}"

    def catch_up(self, connection: Connection, room: ScriptedRoom, cursor: wire.Cursor, id: int | None = None) -> None:
        """Send the updates after the cursor, the answer to the sync if there was one, and the choices."""
        connection.rooms[room.id] = room
        missed = room.updates.since(cursor)
        if missed is None:
            connection.send(room.whole(seat_of(room, connection.guest), id))
        else:
            for update in missed:
                connection.send(update)
            if id is not None:
                connection.send(wire.Ok(id=id, seq=room.updates.seq, epoch=room.updates.epoch))
        self._prompt(connection, room)
        self._let_opponent_act(room)

    def _prompt(self, connection: Connection, room: ScriptedRoom) -> None:
        if connection.wants_choices and room.to_move is not None and seat_of(room, connection.guest) == room.to_move:
            connection.send(room.choices())

    # -- commands

    def handle(self, connection: Connection, command: wire.Command) -> None:
        guest = connection.guest
        assert guest is not None
        try:
            before = guest.replies.get(connection.session_id, command)
            if before is None:
                self._carry_out(connection, guest, command)
            else:
                connection.send(before)
                self._tell_again(connection, guest, before)
        except Refusal as refusal:
            connection.send(wire.Refused(code=refusal.code, text=refusal.sentence, id=command.id))

    def _tell_again(self, connection: Connection, guest: Guest, answer: wire.Message) -> None:
        """Send a player who queues again the game that was made meanwhile."""
        seek = answer.seek if isinstance(answer, wire.Ok) else None
        if seek is not None and seek in self.paired:
            room = self.paired[seek]
            connection.send(wire.Paired(room=room.id, seat=seat_of(room, guest) or 0, seek=seek))

    def answer(self, connection: Connection, guest: Guest, command: wire.Command, answer: wire.Message) -> None:
        """Answer a command, also when it is sent again."""
        guest.replies.put(connection.session_id, command, answer)
        connection.send(answer)

    def _carry_out(self, connection: Connection, guest: Guest, command: wire.Command) -> None:
        """Execute a command that has not been answered before. Raise Refusal if it is not possible."""
        match command:
            case wire.Queue():
                self._queue(connection, guest, command)
            case wire.WatchLobby():
                self.answer(connection, guest, command, wire.Ok(id=command.id))
                self.lobby.watch(connection, command.on)
                self._open_lobby()
            case wire.Accept():
                self.accept(connection, guest, command)
            case wire.Cancel():
                self.cancel(guest, command.seek)
                self.answer(connection, guest, command, wire.Ok(id=command.id))
            case wire.Join():
                room = self.room(command.room)
                connection.rooms[room.id] = room
                connection.send(room.whole(seat_of(room, guest), command.id))
                self._prompt(connection, room)
                self._let_opponent_act(room)
            case wire.Sync():
                room = self._followed(connection, command.room)
                self.catch_up(connection, room, wire.Cursor(room.id, command.epoch, command.seq), command.id)
            case wire.Leave():
                self._followed(connection, command.room)
                del connection.rooms[command.room]
                self.answer(connection, guest, command, wire.Ok(id=command.id))
            case wire.Say():
                room = self._followed(connection, command.room)
                self.answer(connection, guest, command, wire.Ok(id=command.id))
                said = wire.Said(room=room.id, name=guest.player.name, text=command.text, seat=seat_of(room, guest))
                self.to_all(room, [said])
            case wire.Explore():
                room, seat = self.at_table(connection, guest, command.room)
                room.check_turn(seat, command.ply)
                connection.send(room.choices(command.picks, command.id))
            case wire.Play() | wire.Offer() | wire.AnswerOffer() | wire.Resign() | wire.Abort():
                room, seat = self.at_table(connection, guest, command.room)
                updates = self.change(room, seat, command)
                first = updates[0]
                self.answer(connection, guest, command, wire.Ok(id=command.id, seq=first.seq, epoch=first.epoch))
                self.publish(room, updates)
            case _:
                self.carry_out_other(connection, guest, command)

    def carry_out_other(self, connection: Connection, guest: Guest, command: wire.Command) -> None:
        """Refuse a command that this server does not have."""
        name = wire.name_of(type(command))
        raise Refusal(ErrorCode.MESSAGE_UNKNOWN, f"This server does not know “{name}”.")

    # -- meeting

    def _queue(self, connection: Connection, guest: Guest, queue: wire.Queue) -> None:
        seek = f"queue-{len(self.rooms)}-{queue.id}"
        room_id = f"room-{len(self.rooms) + 1}"
        self.new_room(room_id, queue.terms, (guest.player, None))  # refuses invalid terms
        self.answer(connection, guest, queue, wire.Ok(id=queue.id, seek=seek))
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
        self.rng.shuffle(pair)
        self.pair(queue.terms, [found for found, _ in pair], [seek for _, seek in pair], room_id)

    def pair(
        self, terms: Terms, guests: Sequence[Guest | None], seeks: Sequence[str], room_id: str | None = None
    ) -> ScriptedRoom:
        """Create a room for two players, None for the scripted opponent, and tell them."""
        room_id = room_id or f"room-{len(self.rooms) + 1}"
        players = [found.player if found else None for found in guests]
        terms = replace(terms, clock=terms.clock if self.clock is None else self.clock)
        room = self.rooms[room_id] = self.new_room(room_id, terms, players)
        self.paired |= dict.fromkeys(filter(None, seeks), room)
        for seat, (found, seek) in enumerate(zip(guests, seeks, strict=True)):
            for each in self.of(found) if found else ():
                each.send(wire.Paired(room=room_id, seat=seat, seek=seek))
        self._let_opponent_act(room)
        return room

    def new_room(self, id: str, terms: Terms, players: Sequence[Player | None]) -> ScriptedRoom:
        """Return a room whose game has not begun. Raise Refusal for invalid terms."""
        return ScriptedRoom(id, terms, players, self._budget)

    def _open_lobby(self) -> None:
        """Let the script open seeks when a client of the lobby watches for the first time."""
        if self.profile is Profile.LOBBY and not self._has_invited:
            self._has_invited = True
            self.script.open_lobby()

    def invite(self, connection: Connection) -> None:
        """Let the script challenge the bot on its first connection, and send the challenge on every later one."""
        if self.profile is not Profile.BOT:
            return
        if not self._has_invited:
            self._has_invited = True
            self.script.challenge()
        else:
            for challenge in self.lobby.invitations.values():
                connection.send(challenge.told)

    def offer_seek(self, game: str | None = None) -> Invitation:
        """Let the scripted opponent create a seek."""
        terms = self.terms if game is None else Terms(game)
        seek = Invitation(self.lobby.new_id(), terms)
        self.lobby.add(seek)
        return seek

    def challenge_bot(self) -> Invitation:
        """Let the scripted opponent challenge the bot."""
        challenge = Invitation(self.lobby.new_id(), self.terms, is_challenge=True, to="Bot")
        self.lobby.add(challenge)
        for connection in self.of(self.guests[BOT_TOKEN]):
            connection.send(challenge.told)
        return challenge

    def accept(self, connection: Connection, guest: Guest, accept: wire.Accept) -> None:
        """Accept a seek or a challenge."""
        invitation = self.lobby.invitations.get(accept.seek)
        if invitation is not None and invitation.host is guest:
            raise Refusal(ErrorCode.OWN_SEEK, "This is your own seek.")
        invitation = self.lobby.remove(accept.seek)
        pair = [invitation.host, guest] if invitation.seat == "first" else [guest, invitation.host]
        if invitation.seat == "any":
            self.rng.shuffle(pair)
        room_id = f"room-{len(self.rooms) + 1}"
        self.answer(connection, guest, accept, wire.Ok(id=accept.id, room=room_id))
        self.pair(invitation.terms, pair, [invitation.id] * 2, room_id)

    def cancel(self, guest: Guest, seek: str) -> None:
        """Withdraw a seek or a challenge, decline a challenge, or give up a place in the queue."""
        if any(entry[2] == seek for entry in self._waiting):
            self._waiting = [entry for entry in self._waiting if entry[2] != seek]
            return
        invitation = self.lobby.remove(seek)
        told = [invitation.host] if invitation.host is not guest else self.named(invitation.to)
        for other in told if invitation.is_challenge else ():
            for each in self.of(other) if other else ():
                each.send(wire.ChallengeClosed(seek=seek, declined=other is invitation.host))

    def named(self, name: str | None) -> list[Guest]:
        """Return the player of this name, if there is one."""
        return [guest for guest in self.guests.values() if guest.player.name == name]

    # -- rooms

    def change(self, room: ScriptedRoom, seat: int, command: TableCommand) -> list[Update]:
        """Change a game, and return the updates. Raise Refusal if that is not possible."""
        return room.carry_out(seat, command)

    def room(self, id: str) -> ScriptedRoom:
        if id not in self.rooms:
            raise Refusal(ErrorCode.ROOM_UNKNOWN, "There is no such room.")
        return self.rooms[id]

    def _followed(self, connection: Connection, id: str) -> ScriptedRoom:
        room = self.room(id)
        if id not in connection.rooms:
            raise Refusal(ErrorCode.NOT_IN_ROOM, "Join the room first.")
        return room

    def at_table(self, connection: Connection, guest: Guest, id: str) -> tuple[ScriptedRoom, int]:
        room = self._followed(connection, id)
        seat = seat_of(room, guest)
        if seat is None:
            raise Refusal(ErrorCode.NOT_A_PLAYER, "You are watching this game.")
        return room, seat

    def of(self, guest: Guest) -> list[Connection]:
        """Return the open connections of a player."""
        return [connection for connection in self.connections if connection.guest is guest]

    def seats(self, guest: Guest) -> list[tuple[ScriptedRoom, int]]:
        found = [(room, seat_of(room, guest)) for room in self.rooms.values()]
        return [(room, seat) for room, seat in found if seat is not None]

    def publish(self, room: ScriptedRoom, updates: Sequence[Update]) -> None:
        """Send updates to everyone in the room. If the turn has changed, send choices or let the opponent move."""
        self.to_all(room, updates)
        if any(changes_turn(update) for update in updates):
            for connection in self.in_room(room):
                self._prompt(connection, room)
        self._let_opponent_act(room)

    def to_all(self, room: ScriptedRoom, messages: Sequence[Update | wire.Message]) -> None:
        for connection in self.in_room(room):
            for message in messages:
                connection.send(message)

    def in_room(self, room: ScriptedRoom) -> list[Connection]:
        """Return the connections that follow a room."""
        return [connection for connection in self.connections if room.id in connection.rooms]

    def _let_opponent_act(self, room: ScriptedRoom) -> None:
        if room.result is not None or None not in room.players or room.id in self._timers:
            return
        seat = room.players.index(None)
        if (1 - seat, "draw") in room.offers:
            self.publish(room, room.answer(seat, "draw", False))
        if self._may_act(room):
            act = asyncio.get_running_loop().call_later(self.script.thinks(room), self._opponent_acts, room)
            self._timers[room.id] = act

    def _may_act(self, room: ScriptedRoom) -> bool:
        """Return whether it is the opponent's turn, and the client that has to see it is connected."""
        if self.profile is Profile.LOBBY:
            return bool(self.in_room(room))
        is_seen = self.profile is not Profile.SPECTATOR or bool(self.in_room(room))
        return is_seen and room.to_move is not None and room.players[room.to_move] is None

    def _opponent_acts(self, room: ScriptedRoom) -> None:
        del self._timers[room.id]
        if room.result is not None:
            return
        if self.profile is Profile.LOBBY or (self.profile is Profile.SPECTATOR and room.ply >= LONGEST_WATCHED):
            self.publish(room, room.resign(room.players.index(None)))
        elif self._may_act(room):  # the turn may have been taken back
            self.publish(room, room.opponent_turn(self.rng))


def seat_of(room: ScriptedRoom, guest: Guest | None) -> int | None:
    """Return the seat of a player in a room, or None."""
    if guest is None:
        return None
    return next((seat for seat, player in enumerate(room.players) if player is guest.player), None)


def changes_turn(update: Update) -> bool:
    """Return whether it may be another seat's turn after an update."""
    return isinstance(update, wire.Moved) or update.kind in ("taken_back", "started")
