"""The chat of a room, which is not part of the game's log.

Players do not see what spectators say until the game is over: it could be advice.
"""

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
        """Send a line to everyone in the room who may see it, on every node."""
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
        """Show a line, said here or on another node, to the subscribers to whom it is visible."""
        self.history.append(line)
        self._subscribers.send_chat(Broadcast(line.shown()), line.by, to_players=not self._is_withheld(line))

    def visible_to(self, subscriber: Subscriber) -> Iterator[Said]:
        """Yield the kept lines, except those that the subscriber may not see yet or has hidden."""
        hidden = subscriber.block_lists.hidden
        is_player = self._subscribers.state.seat_of(subscriber.player) is not None
        for line in self.history:
            if line.by not in hidden and not (is_player and self._is_withheld(line)):
                yield line.shown()

    def send_history(self, subscriber: Subscriber) -> None:
        """Send the kept lines that are visible to a subscriber."""
        for said in self.visible_to(subscriber):
            subscriber.send(said)

    def release(self) -> None:
        """Show the players what spectators have said, since the game is over."""
        for seat in (0, 1):
            for subscriber in self._subscribers.of_seat(seat):
                for said in self.visible_to(subscriber):
                    if said.seat is None:
                        subscriber.send(said)

    def lines_of(self, player: str) -> tuple[str, ...]:
        """Return what a player has said, of the lines that are kept."""
        return tuple(line.text for line in self.history if line.by == player)

    def _is_withheld(self, line: ChatLine) -> bool:
        return line.seat is None and self._subscribers.state.status != "over"
