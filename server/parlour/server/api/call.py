"""One request to the API: its player, its session and its command."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from hashlib import sha256
from secrets import randbits
from typing import TypeVar

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Command, Message, Refused
from parlour.server.api.session import ApiSession, Follows
from parlour.server.connections.http import IncomingRequest
from parlour.server.connections.line_stream import EVENTS_TYPE, LineStream
from parlour.server.limits.costs import MESSAGES, Resource
from parlour.server.node import Node
from parlour.server.sessions.dispatch import ROOM_COMMANDS
from parlour.server.store.players import digest

ANSWER_WITHIN = 10.0  # seconds
ID_BITS = 53
LONGEST_KEY = 256  # characters

M = TypeVar("M", bound=Message)


class Call:
    """A request that is being answered. Its session ends with it, unless the response is a stream."""

    def __init__(self, node: Node, asked: IncomingRequest) -> None:
        assert asked.hub is not None
        assert asked.source is not None
        self.node = node
        self.asked = asked
        as_events = EVENTS_TYPE in asked.headers.get("Accept", "")
        self.stream = LineStream(asked.hub, asked.address, asked.source, as_events=as_events)
        self.session = ApiSession(self.stream, node.metrics)
        self.session.is_visitor = True
        self.id = 0  # of the command
        self.is_read = False  # whether the request has the documented form

    async def authenticate(self, token: str) -> None:
        """Continue as the player with a token.

        A token has the same session on every node, so a command with the same Idempotency-Key is the same command.
        """
        await self.node.hello.authenticate(self.session, token, f"http {digest(token)[:24]}")
        self.session.is_visitor = False

    def number(self) -> None:
        """Choose the id of the command."""
        key = self.asked.headers.get("Idempotency-Key", "")
        if len(key) > LONGEST_KEY:
            sentence = f"An Idempotency-Key may have at most {LONGEST_KEY} characters."
            raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence)
        hashed = int.from_bytes(sha256(key.encode()).digest()[:8], "big") >> (64 - ID_BITS)
        self.id = hashed if key else randbits(ID_BITS)

    async def charge(self, messages: int, costs: Mapping[Resource, int]) -> None:
        """Charge the address of the request for something other than a command. Raise Refusal."""
        wait = self.session.connection.charge(messages - 1)
        if wait:
            sentence = "Too many requests in a short time. Send this again in a moment."
            raise Refusal(ErrorCode.TOO_FAST, sentence, int(wait * 1000) + 1)
        await self.node.accounting.charge_address(self.asked.address, costs)

    async def ask(self, command: Command, kind: type[M]) -> M:
        """Execute a command and return the reply. Raise Refusal."""
        room = getattr(command, "room", None)
        if isinstance(command, ROOM_COMMANDS):
            await self.node.subscriptions.admit(self.session, str(room))
        reply = self.session.expect(command.id)
        self.node.dispatcher.submit(self.session, command)
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                answer = await reply
        except TimeoutError:
            sentence = "The server has not answered in time. Send this again, with the same Idempotency-Key."
            raise Refusal(ErrorCode.TRY_AGAIN, sentence) from None
        if isinstance(answer, Refused):
            raise Refusal(ErrorCode.named(answer.code), answer.text, answer.retry_after)
        assert isinstance(answer, kind)
        return answer

    def follow(self, follows: Follows, *, until_paired: bool = False) -> LineStream:
        """Make the response a stream of the messages that match."""
        session = self.session
        session.follows, session.ends_when_paired = follows, until_paired
        self.node.dispatcher.sessions.add(session)
        if session.player:
            self.node.player_sessions.add(session)
        return self.stream

    def end(self) -> None:
        """End the session."""
        self.stream.end()


def messages_of(kind: type[Command]) -> int:
    """Return as how many messages a command counts."""
    return MESSAGES.get(kind, 1)
