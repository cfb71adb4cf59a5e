"""How players find each other: a queue for each kind of game, and invitations."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from random import SystemRandom

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.feed import Ledger
from parlour.protocol.messages import Accept, Cancel, Challenge, Challenged, Message, Ok, Paired, Queue
from parlour.protocol.tables import OptionValue, Player, Terms
from parlour.server.config import Settings
from parlour.server.house import House
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import room_name
from parlour.server.rooms.opening import Guest, agreed, opening, rematch
from parlour.server.store.queue import Paired as Pair
from parlour.server.store.queue import Ticket
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

NAMES = 8  # that are tried for a room; the first one is nearly always free


MOST_SEEKS = 20  # places in queues, and open invitations, of one connection


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

    def __init__(self, store: Store, house: House, tell: Callable[[str, Message], None], settings: Settings) -> None:
        self._store = store
        self._house = house
        self._tell = tell  # a player, wherever he is connected
        self._rooms_per_player = settings.rooms_per_player
        self._delay = int(settings.watch_delay * 1000)
        self._claim_after = int(settings.claim_after * 1000)
        self._chance = SystemRandom()
        self._waiting: dict[str, tuple[Visitor, Waiting]] = {}  # by ticket
        self._withdrawn = Ledger()

    # -- the queue

    async def queue(self, visitor: Visitor, command: Queue) -> None:
        agreed(command.terms, None, self._chance)  # refuses what cannot be played
        pool = pool_of(command.terms)
        # The same command sent again is the same ticket, so it finds the pair that was made of it.
        name = _digest(f"{visitor.player} {command.id}").hex()
        ticket = Ticket(name, visitor.player, msgspec.msgpack.encode(_guest(visitor)))
        try:
            await self._check_limit(visitor)
            if len(visitor.seeks - {name}) >= MOST_SEEKS:
                raise Refusal(ErrorCode.LIMIT_REACHED, f"You wait for {MOST_SEEKS} games already. Withdraw one first.")
        except Refusal:
            pair = await self._store.queue.leave(pool, ticket)
            if pair is None:
                raise
        else:
            pair = await self._store.queue.join(pool, ticket)
        news = () if pair is None else await self._seat(pair, command.terms)
        visitor.send(Ok(id=command.id, seek=ticket.id))
        for player, paired in news:
            self._tell(player, paired)
        if pair is None and visitor.is_gone:
            await self._store.queue.leave(pool, ticket)
        elif pair is None:
            visitor.seeks.add(ticket.id)
            self._waiting[ticket.id] = (visitor, Waiting(pool, ticket, command.terms))

    async def refresh(self) -> None:
        """Keep the places of those who wait here, and learn who was paired. Call this every few seconds."""
        for ticket, (_, waiting) in list(self._waiting.items()):
            if ticket not in self._waiting:
                continue  # withdrawn since this began
            pair = await self._store.queue.join(waiting.pool, waiting.ticket)
            if pair is not None:
                for player, paired in await self._seat(pair, waiting.terms):
                    self._tell(player, paired)
            elif ticket not in self._waiting:
                await self._store.queue.leave(waiting.pool, waiting.ticket)

    async def _seat(self, pair: Pair, terms: Terms) -> Sequence[tuple[str, Paired]]:
        """Two were paired: have their room made, by whatever node is first, and give what to tell whom."""
        seed = f"{pair.first.id} {pair.second.id}"
        tickets = (pair.first, pair.second) if _digest(seed)[0] % 2 else (pair.second, pair.first)
        guests = [msgspec.msgpack.decode(ticket.note, type=Guest) for ticket in tickets]
        options, _ = agreed(terms, None, self._chance)
        room = await self._open(seed, terms, options, None, guests, None)
        return [(ticket.player, _paired(room, ticket.player, ticket.id)) for ticket in tickets]

    def paired(self, ticket: str) -> None:
        """Somebody who waits here has a game now."""
        if ticket in self._waiting:
            self._forget(self._waiting[ticket][0], ticket)

    def _forget(self, visitor: Visitor, ticket: str) -> Waiting | None:
        """The place that this connection has no longer; None if a newer connection of the player has it."""
        visitor.seeks.discard(ticket)
        if ticket not in self._waiting or self._waiting[ticket][0] is not visitor:
            return None
        return self._waiting.pop(ticket)[1]

    async def left(self, visitor: Visitor) -> None:
        """A connection is gone, and its places in queues with it."""
        for ticket in list(visitor.seeks):
            waiting = self._forget(visitor, ticket)
            if waiting is not None:
                await self._store.queue.leave(waiting.pool, waiting.ticket)

    async def cancel(self, visitor: Visitor, command: Cancel) -> None:
        answer = self._withdrawn.find(visitor.player, command.id)
        if answer is None:
            await self._withdraw(visitor, command.seek)
            answer = Ok(id=command.id)
            self._withdrawn.note(visitor.player, command.id, answer)
        visitor.send(answer)

    async def _withdraw(self, visitor: Visitor, seek: str) -> None:
        waiting = self._forget(visitor, seek)
        if waiting is not None:
            pair = await self._store.queue.leave(waiting.pool, waiting.ticket)
            if pair is not None:
                for player, paired in await self._seat(pair, waiting.terms):
                    self._tell(player, paired)
                raise Refusal(ErrorCode.SEEK_GONE, "Somebody was found for you in this very moment.")
            return
        invite = await self._invite(seek)
        if invite.host.player != visitor.player:
            raise Refusal(ErrorCode.SEEK_GONE, "That is not yours to withdraw.")
        await self._store.invites.take(seek)

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
        # Nobody can guess it, because a player's id is secret; the same command sent again has the same code.
        code = urlsafe_b64encode(_digest(f"challenge {visitor.player} {command.id}")).decode()
        if await self._room_of(visitor.player, code) is None:
            await self._check_invites(visitor)
            invite = Invite(_guest(visitor), command.terms, options, position, command.seat)
            await self._store.invites.put(code, msgspec.msgpack.encode(invite))
            visitor.invites.add(code)
        visitor.send(Ok(id=command.id, seek=code))
        if guest is not None:
            self._tell(guest, Challenged(seek=code, player=Player(visitor.name), terms=command.terms))

    async def accept(self, visitor: Visitor, command: Accept) -> None:
        try:
            invite = await self._invite(command.seek)
        except Refusal:
            # The same command sent again finds the room that was made of it.
            room = await self._room_of(visitor.player, command.seek)
            if room is None:
                raise
            visitor.send(Ok(id=command.id, room=room.id))
            return
        if invite.host.player == visitor.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play yourself.")
        await self._check_limit(visitor)
        if not await self._store.invites.take(command.seek):
            raise Refusal(ErrorCode.SEEK_GONE, "Somebody else was faster.")
        first = {"first": True, "second": False}.get(invite.seat, self._chance.random() < 0.5)
        guests = [invite.host, _guest(visitor)] if first else [_guest(visitor), invite.host]
        room = await self._open(command.seek, invite.terms, invite.options, invite.position, guests, 0 if first else 1)
        visitor.send(Ok(id=command.id, room=room.id))
        for guest in guests:
            self._tell(guest.player, _paired(room, guest.player, command.seek))

    async def _invite(self, code: str) -> Invite:
        stored = await self._store.invites.find(code)
        if stored is None:
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That invitation does not exist any more.")
        return msgspec.msgpack.decode(stored, type=Invite)

    # -- rooms

    async def _open(
        self,
        seed: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        guests: list[Guest],
        host: int | None,
    ) -> Room:
        """The room of these two: the one that was made of the same seed before, or a new one."""
        now = self._store.time.now()
        events = opening(
            terms, options, position, guests, now, host=host, delay=self._delay, claim_after=self._claim_after
        )
        for id in room_names(seed):
            await self._house.create(id, events)
            room = await self._house.load(id)
            if room is not None and all(room.seat_of(guest.player) is not None for guest in guests):
                for guest in guests:
                    await self._store.playing.add(guest.player, id)
                return room
        raise Refusal(ErrorCode.TRY_AGAIN, "No name is free for the room. Send the same command again.")

    async def _room_of(self, player: str, seed: str) -> Room | None:
        """The room that was made of this seed, if the player has a seat in it."""
        for id in room_names(seed):
            room = await self._house.load(id)
            if room is None or room.seat_of(player) is not None:
                return room
        return None

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
            if room is None or room.seat_of(visitor.player) is None or room.status == "over":
                await self._store.playing.remove(visitor.player, id)
            else:
                visitor.send(_paired(room, visitor.player))

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

    async def _check_invites(self, visitor: Visitor) -> None:
        """Count the invitations of a connection, without those that are taken by now."""
        if len(visitor.invites) >= MOST_SEEKS:
            visitor.invites = {code for code in visitor.invites if await self._store.invites.find(code) is not None}
        if len(visitor.invites) >= MOST_SEEKS:
            sentence = f"You have {MOST_SEEKS} open invitations already. Withdraw one first."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)


def _guest(visitor: Visitor) -> Guest:
    return Guest(visitor.player, visitor.name)


def _paired(room: Room, player: str, seek: str | None = None) -> Paired:
    seat = room.seat_of(player)
    assert seat is not None
    return Paired(room=room.id, seat=seat, seek=seek)


def pool_of(terms: Terms) -> str:
    """The name of the queue for these terms: always written the same way."""
    return msgspec.json.encode(terms, order="deterministic").decode()


def room_names(seed: str) -> Iterator[str]:
    """Names for the room that is made of a seed, the same on every node. One that another game has is passed over."""
    for number in range(NAMES):
        yield room_name(int.from_bytes(_digest(f"{seed} {number}"), "big"))


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=9).digest()
