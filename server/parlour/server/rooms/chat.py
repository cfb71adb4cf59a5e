"""What the people in a room say. Not part of the game's log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Ok, Said, Say
from parlour.protocol.reply_cache import ReplyCache
from parlour.server import restrictions
from parlour.server.connections.frames import Broadcast
from parlour.server.rooms.context import ChatLine, RoomContext
from parlour.server.rooms.subscribers import Subscriber, Subscribers, refuse

KEPT = 50  # lines, for subscribers that join later


class Chat:
    """The chat of one room on this node."""

    def __init__(self, room: str, subscribers: Subscribers, context: RoomContext) -> None:
        self.history: deque[ChatLine] = deque(maxlen=KEPT)
        self._room = room
        self._subscribers = subscribers
        self._context = context
        self._replies = ReplyCache()

    def is_repeated(self, subscriber: Subscriber, command: Say) -> bool:
        """Return whether the id of a command is known, so that `say` answers it without showing a line."""
        return self._replies.has_id((subscriber.player, subscriber.session_id), command.id)

    def say(self, subscriber: Subscriber, command: Say) -> None:
        """Send a line to everyone in the room, on every node."""
        sender = subscriber.player, subscriber.session_id
        try:
            known = self._replies.get(sender, command)
        except Refusal as refusal:
            refuse(subscriber, command, refusal)
            return
        if known is not None:
            subscriber.send(known)
            return
        if self._subscribers.state.closed:
            refuse(subscriber, command, Refusal(ErrorCode.GAME_OVER, "This room is closed."))
            return
        if not command.text.isprintable() or not command.text.strip():
            refuse(subscriber, command, Refusal(ErrorCode.TEXT_REFUSED, "Send text that fits on one line."))
            return
        mute = subscriber.muted
        if mute is not None and mute.holds_at(self._context.now()):
            refuse(subscriber, command, restrictions.muted(mute))
            return
        seat = self._subscribers.state.seat_of(subscriber.player)
        line = ChatLine(
            room=self._room, name=subscriber.name, text=command.text, at=self._context.now(), seat=seat,
            by=subscriber.player,
        )  # fmt: skip
        self.receive(line)
        self._context.tell_nodes(line)
        reply = Ok(id=command.id)
        self._replies.put(sender, command, reply)
        subscriber.send(reply)

    def receive(self, line: ChatLine) -> None:
        """Show a line, said here or on another node, to those who want to see its author's chat."""
        self.history.append(line)
        self._subscribers.send_chat(Broadcast(line.shown()), line.by)

    def visible_to(self, subscriber: Subscriber) -> Iterator[Said]:
        """Yield the kept lines, except those of players whose chat the subscriber does not want to see."""
        hidden = subscriber.block_lists.hidden
        return (line.shown() for line in self.history if line.by not in hidden)

    def lines_of(self, player: str) -> tuple[str, ...]:
        """Return what a player has said, of the lines that are kept."""
        return tuple(line.text for line in self.history if line.by == player)
