"""Quick match: players queue for a kind of game and are paired by rating."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Accept, Message, Ok, Paired, Queue
from parlour.protocol.types import Terms
from parlour.server.matchmaking.pairing import SAME_NETWORK_AFTER, TOLERANCE
from parlour.server.matchmaking.reservations import reserve
from parlour.server.matchmaking.room_factory import (
    RoomFactory,
    goes_first,
    paired_message,
    participant_of,
    short_hash,
)  # fmt: skip
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.events import Participant
from parlour.server.sessions.session import Session
from parlour.server.store.queue import Pair, Ticket
from parlour.server.store.seeks import Owner
from parlour.server.store.store import Store

encode = msgspec.msgpack.Encoder().encode


class TicketPayload(Struct, frozen=True, array_like=True):
    """The data needed to seat a paired player."""

    participant: Participant
    last_first_seat: int  # when the player last had the first seat
    network: str = ""


decode_payload = msgspec.msgpack.Decoder(TicketPayload).decode


class QueueEntry(Struct, frozen=True):
    """A session's place in a queue."""

    session: Session
    pool: str
    ticket: Ticket
    terms: Terms


class QuickMatch:
    """The queue entries of this node's sessions, in the queues that all nodes share."""

    def __init__(
        self,
        store: Store,
        room_factory: RoomFactory,
        owner_of: Callable[[Session], Owner],
        network_of: Callable[[Session], str],
        send: Callable[[str, Message], None],
    ) -> None:
        """`send` sends a message to a player on every node."""
        self._store = store
        self._ratings = Ratings(store.ratings)
        self._room_factory = room_factory
        self._owner_of = owner_of
        self._network_of = network_of
        self._send = send
        self._entries: dict[str, QueueEntry] = {}  # by ticket, in the order of arrival

    @property
    def entries(self) -> Mapping[str, QueueEntry]:
        """The places of this node's sessions, by ticket."""
        return self._entries

    @property
    def waiting(self) -> int:
        """How many players of this node are in queues."""
        return len(self._entries)

    async def queue(self, session: Session, command: Queue) -> None:
        """Pair the session's player, or let the player wait."""
        self._room_factory.resolve_terms(command.terms)  # refuses terms that cannot be played
        pool = pool_of(command.terms)
        ticket = await self._ticket(session, command, command.terms.game)
        try:
            await self._room_factory.check_limit(session.player)
            if ticket.id not in self._entries:
                self._check_places(session)
            with reserve(session.seeks, ticket.id, "seeks and queued games"):
                [pair] = await self._join(pool, [(session, ticket)])
        except Refusal:
            pair = await self._store.queue.leave(pool, ticket)
            if pair is None:
                raise
        if pair is not None:
            session.seeks.discard(ticket.id)
        messages = () if pair is None else await self._open_room(pair, command.terms)
        session.send(Ok(id=command.id, seek=ticket.id))
        self._send_all(messages)
        if pair is None and session.is_closed:
            await self._store.queue.leave(pool, ticket)
        elif pair is None:
            self._entries[ticket.id] = QueueEntry(session, pool, ticket, command.terms)

    async def accept(self, session: Session, command: Accept, host: str, terms: Terms) -> None:
        """Pair the session's player at once with a player who waits for these terms, or refuse.

        `host` is the listed player; of several waiting players, the first one to arrive plays.
        """
        if host == session.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play against yourself. Wait for another player.")
        pool = pool_of(terms)
        if any(entry.pool == pool and entry.ticket.player == session.player for entry in self._entries.values()):
            raise Refusal(ErrorCode.OWN_SEEK, "You are both in this queue, and play as soon as your ratings allow it.")
        ticket = await self._ticket(session, command, terms.game)
        await self._room_factory.check_limit(session.player)
        [pair] = await self._join(pool, [(session, ticket)])
        if pair is None:
            pair = await self._store.queue.leave(pool, ticket)
        if pair is None:
            sentence = "That player has left, or is waiting for an opponent closer in rating. Choose another one."
            raise Refusal(ErrorCode.SEEK_GONE, sentence)
        (_, first), (_, second) = messages = await self._open_room(pair, terms)
        assert first.room == second.room
        session.send(Ok(id=command.id, room=first.room))
        self._send_all(messages)

    def _check_places(self, session: Session) -> None:
        """Refuse another place to a player or an address with too many, on all connections to this node together."""
        owner = self._owner_of(session)
        waiting = [self._owner_of(entry.session) for entry in self._entries.values()]
        if sum(other.player == owner.player for other in waiting) >= owner.per_player:
            raise Refusal(ErrorCode.LIMIT_REACHED, "You are in too many queues. Leave one first.")
        if sum(other.address == owner.address for other in waiting) >= owner.per_address:
            raise Refusal(ErrorCode.LIMIT_REACHED, "Too many players from your network are waiting. Try again later.")

    async def _ticket(self, session: Session, command: Queue | Accept, game: str) -> Ticket:
        player = session.player
        rating = await self._ratings.get(player, game)
        last_first_seat = await self._store.seats.first_seat(player, game)
        network = self._network_of(session)
        payload = TicketPayload(participant_of(session, rating, self._store.clock.now()), last_first_seat, network)
        # A repeated command gets the same ticket, and therefore the same pair.
        id = short_hash(session.command_key(command)).hex()
        return Ticket(id, player, round(rating.rating), encode(payload), network=network)

    async def _join(self, pool: str, tickets: Sequence[tuple[Session, Ticket]]) -> list[Pair | None]:
        # The player may have blocked others since the last call.
        renewed = [replace(ticket, avoids=tuple(session.block_lists.blocked)) for session, ticket in tickets]
        return await self._store.queue.join(pool, renewed, self._store.clock.now(), TOLERANCE, SAME_NETWORK_AFTER)

    async def refresh(self) -> None:
        """Renew the entries of this node, and open rooms for those that were paired. Call this every second."""
        pools: defaultdict[str, list[QueueEntry]] = defaultdict(list)
        for entry in self._entries.values():
            pools[entry.pool].append(entry)
        for pool, entries in pools.items():
            pairs = await self._join(pool, [(entry.session, entry.ticket) for entry in entries])
            for entry, pair in zip(entries, pairs, strict=True):
                if pair is not None:
                    self._send_all(await self._open_room(pair, entry.terms))
                elif entry.ticket.id not in self._entries:  # withdrawn during the call
                    await self._store.queue.leave(pool, entry.ticket)

    async def _open_room(self, pair: Pair, terms: Terms) -> Sequence[tuple[str, Paired]]:
        """Open the room of a pair, unless another node has done so, and return the message to each player."""
        seed = f"{pair.first.id} {pair.second.id}"
        payloads = [decode_payload(ticket.payload) for ticket in (pair.first, pair.second)]
        if not goes_first(payloads[0].last_first_seat, payloads[1].last_first_seat, seed):
            payloads.reverse()
        players = (payloads[0].participant, payloads[1].participant)
        options, _ = self._room_factory.resolve_terms(terms)
        room = await self._room_factory.open_room(
            seed, terms, options, None, players, None, (payloads[0].network, payloads[1].network)
        )
        return [(ticket.player, paired_message(room, ticket.player, ticket.id)) for ticket in (pair.first, pair.second)]

    def _send_all(self, messages: Sequence[tuple[str, Paired]]) -> None:
        for player, message in messages:
            self._send(player, message)

    # -- leaving the queue

    def paired(self, ticket: str) -> None:
        """Remove an entry whose player has been paired."""
        entry = self._entries.get(ticket)
        if entry is not None:
            self._remove(entry.session, ticket)

    async def withdraw(self, session: Session, ticket: str) -> bool:
        """Leave a queue; return False if the session has no such entry. Refuse if it has been paired."""
        entry = self._remove(session, ticket)
        if entry is None:
            return False
        pair = await self._store.queue.leave(entry.pool, entry.ticket)
        if pair is not None:
            self._send_all(await self._open_room(pair, entry.terms))
            sentence = "Too late: an opponent was just found. Resign if you do not want to play."
            raise Refusal(ErrorCode.SEEK_GONE, sentence)
        return True

    async def session_closed(self, session: Session) -> None:
        """Leave all queues of a session."""
        for ticket in list(session.seeks):
            entry = self._remove(session, ticket)
            if entry is not None:
                await self._store.queue.leave(entry.pool, entry.ticket)

    def _remove(self, session: Session, ticket: str) -> QueueEntry | None:
        """Remove and return an entry of this session; None if a newer session of the player has it."""
        if ticket not in self._entries or self._entries[ticket].session is not session:
            return None
        session.seeks.discard(ticket)
        return self._entries.pop(ticket)


def pool_of(terms: Terms) -> str:
    """Return the name of the queue for these terms, which is the same for equivalent terms."""
    options = dict(games.find(terms.game).options(terms.options))
    if "seed" not in terms.options:
        options.pop("seed", None)  # drawn for each game
    canonical = Terms(terms.game, options, terms.clock, terms.rated)
    return msgspec.json.encode(canonical, order="deterministic").decode()
