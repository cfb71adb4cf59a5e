"""The session of one request. It has the same limits, rooms and replies as a session of a WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Message, Moved, Ok, Paired, Refused
from parlour.server.connections.line_stream import LineStream
from parlour.server.metrics import Metrics
from parlour.server.sessions.session import Session

Follows = Callable[[Message | Moved], bool]


class ApiSession(Session):
    """Returns the reply to its command, and sends the rest as lines if the response is a stream."""

    def __init__(self, stream: LineStream, metrics: Metrics) -> None:
        super().__init__(stream.connection, metrics)
        stream.connection.owner = self
        self.stream = stream
        self.wants_choices = False
        self.follows: Follows | None = None  # which messages become lines; None: the response is no stream
        self.ends_when_paired = False
        self._reply: asyncio.Future[Message] | None = None
        self._id: int | None = None  # of the command
        self._seek: str | None = None  # that the command created

    def expect(self, id: int) -> asyncio.Future[Message]:
        """Return the reply to the command with this id, which is about to be executed."""
        self._id, self._reply = id, asyncio.get_running_loop().create_future()
        return self._reply

    def send(self, message: Message | Moved) -> None:
        """Return a reply, or send a line."""
        reply = self._reply
        if reply is not None and not reply.done() and getattr(message, "id", None) == self._id:
            assert isinstance(message, Message)
            reply.set_result(message)
            if isinstance(message, Refused):
                self._metrics.refusals[message.code] += 1
                return
            if isinstance(message, Ok):
                self._seek = message.seek
        if self.follows is not None and self.follows(message):
            super().send(message)
            if self.ends_when_paired and isinstance(message, Paired) and message.seek == self._seek:
                self.connection.close(CloseCode.GOING_AWAY)
