"""Notifications to players who are away, and the commands that choose them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from hashlib import sha256
from typing import Any

import msgspec

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import GetNotifications, Message, Notifications, Ok, SetNotifications
from parlour.protocol.types import Player
from parlour.server.configuration.settings import Settings
from parlour.server.metrics import Metrics
from parlour.server.push.encryption import read_keys
from parlour.server.push.http_client import ForbiddenEndpoint, PushHttpClient, split
from parlour.server.push.sender import PushMessage, PushSender
from parlour.server.push.vapid import Vapid, new_key, read_key, read_key_file
from parlour.server.rooms.commands import deadline
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session
from parlour.server.store.players import digest
from parlour.server.store.push_subscriptions import StoredSubscription
from parlour.server.store.store import Store
from parlour.tournaments.state import TournamentState

LONGEST_TTL = 7 * 24 * 3600  # seconds, for the turn in a game without a clock
CHALLENGE_TTL = 10 * 60  # seconds, as long as the invitation
TOURNAMENT_TTL = 10 * 60  # seconds after its start
TURNS_URGENT_WITHIN = 3600  # seconds that the player has left for the turn
TOPIC_LENGTH = 32

encode = msgspec.json.Encoder().encode


class PushNotifications:
    """Notifies absent players in their browsers. `open` has to be called, otherwise nothing is ever sent."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        metrics: Metrics,
        run: Callable[[Coroutine[Any, Any, None]], None],
        find_room: Callable[[str], RoomState | None],
    ) -> None:
        """`run` runs a task; `find_room` returns the state of a room that is open on this node."""
        self._store = store
        self._settings = settings
        self._metrics = metrics
        self._run = run
        self._find_room = find_room
        self._vapid: Vapid | None = None
        self._sender: PushSender | None = None
        self.handlers: dict[type[Message], Handler] = {
            SetNotifications: self._set_notifications,
            GetNotifications: self._get_notifications,
        }

    async def open(self) -> None:
        """Read the key, or create it on the first start of a deployment. Raise PushKeyError and StoreUnavailable."""
        settings = self._settings
        if not settings.push:
            return
        if settings.push_key_file is not None:
            key = read_key_file(settings.push_key_file)
        else:
            key = read_key(await self._store.push_subscriptions.signing_key(new_key()))
        public = settings.public_url or ""
        contact = settings.push_contact or (public if public.startswith("https://") else "https://localhost")
        self._vapid = Vapid(key, contact)
        self._sender = PushSender(
            self._store.push_subscriptions, self._vapid, PushHttpClient(settings.push_networks),
            self._metrics, self._store.clock.now, self._run,
        )  # fmt: skip

    def close(self) -> None:
        """Drop messages that were not sent."""
        if self._sender is not None:
            self._sender.close()

    # -- what there is to say

    def turn_began(self, room: RoomState, seat: int) -> None:
        """Notify a player who is not at the table that it is the player's turn."""
        if self._sender is None or room.players[seat].level is not None:
            return
        ends = deadline(room)
        left = LONGEST_TTL if ends is None else max(0, (ends - self._store.clock.now()) // 1000)
        opponent = room.players[1 - seat]
        data = {"kind": "your_turn", "room": room.id, "game": game_name(room.game), "opponent": opponent.player.name}

        def is_current() -> bool:
            now = self._find_room(room.id)
            return now is None or (now.to_move == seat and now.offline_since[seat] is not None)

        message = PushMessage(
            room.players[seat].id, "your_turn", topic(room.id), encode(data), min(left, LONGEST_TTL),
            "high" if left <= TURNS_URGENT_WITHIN else "normal", is_current,
        )  # fmt: skip
        self._run(self._send(self._sender, message, opponent.id))

    def challenged(self, player: str, by: str, challenger: Player, game: str, seek: str) -> None:
        """Notify a player who is not connected that another one has sent an invitation."""
        if self._sender is not None:
            data = {"kind": "challenge", "seek": seek, "game": game_name(game), "opponent": challenger.name}
            message = PushMessage(player, "challenge", topic(seek), encode(data), CHALLENGE_TTL, "high")
            self._run(self._send_unless_online(self._sender, message, by))

    async def tournament_began(self, tournament: str, state: TournamentState) -> None:
        """Notify all players of a tournament who are not connected that it begins. Raise StoreUnavailable."""
        if self._sender is None:
            return
        settings = state.settings
        data = {
            "kind": "tournament", "tournament": tournament, "name": settings.name, "game": game_name(settings.game),
        }  # fmt: skip
        for entry in state.entries:
            if entry.is_active and entry.account and not await self._store.players.is_online(entry.account):
                message = PushMessage(
                    entry.account, "tournament", topic(tournament), encode(data), TOURNAMENT_TTL, "high"
                )
                await self._sender.send(message)

    async def _send_unless_online(self, sender: PushSender, message: PushMessage, about: str) -> None:
        if not await self._store.players.is_online(message.player):
            await self._send(sender, message, about)

    async def _send(self, sender: PushSender, message: PushMessage, about: str) -> None:
        """Send a message about another player, unless the player has blocked that one."""
        if not await self._store.block_lists.is_blocked(about, by=message.player):
            await sender.send(message)

    # -- commands

    async def _set_notifications(self, session: Session, command: SetNotifications) -> None:
        if self._vapid is None:
            raise Refusal(ErrorCode.PUSH_OFF, "This server sends no notifications. Ask its operator to turn them on.")
        given, store = command.subscription, self._store.push_subscriptions
        try:
            split(given.endpoint)
            read_keys(given.p256dh, given.auth)
        except (ForbiddenEndpoint, ValueError) as error:
            sentence = f"The push subscription cannot be used: {error}. Subscribe again in the browser."
            raise Refusal(ErrorCode.SUBSCRIPTION_REFUSED, sentence) from None
        if command.replaces is not None and command.replaces != given.endpoint:
            await store.remove(session.player, [command.replaces])
        if command.kinds:
            stored = StoredSubscription(
                given.endpoint, given.p256dh, given.auth, tuple(sorted(set(command.kinds))), digest(session.token),
                self._store.clock.now(),
            )  # fmt: skip
            await store.put(session.player, stored)
        else:
            await store.remove(session.player, [given.endpoint])
        session.send(Ok(id=command.id))

    async def _get_notifications(self, session: Session, command: GetNotifications) -> None:
        kinds: tuple[Any, ...] = ()
        if self._vapid is not None and command.endpoint is not None:
            for each in await self._store.push_subscriptions.all(session.player):
                if each.endpoint == command.endpoint:  # the browser is here: its subscription lives on
                    renewed = msgspec.structs.replace(each, renewed=self._store.clock.now())
                    await self._store.push_subscriptions.put(session.player, renewed)
                    kinds = each.kinds
        key = "" if self._vapid is None else self._vapid.public_key
        session.send(Notifications(id=command.id, key=key, kinds=kinds))


def topic(id: str) -> str:
    """Return a topic that is the same for all messages about a room, a seek or a tournament, and does not reveal it."""
    return sha256(id.encode()).hexdigest()[:TOPIC_LENGTH]


def game_name(key: str) -> str:
    """Return the name of a game for people."""
    return games.find(key).info.name
