"""How players find each other: a queue for each kind of game, and invitations."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import blake2b
from random import SystemRandom

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Accept, Cancel, Challenge, Challenged, Message, Ok, Paired, Queue
from parlour.protocol.tables import OptionValue, Player, Terms
from parlour.server.house import House
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import room_name
from parlour.server.rooms.opening import Guest, agreed, opening, rematch
from parlour.server.store.queue import Paired as Pair
from parlour.server.store.queue import Ticket
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor


class Invite(Struct, frozen=True):
    """An open invitation, as it is stored."""

    host: Guest
    terms: Terms
    options: dict[str, OptionValue]
    position: str | None
    seat: str


class Waiting(Struct, frozen=True):
    """A place in a queue."""

    pool: str
    ticket: Ticket
    terms: Terms


class Lobby:
    """Makes rooms for players who want to play each other."""

    def __init__(
        self, store: Store, house: House, tell: Callable[[str, Message], None], rooms_per_player: int, delay: int
    ) -> None:
        self._store = store
        self._house = house
        self._tell = tell  # a player, wherever he is connected
        self._rooms_per_player = rooms_per_player
        self._delay = delay  # milliseconds by which watchers are behind
        self._chance = SystemRandom()
        self._waiting: dict[str, tuple[Visitor, Waiting]] = {}  # by ticket

    # -- the queue

    async def queue(self, visitor: Visitor, command: Queue) -> None:
        await self._check_limit(visitor)
        agreed(command.terms, None, self._chance)  # refuses what cannot be played
        pool = msgspec.json.encode(command.terms, order="deterministic").decode()
        # The same command sent again is the same ticket, so it finds the pair that was made of it.
        name = blake2b(f"{visitor.player} {command.id}".encode(), digest_size=9).hexdigest()
        ticket = Ticket(name, visitor.player, msgspec.msgpack.encode(_guest(visitor)))
        waiting = Waiting(pool, ticket, command.terms)
        pair = await self._store.queue.join(pool, ticket)
        visitor.send(Ok(id=command.id, seek=ticket.id))
        if pair is not None:
            await self._seat(pair, command.terms)
        elif not visitor.is_gone:
            visitor.seeks.add(ticket.id)
            self._waiting[ticket.id] = (visitor, waiting)
        else:
            await self._store.queue.leave(pool, ticket)

    async def refresh(self) -> None:
        """Keep the places of those who wait here, and learn who was paired. Call this every few seconds."""
        for visitor, waiting in list(self._waiting.values()):
            pair = await self._store.queue.join(waiting.pool, waiting.ticket)
            if pair is not None:
                self._forget(visitor, waiting.ticket.id)
                await self._seat(pair, waiting.terms)

    async def _seat(self, pair: Pair, terms: Terms) -> None:
        """Two were paired. Either node may make the room, and it is made once."""
        digest = blake2b(f"{pair.first.id} {pair.second.id}".encode(), digest_size=8).digest()
        id = room_name(int.from_bytes(digest, "big"))
        tickets = (pair.first, pair.second) if digest[0] % 2 else (pair.second, pair.first)
        guests = [msgspec.msgpack.decode(ticket.note, type=Guest) for ticket in tickets]
        options, _ = agreed(terms, None, self._chance)
        await self._open(id, terms, options, None, guests, None)
        for seat, ticket in enumerate(tickets):
            self._tell(ticket.player, Paired(room=id, seat=seat, seek=ticket.id))

    def paired(self, ticket: str) -> None:
        """Somebody who waits here was paired by another node."""
        if ticket in self._waiting:
            self._forget(self._waiting[ticket][0], ticket)

    def _forget(self, visitor: Visitor, ticket: str) -> None:
        visitor.seeks.discard(ticket)
        self._waiting.pop(ticket, None)

    async def left(self, visitor: Visitor) -> None:
        """A connection is gone, and its places in queues with it."""
        for ticket in list(visitor.seeks):
            _, waiting = self._waiting[ticket]
            self._forget(visitor, ticket)
            await self._store.queue.leave(waiting.pool, waiting.ticket)

    async def cancel(self, visitor: Visitor, command: Cancel) -> None:
        if command.seek in visitor.seeks:
            _, waiting = self._waiting[command.seek]
            self._forget(visitor, command.seek)
            await self._store.queue.leave(waiting.pool, waiting.ticket)
        else:
            invite = await self._invite(command.seek)
            if invite.host.player != visitor.player:
                raise Refusal(ErrorCode.SEEK_GONE, "That is not yours to withdraw.")
            await self._store.invites.take(command.seek)
        visitor.send(Ok(id=command.id))

    # -- invitations

    async def challenge(self, visitor: Visitor, command: Challenge) -> None:
        await self._check_limit(visitor)
        options, position = agreed(command.terms, command.position, self._chance)
        guest = None
        if command.to is not None:
            guest = await self._store.players.named(command.to)
            if guest is None:
                raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"Nobody is called {command.to}.")
            if guest == visitor.player:
                raise Refusal(ErrorCode.OWN_SEEK, "You cannot play yourself.")
        code = secrets.token_urlsafe(9)
        invite = Invite(_guest(visitor), command.terms, options, position, command.seat)
        await self._store.invites.put(code, msgspec.msgpack.encode(invite))
        visitor.send(Ok(id=command.id, seek=code))
        if guest is not None:
            self._tell(guest, Challenged(seek=code, player=Player(visitor.name), terms=command.terms))

    async def accept(self, visitor: Visitor, command: Accept) -> None:
        id = room_name(int.from_bytes(blake2b(command.seek.encode(), digest_size=8).digest(), "big"))
        try:
            invite = await self._invite(command.seek)
        except Refusal:
            # The same command sent again finds the room that was made of it.
            room = await self._house.load(id)
            if room is None or room.seat_of(visitor.player) is None:
                raise
            visitor.send(Ok(id=command.id, room=id))
            return
        if invite.host.player == visitor.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play yourself.")
        await self._check_limit(visitor)
        if not await self._store.invites.take(command.seek):
            raise Refusal(ErrorCode.SEEK_GONE, "Somebody else was faster.")
        first = {"first": True, "second": False}.get(invite.seat, self._chance.random() < 0.5)
        guests = [invite.host, _guest(visitor)] if first else [_guest(visitor), invite.host]
        await self._open(id, invite.terms, invite.options, invite.position, guests, 0 if first else 1)
        visitor.send(Ok(id=command.id, room=id))
        for seat, guest in enumerate(guests):
            self._tell(guest.player, Paired(room=id, seat=seat, seek=command.seek))

    async def _invite(self, code: str) -> Invite:
        stored = await self._store.invites.find(code)
        if stored is None:
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That invitation does not exist any more.")
        return msgspec.msgpack.decode(stored, type=Invite)

    # -- rooms

    async def _open(
        self,
        id: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        guests: list[Guest],
        host: int | None,
    ) -> None:
        now = self._store.time.now()
        events = opening(terms, options, position, guests, now, host=host, delay=self._delay)
        await self._house.create(id, events)
        for guest in guests:
            await self._store.playing.add(guest.player, id)

    async def rematch(self, room: Room) -> None:
        """The next game of the same two, which may have been made already."""
        assert room.next is not None
        events = rematch(room, self._store.time.now(), self._chance)
        if await self._house.create(room.next, events):
            for chair in room.chairs:
                if chair is not None:
                    await self._store.playing.add(chair.player, room.next)

    async def remind(self, visitor: Visitor) -> None:
        """Tell somebody who came back which games are still on."""
        for id in await self._store.playing.rooms(visitor.player):
            room = await self._house.load(id)
            seat = None if room is None else room.seat_of(visitor.player)
            if room is None or seat is None or room.status == "over":
                await self._store.playing.remove(visitor.player, id)
            else:
                visitor.send(Paired(room=room.id, seat=seat))

    async def _check_limit(self, visitor: Visitor) -> None:
        """Count the games of a player, without those that are over by now."""
        if await self._store.playing.count(visitor.player) < self._rooms_per_player:
            return
        running = 0
        for id in await self._store.playing.rooms(visitor.player):
            room = await self._house.load(id)
            if room is None or room.status == "over":
                await self._store.playing.remove(visitor.player, id)
            else:
                running += 1
        if running >= self._rooms_per_player:
            raise Refusal(ErrorCode.LIMIT_REACHED, f"You have {running} games already. Finish one first.")


def _guest(visitor: Visitor) -> Guest:
    return Guest(visitor.player, visitor.name)
