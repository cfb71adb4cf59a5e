"""Quick match: a queue for each kind of game. Whoever waits here is looked after every second."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Message, Ok, Paired, Queue
from parlour.protocol.tables import Terms
from parlour.server.allowance import Allowance, Kind
from parlour.server.lobby.tables import Tables, digest, goes_first, guest_of, paired
from parlour.server.rooms.opening import Guest
from parlour.server.store.queue import Paired as Pair
from parlour.server.store.queue import Ticket
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

MOST_SEEKS = 20  # seeks and places in queues of one connection


class Note(Struct, frozen=True, array_like=True):
    """What is needed to seat somebody who was paired."""

    guest: Guest
    went_first: int  # when he was given the first seat for the last time


class Waiting(Struct, frozen=True):
    """A place in a queue."""

    visitor: Visitor
    pool: str
    ticket: Ticket
    terms: Terms


class QuickMatch:
    """The places of those who are connected here, in the queues of all nodes."""

    def __init__(
        self, store: Store, tables: Tables, allowance: Allowance, tell: Callable[[str, Message], None]
    ) -> None:
        self._store = store
        self._tables = tables
        self._allowance = allowance
        self._tell = tell  # a player, wherever he is connected
        self._waiting: dict[str, Waiting] = {}  # by ticket, in the order in which they came

    async def queue(self, visitor: Visitor, command: Queue) -> None:
        self._tables.agreed(command.terms)  # refuses what cannot be played
        pool = pool_of(command.terms)
        ticket = await self._ticket(visitor, command)
        try:
            await self._allowance.check(Kind.SEEK, visitor)
            await self._tables.check_limit(visitor.player)
            with reserved(visitor.seeks, ticket.id):
                [pair] = await self._store.queue.join(pool, [ticket], self._store.time.now())
        except Refusal:
            pair = await self._store.queue.leave(pool, ticket)
            if pair is None:
                raise
        if pair is not None:
            visitor.seeks.discard(ticket.id)
        news = () if pair is None else await self._seat(pair, command.terms)
        visitor.send(Ok(id=command.id, seek=ticket.id))
        self._spread(news)
        if pair is None and visitor.is_gone:
            await self._store.queue.leave(pool, ticket)
        elif pair is None:
            self._waiting[ticket.id] = Waiting(visitor, pool, ticket, command.terms)

    async def _ticket(self, visitor: Visitor, command: Queue) -> Ticket:
        game, player = command.terms.game, visitor.player
        rating = await self._store.ratings.rating(player, game)
        went_first = await self._store.playing.first_seat(player, game)
        note = Note(guest_of(visitor, rating, self._store.time.now()), went_first)
        # The same command sent again is the same ticket, so it finds the pair that was made of it.
        name = digest(f"queue {player} {command.id}").hex()
        return Ticket(name, player, round(rating.rating), msgspec.msgpack.encode(note))

    async def refresh(self) -> None:
        """Keep the places of those who wait here, and learn who was paired. Call this every second."""
        pools: defaultdict[str, list[Waiting]] = defaultdict(list)
        for waiting in self._waiting.values():
            pools[waiting.pool].append(waiting)
        for pool, places in pools.items():
            tickets = [waiting.ticket for waiting in places]
            pairs = await self._store.queue.join(pool, tickets, self._store.time.now())
            for waiting, pair in zip(places, pairs, strict=True):
                if pair is not None:
                    self._spread(await self._seat(pair, waiting.terms))
                elif waiting.ticket.id not in self._waiting:  # withdrawn since this began
                    await self._store.queue.leave(pool, waiting.ticket)

    async def _seat(self, pair: Pair, terms: Terms) -> Sequence[tuple[str, Paired]]:
        """Two were paired: have their room made, by whatever node is first, and give what to tell whom."""
        seed = f"{pair.first.id} {pair.second.id}"
        notes = [msgspec.msgpack.decode(ticket.note, type=Note) for ticket in (pair.first, pair.second)]
        guests = [note.guest for note in notes]
        if not goes_first(notes[0].went_first, notes[1].went_first, seed):
            guests.reverse()
        options, _ = self._tables.agreed(terms)
        room = await self._tables.open_table(seed, terms, options, None, guests, None)
        return [(ticket.player, paired(room, ticket.player, ticket.id)) for ticket in (pair.first, pair.second)]

    def _spread(self, news: Sequence[tuple[str, Paired]]) -> None:
        for player, told in news:
            self._tell(player, told)

    def forget(self, ticket: str) -> None:
        """Somebody who waits here has a game now."""
        waiting = self._waiting.get(ticket)
        if waiting is not None:
            self._give_up(waiting.visitor, ticket)

    async def withdraw(self, visitor: Visitor, ticket: str) -> bool:
        """Whether this connection had that place, and has it no longer. Refuses if it is too late."""
        waiting = self._give_up(visitor, ticket)
        if waiting is None:
            return False
        pair = await self._store.queue.leave(waiting.pool, waiting.ticket)
        if pair is not None:
            self._spread(await self._seat(pair, waiting.terms))
            raise Refusal(ErrorCode.SEEK_GONE, "Somebody was found for you in this very moment.")
        return True

    async def left(self, visitor: Visitor) -> None:
        """A connection is gone, and its places in queues with it."""
        for ticket in list(visitor.seeks):
            waiting = self._give_up(visitor, ticket)
            if waiting is not None:
                await self._store.queue.leave(waiting.pool, waiting.ticket)

    def _give_up(self, visitor: Visitor, ticket: str) -> Waiting | None:
        """The place that this connection has no longer; None if a newer connection of the player has it."""
        if ticket not in self._waiting or self._waiting[ticket].visitor is not visitor:
            return None
        visitor.seeks.discard(ticket)
        return self._waiting.pop(ticket)


@contextmanager
def reserved(names: set[str], name: str, words: str = "seeks and places in queues") -> Iterator[None]:
    """Count one more of a connection's seeks, queues or invitations while it is made; not, if it cannot be made.

    Refuses when there are too many. What a client asks for at the same time is counted as well, because this is
    before anything has to be waited for.
    """
    is_new = name not in names
    if is_new and len(names) >= MOST_SEEKS:
        raise Refusal(ErrorCode.LIMIT_REACHED, f"You have {MOST_SEEKS} {words} already. Withdraw one first.")
    names.add(name)
    try:
        yield
    except BaseException:
        if is_new:
            names.discard(name)
        raise


def pool_of(terms: Terms) -> str:
    """The name of the queue for these terms: the same for all that mean the same."""
    options = dict(games.find(terms.game).options(terms.options))
    if "seed" not in terms.options:
        options.pop("seed", None)  # it is drawn for each game
    settled = Terms(terms.game, options, terms.clock, terms.rated)
    return msgspec.json.encode(settled, order="deterministic").decode()
