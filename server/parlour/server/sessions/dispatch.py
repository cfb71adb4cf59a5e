"""Dispatches every message from a client to its room or handler."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from time import monotonic
from typing import Any

from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Berserk,
    ChooseFirst,
    Claim,
    ClientMessage,
    Command,
    Describe,
    Explore,
    Hello,
    Leave,
    Message,
    Offer,
    Ping,
    Play,
    Pong,
    Refused,
    Resign,
    Say,
    Sync,
)  # fmt: skip
from parlour.server.connections.connection import Connection
from parlour.server.limits.accounting import Accounting, too_fast
from parlour.server.limits.costs import MESSAGES
from parlour.server.matchmaking.lobby import Lobby
from parlour.server.metrics import Metrics
from parlour.server.players.blocking import Blocking
from parlour.server.rooms.room import STORE_SILENT, Room
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.player_sessions import PlayerSessions
from parlour.server.sessions.scopes import scope_refusal
from parlour.server.sessions.session import Session
from parlour.server.sessions.subscriptions import Subscriptions
from parlour.server.store.errors import StoreUnavailable

logger = logging.getLogger(__name__)

# Commands that the room itself replies to.
ROOM_COMMANDS = (Play, Sync, Explore, Describe, ChooseFirst, Offer, AnswerOffer, Resign, Abort, Claim, Berserk, Say)

# The codes of frames that are no message at all.
UNREADABLE = (ErrorCode.REQUEST_MALFORMED, ErrorCode.REQUEST_TOO_LARGE, ErrorCode.MESSAGE_UNKNOWN)


class Dispatcher:
    """What the connections report to (see `Listener`). Its methods run on the event loop and never wait."""

    def __init__(
        self,
        handlers: Mapping[type[Any], Handler],
        subscriptions: Subscriptions,
        player_sessions: PlayerSessions,
        lobby: Lobby,
        metrics: Metrics,
        accounting: Accounting,
        blocking: Blocking,
        *,
        run: Callable[[Coroutine[Any, Any, None]], None],
        session_closed: Callable[[Session], None] = lambda _: None,
        hello_timeout: float,
    ) -> None:
        """`session_closed` is called for each session whose connection is closed."""
        self.sessions: set[Session] = set()
        self._handlers = handlers
        self._subscriptions = subscriptions
        self._player_sessions = player_sessions
        self._lobby = lobby
        self._metrics = metrics
        self._accounting = accounting
        self._blocking = blocking
        self._run = run
        self._session_closed = session_closed
        self._hello_timeout = hello_timeout

    # -- from the connections

    def opened(self, connection: Connection) -> None:
        session = connection.owner = Session(connection, self._metrics)
        self.sessions.add(session)
        session.hello_timer = asyncio.get_running_loop().call_later(
            self._hello_timeout, connection.close, CloseCode.NO_HELLO, "The client sent no hello."
        )
        logger.debug("connected", extra={"address": connection.address})

    def received(self, connection: Connection, frame: bytes | str) -> None:
        session: Session = connection.owner
        protocol = session.protocol
        message = protocol.receive(frame, session.cursors)
        if message is None:
            for reply in protocol.answers():
                if isinstance(reply, Pong):
                    self._metrics.messages[Ping] += 1
                elif isinstance(reply, Refused) and reply.code in UNREADABLE:
                    self._metrics.unreadable_messages += 1
                session.send(reply)
            return
        self._metrics.messages[type(message)] += 1
        self._dispatch(session, message)

    def drained(self, connection: Connection) -> None:
        session: Session = connection.owner
        session.resend()

    def closed(self, connection: Connection, code: int) -> None:
        session: Session = connection.owner
        session.is_closed = True
        self.sessions.discard(session)
        self._player_sessions.remove(session)
        if session.hello_timer is not None:
            session.hello_timer.cancel()
        self._subscriptions.leave_all(session)
        self._lobby.subscribers.leave(session)
        self._session_closed(session)
        if session.seeks:
            self._run(self._lobby.session_closed(session))
        context = {"player": session.player, "address": connection.address}
        logger.debug("disconnected with code %d", code, extra=context)

    # -- messages

    def submit(self, session: Session, command: Command) -> None:
        """Execute a command that arrived by HTTP; its session gets the reply."""
        self._metrics.messages[type(command)] += 1
        self._dispatch(session, command)

    def _dispatch(self, session: Session, message: ClientMessage | Command) -> None:
        counts_as = MESSAGES.get(type(message))
        if counts_as is not None and (wait := session.connection.charge(counts_as - 1)):
            session.refuse(message, too_fast(wait))
        elif session.scopes is not None and (refusal := scope_refusal(session.scopes, type(message))):
            session.refuse(message, refusal)
        elif isinstance(message, ROOM_COMMANDS):
            room = session.rooms.get(message.room)
            if room is None:
                self._run(self._handle(session, message, self._subscriptions.refuse_unsubscribed))
            elif type(message) is Sync or type(message) is Explore:  # takes a few milliseconds and changes nothing
                self._subscriptions.run_when_idle(session, room, message)
            elif type(message) is Say and not room.chat.is_repeated(session, message):
                self._run(self._handle(session, message, self._say))
            elif (type(message) is Offer or type(message) is AnswerOffer) and message.kind == "rematch":
                self._run(self._handle(session, message, self._rematch))
            else:
                room.command(session, message)
        elif isinstance(message, Leave):
            self._subscriptions.leave(session, message)
        elif not session.player and not session.is_visitor and not isinstance(message, Hello):
            session.refuse(message, Refusal(ErrorCode.HELLO_FIRST, "Wait for welcome."))
        elif handler := self._handlers.get(type(message)):
            self._run(self._handle(session, message, handler))
        else:
            session.refuse(message, Refusal(ErrorCode.MESSAGE_UNKNOWN, "This server does not offer that."))

    async def _say(self, session: Session, command: Say) -> None:
        """Pass a line of chat to its room, unless the opponent has blocked the player."""
        opponent = _room(session, command).state.opponent_of(session.player)
        if opponent is not None:
            await self._blocking.check_chat(session, opponent.id)
        _room(session, command).command(session, command)

    async def _rematch(self, session: Session, command: Offer | AnswerOffer) -> None:
        """Pass an offer of a rematch, or the answer to one, to its room, unless a player has blocked the other."""
        state = _room(session, command).state
        opponent = state.opponent_of(session.player)
        is_repeated = state.find_processed(session.player, session.session_id, command.id) is not None
        is_no = isinstance(command, AnswerOffer) and not command.accept
        if opponent is not None and not is_repeated and not is_no:
            await self._blocking.check_pair(session, opponent.id, opponent.player.name)
        _room(session, command).command(session, command)

    async def _handle(self, session: Session, message: Message, handler: Handler) -> None:
        """Run a handler that waits for the store, and turn every failure into a refusal."""
        received = monotonic()
        try:
            if isinstance(message, Command):  # hello is charged once it is known to create a guest
                await self._accounting.charge(session, message)
            await handler(session, message)
        except Refusal as refusal:
            session.refuse(message, refusal)
        except StoreUnavailable:
            session.refuse(message, STORE_SILENT)
        except Exception:
            logger.exception("%s failed", type(message).__name__, extra=session.log_context(message))
            session.refuse(message, Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning))
        self._metrics.command_seconds.observe(monotonic() - received)


def _room(session: Session, command: Say | Offer | AnswerOffer) -> Room:
    """Return the room of a command. Refuse if the session has left it while the command was charged."""
    room = session.rooms.get(command.room)
    if room is None:
        raise Refusal(ErrorCode.NOT_IN_ROOM, "You have left the room.")
    return room
