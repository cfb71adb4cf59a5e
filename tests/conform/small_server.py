"""A small server that keeps every rule: in one process, in memory, a thin layer over the rules of the games.

Each decision is a method of its own, so that a broken variant overrides one of them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from parlour.conform.connection import Connection, Guest, Session
from parlour.conform.script import Close, Script
from parlour.conform.scripted_lobby import Invitation
from parlour.conform.scripted_room import ScriptedRoom
from parlour.conform.scripted_server import ScriptedServer
from parlour.protocol import messages as wire
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.replica import Update
from parlour.protocol.types import GameCard, Level, Player, Terms
from tests.conform.small_room import SmallRoom

HELLO_TIMEOUT = 10.0
FLOOD = 2500  # messages of one connection in a second


class SmallServer(ScriptedServer):
    """Accounts, seeks, challenges, the computer, clocks, offers, presence, records and ratings."""

    def __init__(self, script: Script | None = None, **options: Any) -> None:
        super().__init__(script, opponent=False, **options)
        self.passwords: dict[str, str] = {}
        self.accounts: dict[str, Guest] = {}  # by name
        self.ratings: dict[str, int] = {}
        self.counted: set[str] = set()  # rooms whose result was counted
        self.own_tokens = 0
        self.received: dict[Connection, list[float]] = {}
        self.flags: dict[str, asyncio.TimerHandle] = {}
        self.timers: list[asyncio.TimerHandle] = []

    async def __aexit__(self, *error: Any) -> None:
        for timer in [*self.timers, *self.flags.values()]:
            timer.cancel()
        await super().__aexit__(*error)

    def later(self, seconds: float, act: Any, *arguments: Any) -> asyncio.TimerHandle:
        timer = asyncio.get_running_loop().call_later(seconds, act, *arguments)
        self.timers.append(timer)
        return timer

    # -- connections

    def receive(self, connection: Connection, session: Session, frame: bytes | str) -> None:
        times = self.received.setdefault(connection, [])
        times.append(self.now)
        if len([each for each in times[-FLOOD - 1 :] if each > self.now - 1]) > FLOOD:
            self.flooded(connection)
            return
        super().receive(connection, session, frame)

    def flooded(self, connection: Connection) -> None:
        if not connection.lost:
            connection.put(Close(CloseCode.FLOOD))

    def opened(self, connection: Connection) -> None:
        self.later(HELLO_TIMEOUT, self.expect_hello, connection)

    def expect_hello(self, connection: Connection) -> None:
        if connection.guest is None:
            connection.put(Close(CloseCode.NO_HELLO))

    def invite(self, connection: Connection) -> None:
        """Tell of the open challenges, and that the player is there."""
        guest = connection.guest
        assert guest is not None
        for challenge in self.lobby.invitations.values():
            if challenge.to == guest.player.name:
                connection.send(challenge.told)
        self.later(0, self.here, guest)

    def here(self, guest: Guest) -> None:
        for room, seat in self.seats(guest):
            assert isinstance(room, SmallRoom)
            room.offline_since.pop(seat, None)
            self.show_presence(room)

    def gone(self, guest: Guest) -> None:
        """Note that the last connection of a player is lost."""
        super().gone(guest)
        for room, seat in self.seats(guest):
            assert isinstance(room, SmallRoom)
            room.offline_since[seat] = self.now
            self.show_presence(room)

    def show_presence(self, room: SmallRoom) -> None:
        waits = [wait for seat in (0, 1) if (wait := room.claim_in(seat)) is not None]
        online = tuple(seat not in room.offline_since for seat in (0, 1))
        self.to_all(room, [wire.Presence(room=room.id, online=online, claim_in=min(waits, default=None))])

    # -- rooms

    def card(self, key: str) -> GameCard:
        return replace(super().card(key), levels=(Level("1", "Beginner"),))

    def new_room(self, id: str, terms: Terms, players: Sequence[Player | None]) -> ScriptedRoom:
        return SmallRoom(id, terms, players, lambda: asyncio.get_running_loop().time(), self._budget)

    def chooser(self, room: ScriptedRoom, host: int) -> int | None:
        """Return the seat that chooses who moves first, if one player designed the board."""
        options = room.game.options(room.terms.options)
        own = any(spec.kind == "layout" and options[spec.key] not in spec.choices for spec in room.game.info.options)
        return 1 - host if own else None

    def change(self, room: ScriptedRoom, seat: int, command: Any) -> list[Update]:
        assert isinstance(room, SmallRoom)
        match command:
            case wire.Claim():
                return room.claim(seat)
            case wire.ChooseFirst():
                return room.choose_first(seat, command.go_first)
        return super().change(room, seat, command)

    def publish(self, room: ScriptedRoom, updates: Sequence[Update]) -> None:
        assert isinstance(room, SmallRoom)
        if room.next is not None and room.next not in self.rooms:
            self.rooms[room.next] = self.new_room(room.next, room.terms, self.rematch_players(room))
        super().publish(room, updates)
        self.watch_clock(room)
        if room.result is not None:
            self.lobby.ended(room.id)
        if room.result is not None and room.terms.rated and room.id not in self.counted:
            self.counted.add(room.id)
            self.to_all(room, [wire.Rated(room=room.id, ratings=self.rate(room.result.winner))])

    def rematch_players(self, room: SmallRoom) -> Sequence[Player | None]:
        return room.players[::-1]

    def rate(self, winner: int | None) -> tuple[int, ...]:
        return tuple(1500 + (0 if winner is None else 10 if seat == winner else -10) for seat in (0, 1))

    def watch_clock(self, room: SmallRoom) -> None:
        """Set the timer that ends the game when the flag falls."""
        if room.id in self.flags:
            self.flags.pop(room.id).cancel()
        if room.flag_in is not None:
            self.flags[room.id] = asyncio.get_running_loop().call_later(room.flag_in, self.fall, room)

    def fall(self, room: SmallRoom) -> None:
        del self.flags[room.id]
        if room.to_move is not None and room.result is None:
            self.publish(room, room.flag(room.to_move))

    # -- commands

    def handle(self, connection: Connection, command: wire.Command) -> None:
        if isinstance(command, wire.Seek) and connection.guest is not None:
            # A seek ends with its connection, so it is created again when it is sent again.
            with contextlib.suppress(Refusal):
                known = connection.guest.replies.get(connection.session_id, command)
                if isinstance(known, wire.Ok) and known.seek not in {*self.lobby.invitations, *self.paired}:
                    self.seek(connection, connection.guest, command)
                    return
        super().handle(connection, command)

    def carry_out_other(self, connection: Connection, guest: Guest, command: wire.Command) -> None:
        match command:
            case wire.Seek():
                self.seek(connection, guest, command)
            case wire.Challenge():
                self.challenge(connection, guest, command)
            case wire.Create():
                self.create(connection, guest, command)
            case wire.Claim() | wire.ChooseFirst():
                room, seat = self.at_table(connection, guest, command.room)
                updates = self.change(room, seat, command)
                first = updates[0]
                self.answer(connection, guest, command, wire.Ok(id=command.id, seq=first.seq, epoch=first.epoch))
                self.publish(room, updates)
            case wire.Register():
                self.register(connection, guest, command)
            case wire.SignIn():
                self.sign_in(connection, command)
            case wire.SignOut():
                self.answer(connection, guest, command, wire.Ok(id=command.id))
                self.end_tokens(guest, None if command.everywhere else connection.token)
            case wire.CreateBot():
                self.create_bot(connection, guest, command)
            case wire.GetRecord():
                connection.send(self.record(command.id, command.room))
            case wire.ReadRecord():
                connection.send(self.read_record(command))
            case wire.ListGames():
                connection.send(wire.Games(id=command.id, rows=self.finished(command.player)))
            case wire.GetProfile():
                (player,) = self.named(command.name) or (None,)
                if player is None:
                    raise Refusal(ErrorCode.PLAYER_UNKNOWN, "There is no such player.")
                connection.send(wire.Profile(id=command.id, player=player.player, created=0))
            case _:
                super().carry_out_other(connection, guest, command)

    # -- meeting

    def seek(self, connection: Connection, guest: Guest, command: wire.Seek) -> None:
        self.new_room("terms", command.terms, (None, None))  # refuses invalid terms
        id = f"seek-{connection.session_id}-{command.id}"
        self.answer(connection, guest, command, wire.Ok(id=command.id, seek=id))
        self.lobby.add(Invitation(id, command.terms, guest, connection, command.seat))

    def challenge(self, connection: Connection, guest: Guest, command: wire.Challenge) -> None:
        self.new_room("terms", command.terms, (None, None))
        to = self.named(command.to) if command.to else []
        if command.to and not to:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, "There is no such player.")
        id = f"challenge-{len(self.lobby.invitations)}-{command.id}-{connection.session_id}"
        self.answer(connection, guest, command, wire.Ok(id=command.id, seek=id))
        invitation = Invitation(id, command.terms, guest, None, command.seat, is_challenge=True, to=command.to)
        self.lobby.add(invitation)
        for player in to:
            for each in self.of(player):
                each.send(invitation.told)

    def accept(self, connection: Connection, guest: Guest, accept: wire.Accept) -> None:
        invitation = self.lobby.invitations.get(accept.seek)
        if invitation is not None and invitation.to not in (None, guest.player.name):
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That challenge is for another player.")
        super().accept(connection, guest, accept)

    def pair(
        self, terms: Terms, guests: Sequence[Guest | None], seeks: Sequence[str], room_id: str | None = None
    ) -> ScriptedRoom:
        room = super().pair(terms, guests, seeks, room_id)
        assert isinstance(room, SmallRoom)
        players = tuple(player or Player("Computer", bot=True) for player in room.players)
        self.lobby.began(wire.LiveGame(room.id, terms.game, players))
        host = next((seat for seat, each in enumerate(guests) if each is self.host_of.get(seeks[0])), 0)
        room.chooser = self.chooser(room, host)
        return room

    @property
    def host_of(self) -> dict[str, Guest | None]:
        """The creators of all seeks and challenges that there ever were."""
        return {id: each.host for id, each in self.lobby.created.items()}

    def create(self, connection: Connection, guest: Guest, command: wire.Create) -> None:
        if any(level not in (None, "1") for level in command.levels):
            raise Refusal(ErrorCode.LEVEL_UNKNOWN, "There is no such level.")
        room_id = f"room-{len(self.rooms) + 1}"
        self.answer(connection, guest, command, wire.Ok(id=command.id, room=room_id))
        self.pair(command.terms, [None if level else guest for level in command.levels], ["", ""], room_id)

    # -- accounts

    def new_token(self, guest: Guest) -> str:
        self.own_tokens += 1
        token = f"account-{self.own_tokens}"
        self.guests[token] = guest
        return token

    def register(self, connection: Connection, guest: Guest, command: wire.Register) -> None:
        if command.name in self.passwords:
            raise Refusal(ErrorCode.NAME_TAKEN, "That name is taken.")
        self.passwords[command.name] = command.password
        guest.player = Player(command.name)
        self.accounts[command.name] = guest
        answer = wire.SignedIn(id=command.id, you=guest.player, token=self.new_token(guest))
        self.answer(connection, guest, command, answer)

    def sign_in(self, connection: Connection, command: wire.SignIn) -> None:
        if self.passwords.get(command.name) != command.password:
            raise Refusal(ErrorCode.SIGN_IN_REFUSED, "Check the name and the password.")
        guest = self.accounts[command.name]
        connection.send(wire.SignedIn(id=command.id, you=guest.player, token=self.new_token(guest)))

    def end_tokens(self, guest: Guest, only: str | None) -> None:
        """End one token of a player, or all, and close the connections that have it."""
        ended = [token for token, each in self.guests.items() if each is guest and only in (None, token)]
        for token in ended:
            del self.guests[token]
        for connection in self.of(guest):
            if connection.token in ended:
                connection.put(Close(CloseCode.SIGNED_OUT))

    def create_bot(self, connection: Connection, guest: Guest, command: wire.CreateBot) -> None:
        if guest.player.name not in self.passwords:
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, "Guests cannot have bots.")
        bot = Guest(command.name, "")
        bot.player = Player(command.name, bot=True)
        bot.token = self.new_token(bot)
        self.answer(connection, guest, command, wire.SignedIn(id=command.id, you=bot.player, token=bot.token))

    # -- records

    def record(self, id: int, room_id: str) -> wire.Record:
        room = self.rooms.get(room_id)
        if room is None:
            raise Refusal(ErrorCode.RECORD_UNKNOWN, "There is no such record.")
        return wire.Record(
            id=id,
            room=room.id,
            terms=room.terms,
            options=dict(room.game.options(room.terms.options)),
            players=tuple(player or Player("Computer", bot=True) for player in room.players),
            moves=tuple(wire.RecordedMove(text) for text in room.texts),
            rules_version=1,
            replayable=True,
            result=room.result,
            ended=1 if room.result else 0,
            text=f"{room.id}: {' '.join(room.texts)}" if room.result else "",
        )

    def read_record(self, command: wire.ReadRecord) -> wire.Record:
        found = [room for room in self.rooms.values() if self.record(0, room.id).text == command.text]
        if not found:
            raise Refusal(ErrorCode.RECORD_BROKEN, "The record was altered.")
        return self.record(command.id, found[0].id)

    def finished(self, name: str | None) -> tuple[wire.GameSummary, ...]:
        rows = []
        for room in self.rooms.values():
            players = tuple(player or Player("Computer", bot=True) for player in room.players)
            if room.result is not None and (name is None or name in [player.name for player in players]):
                rows.append(wire.GameSummary(room.id, room.terms.game, players, room.result, room.ply, 1))
        return tuple(rows)

    # -- a kill

    async def restart(self) -> None:
        """Lose all connections and what was not acknowledged, as a kill does; the clock goes on."""
        for connection in list(self.connections):
            connection.socket.transport.abort()
        await asyncio.sleep(1)
