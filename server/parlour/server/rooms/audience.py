"""Everybody who follows a room on this node, and what each of them may see of it by now."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from msgspec import Struct

from parlour.protocol.messages import Message, Moved, Presence, Rated, Said
from parlour.protocol.mirror import Update
from parlour.protocol.scene import Scene
from parlour.server.metrics import Metrics
from parlour.server.rooms.core import Room
from parlour.server.rooms.decide import claim_in
from parlour.server.transport.frames import Broadcast
from parlour.server.transport.group import Group
from parlour.server.transport.peer import Peer

KEPT_TALK = 50
TELL_PRESENCE_EVERY = 1.0  # seconds, however many come and go


class Follower(Protocol):
    """A connection in a room, as the room sees it."""

    @property
    def player(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def lag(self) -> int: ...  # milliseconds from the player to here
    @property
    def wants_choices(self) -> bool: ...  # with each turn
    def send(self, message: Message | Moved, patient: bool = False) -> None: ...
    @property
    def peer(self) -> Peer: ...  # by which it is told what everybody is
    def owe(self, room: str) -> None: ...  # what it could not take: it gets the whole room later
    def may_talk(self) -> bool: ...  # if so, another line counts


class View(Struct, frozen=True):
    """A room at a moment, and the update that made it so."""

    at: int
    room: Room
    scene: Scene
    update: Update | None = None


class Audience:
    """Players see the room as it is. Watchers of a room with a delay see it as it was, until the game is over."""

    def __init__(self, room: Room, scene: Scene, now: Callable[[], int], metrics: Metrics) -> None:
        self.followers: dict[Follower, Peer] = {}
        self._everybody = Group()  # the same
        self._of_player: dict[str, tuple[Follower, ...]] = {}  # the same by player
        self._patient: dict[str, tuple[Peer, ...]] = {}  # likewise, but only those who may wait for news of their moves
        self.idle_since: float | None = None  # when the last one left, by the loop's clock
        self.talk: deque[Said] = deque(maxlen=KEPT_TALK)
        self.room = room
        self.scene = scene
        self._now = now
        self._metrics = metrics
        self._presence_timer: asyncio.TimerHandle | None = None
        # What watchers have who are kept behind, if not all there is, and the updates that they will see later.
        self._behind: tuple[Room, Scene] | None = None
        self._held: deque[tuple[int, Broadcast, Room, Scene]] = deque()
        self._release_timer: asyncio.TimerHandle | None = None

    # -- who is there

    def add(self, follower: Follower) -> None:
        self.idle_since = None
        if follower not in self.followers:
            self.followers[follower] = follower.peer
            self._everybody.add(follower.peer)
            self._set_of_player(follower.player, (*self._of_player.get(follower.player, ()), follower))

    def _set_of_player(self, player: str, followers: tuple[Follower, ...]) -> None:
        """Who follows on behalf of this player."""
        self._of_player[player] = followers
        self._patient[player] = tuple(follower.peer for follower in followers if not follower.wants_choices)

    def remove(self, follower: Follower) -> bool:
        """Whether it was there."""
        if self.followers.pop(follower, None) is None:
            return False
        self._everybody.remove(follower.peer)
        others = tuple(one for one in self._of_player[follower.player] if one is not follower)
        if others:
            self._set_of_player(follower.player, others)
        else:
            del self._of_player[follower.player], self._patient[follower.player]
        if not self.followers:
            self.idle_since = asyncio.get_running_loop().time()
        return True

    def of_seat(self, seat: int) -> Sequence[Follower]:
        """The connections of the player who has a seat."""
        chair = self.room.chairs[seat]
        return () if chair is None else self._of_player.get(chair.player, ())

    @property
    def watchers(self) -> int:
        return len(self.followers) - len(self.of_seat(0)) - len(self.of_seat(1))

    # -- what they see

    @property
    def shown(self) -> tuple[Room, Scene]:
        """The room as everybody may see it."""
        return (self.room, self.scene) if self._behind is None else self._behind

    def is_behind(self, follower: Follower) -> bool:
        """Whether this one is kept behind."""
        return self.room.delay > 0 and self.room.status != "over" and self.room.seat_of(follower.player) is None

    def view(self, follower: Follower) -> tuple[Room, Scene]:
        """The room as this one may see it."""
        return self.shown if self.is_behind(follower) else (self.room, self.scene)

    def tell(self, update: Broadcast, room: Room, scene: Scene, mover: str = "") -> None:
        """The room has changed, perhaps by a player's move: show the update to everybody who may see it now.

        A mover who declines choices is a program, whose opponent mostly is one too and moves at once: it may wait a
        little, and gets both moves in one write.
        """
        if room.delay and room.status != "over":
            self._behind = self.shown
            self.room, self.scene = room, scene
            self._held.append((self._now() + room.delay, update, room, scene))
            self._set_release()
            self._tell_some([one for seat in (0, 1) for one in self.of_seat(seat)], update)
            return
        self.room, self.scene = room, scene
        if self._held:
            self._release(everything=True)
        self._behind = None
        self._tell_all(update, self._patient.get(mover, ()))

    def _tell_all(self, message: Broadcast, patient: Collection[Peer] = ()) -> None:
        """The same for everybody. Those who cannot take it now get the whole room later."""
        late = self._everybody.write(message, patient)
        self._metrics.updates_delivered += len(self.followers) - len(late)
        if late:
            self._owe([follower for follower, peer in self.followers.items() if peer in late])

    def _tell_some(self, followers: Sequence[Follower], message: Broadcast) -> None:
        """The same for some of them."""
        late = [follower for follower in followers if not follower.peer.write(message)]
        self._metrics.updates_delivered += len(followers) - len(late)
        self._owe(late)

    def _owe(self, late: Sequence[Follower]) -> None:
        self._metrics.updates_dropped += len(late)
        for follower in late:
            follower.owe(self.room.id)

    def hear(self, said: Said) -> None:
        """Somebody talks."""
        self.talk.append(said)
        self._tell_all(Broadcast(said))

    def show(self, rated: Rated) -> None:
        """The game was counted."""
        self._tell_all(Broadcast(rated))

    def presence_soon(self) -> None:
        """Tell everybody who is here, in a moment."""
        if self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(TELL_PRESENCE_EVERY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_timer = None
        now = self._now()
        online = tuple(chair is not None and chair.gone_since is None for chair in self.room.chairs)
        claims = [wait for seat in (0, 1) if (wait := claim_in(self.room, seat, now)) is not None]
        wait = min(claims, default=None)
        presence = Presence(room=self.room.id, online=online, watchers=self.watchers, claim_in=wait)
        self._tell_all(Broadcast(presence))

    # -- those who are kept behind

    def keep_behind(self, shown: View, since: Sequence[View]) -> None:
        """Let watchers see the room as it was, and later what has happened since."""
        self._behind = (shown.room, shown.scene)
        for view in since:
            assert view.update is not None
            self._held.append((view.at + view.room.delay, Broadcast(view.update), view.room, view.scene))
        self._set_release()

    def _set_release(self) -> None:
        if self._release_timer is None and self._held:
            wait = max(0, self._held[0][0] - self._now()) / 1000
            self._release_timer = asyncio.get_running_loop().call_later(wait, self._release)

    def _release(self, everything: bool = False) -> None:
        """Show watchers what is old enough by now."""
        self._stop(self._release_timer)
        self._release_timer = None
        while self._held and (everything or self._held[0][0] <= self._now()):
            _, update, room, scene = self._held.popleft()
            self._behind = (room, scene)
            self._tell_some([one for one in self.followers if room.seat_of(one.player) is None], update)
        self._set_release()

    def close(self) -> None:
        self._stop(self._presence_timer)
        self._stop(self._release_timer)
        for peer in self.followers.values():
            self._everybody.remove(peer)

    @staticmethod
    def _stop(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()
