"""The lobby of a node: quick match, seeks, live games and their subscribers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from parlour.protocol.messages import Accept, Cancel, Challenge, Message, Ok, Queue, Seek, WatchLobby
from parlour.protocol.reply_cache import ReplyCache
from parlour.server.configuration.settings import Settings
from parlour.server.matchmaking.live_games import LiveGames
from parlour.server.matchmaking.lobby_subscribers import LobbySubscribers
from parlour.server.matchmaking.queue_listing import QueueListing, is_listed_place
from parlour.server.matchmaking.quick_match import QuickMatch
from parlour.server.matchmaking.room_factory import RoomFactory, paired_message
from parlour.server.matchmaking.seeks import Seeks
from parlour.server.players.blocking import Blocking
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.state import RoomState
from parlour.server.rooms.view import your_game
from parlour.server.sessions.command_ids import Handler, with_claimed_id
from parlour.server.sessions.session import Session
from parlour.server.store.live_games import NodeReport
from parlour.server.store.seeks import Owner
from parlour.server.store.store import Store


class Lobby:
    """Pairs players, and shows open seeks and live games."""

    def __init__(
        self,
        store: Store,
        registry: RoomRegistry,
        settings: Settings,
        *,
        blocking: Blocking,
        owner_of: Callable[[Session], Owner],
        network_of: Callable[[Session], str],
        send: Callable[[str, Message], None],
        run: Callable[[Coroutine[Any, Any, None]], None],
        describe_node: Callable[[], NodeReport],
    ) -> None:
        """`owner_of` returns a session as the owner of seeks, `network_of` its network, `send` sends to a player on
        every node, `run` runs a task, `describe_node` returns what this node reports about itself.
        """
        self.room_factory = RoomFactory(store, registry, settings)
        self._live_games = LiveGames(store, registry, describe_node)
        self.subscribers = LobbySubscribers(store, self._live_games, run)
        self._quick_match = QuickMatch(store, self.room_factory, owner_of, network_of, send)
        self._queue_listing = QueueListing(store, owner_of)
        self.seeks = Seeks(store, self.room_factory, owner_of, network_of, send, blocking)
        self._cancel_replies = ReplyCache()
        self.handlers: dict[type[Any], Handler] = {
            Queue: with_claimed_id(store.command_ids, self._quick_match.queue),
            Seek: with_claimed_id(store.command_ids, self.seeks.seek),
            Challenge: with_claimed_id(store.command_ids, self.seeks.challenge),
            Accept: self.accept,
            Cancel: self.cancel,
            WatchLobby: self.subscribers.watch,
        }

    @property
    def waiting(self) -> int:
        """How many players of this node are in queues."""
        return self._quick_match.waiting

    @property
    def open_seeks(self) -> int:
        """How many open seeks the players on this node have."""
        return self.seeks.posted

    async def accept(self, session: Session, command: Accept) -> None:
        """Accept a seek or an invitation, or play with a player who waits in quick match."""
        if is_listed_place(command.seek):
            place = await self.seeks.find(command.seek)
            await self._quick_match.accept(session, command, place.host.id, place.terms)
        else:
            await self.seeks.accept(session, command)

    async def cancel(self, session: Session, command: Cancel) -> None:
        """Leave a queue, withdraw a seek, or decline an invitation. A repeated command gets the first reply."""
        sender = session.player, session.session_id
        reply = self._cancel_replies.get(sender, command)
        if reply is None:
            if not await self._quick_match.withdraw(session, command.seek):
                await self.seeks.withdraw(session, command.seek)
            reply = Ok(id=command.id)
            self._cancel_replies.put(sender, command, reply)
        session.send(reply)

    def paired(self, seek: str) -> None:
        """Forget a seek or queue entry of this node whose player has been paired."""
        self._quick_match.paired(seek)
        self.seeks.paired(seek)

    async def session_closed(self, session: Session) -> None:
        """Close a session's seeks and queue entries."""
        await self._quick_match.session_closed(session)
        await self.seeks.session_closed(session)

    async def refresh_session(self, session: Session) -> None:
        """Send a new session the player's running games, whose turn it is there, and open invitations."""
        for room in await self.room_factory.running_games(session.player):
            session.send(paired_message(room, session.player))
            seat = room.seat_of(session.player)
            if isinstance(room, RoomState) and seat is not None and room.to_move == seat:
                session.send(your_game(room, seat))
        await self.seeks.send_invitations(session)

    async def refresh(self) -> None:
        """Renew queue entries and seeks, report games, and update subscribers. Call this every second."""
        await self._quick_match.refresh()
        await self._queue_listing.refresh(self._quick_match.entries)
        await self.seeks.refresh()
        await self._live_games.report()
        await self.subscribers.refresh()
