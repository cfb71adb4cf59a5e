"""A node: what it does with every message. Commands for rooms go to the rooms; who comes and goes is here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from random import SystemRandom
from time import monotonic
from typing import Any

import msgspec
from redis.exceptions import RedisError

from parlour import games
from parlour.protocol.codec import LARGEST_FROM_CLIENT
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    AskRules,
    Assess,
    ChangePassword,
    ChooseFirst,
    Claim,
    ClientMessage,
    Command,
    Create,
    Explore,
    Hello,
    Join,
    Leave,
    MakeBot,
    Offer,
    Ok,
    Ping,
    Play,
    Pong,
    Preview,
    Rated,
    Refused,
    Register,
    Resign,
    Said,
    Say,
    SignIn,
    SignOut,
    Standing,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.server.accounts import Accounts
from parlour.server.allowance import Allowance
from parlour.server.archive import Archive
from parlour.server.chores import Chores
from parlour.server.computer.desk import ComputerDesk
from parlour.server.config import Settings
from parlour.server.directory import Directory
from parlour.server.house import House
from parlour.server.lobby.lobby import Lobby
from parlour.server.lobby.tables import guest_of
from parlour.server.metrics import Metrics
from parlour.server.profiles import Profiles
from parlour.server.reference import ask_rules, game_card, preview
from parlour.server.rooms.core import Room
from parlour.server.rooms.journal import STORE_FAULTS
from parlour.server.rooms.live import LiveRoom
from parlour.server.rooms.surroundings import Here, RollCall
from parlour.server.store import keys
from parlour.server.store.jobs import Job
from parlour.server.store.store import Store
from parlour.server.transport.limits import Rate
from parlour.server.transport.peer import Peer
from parlour.server.visitor import Visitor

log = logging.getLogger(__name__)

# Commands that a room answers by itself, once the visitor follows it.
AT_THE_TABLE = (Sync, Play, Explore, ChooseFirst, Offer, AnswerOffer, Resign, Abort, Claim, Say)

encode = msgspec.msgpack.Encoder().encode

SWEEP = 100  # rooms at a time

# What is said about a frame that is no message at all.
UNREADABLE = (ErrorCode.REQUEST_MALFORMED, ErrorCode.REQUEST_TOO_LARGE, ErrorCode.MESSAGE_UNKNOWN)

Handler = Callable[[Visitor, Any], Coroutine[Any, Any, None]]


class Node:
    """Everything between the transport and the rooms. Its methods are called on the event loop and never wait."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics, version: str) -> None:
        self.visitors: set[Visitor] = set()
        self.house = House(store.log, store.bus, self)
        self.log = store.log
        self.now = store.time.now
        self.heartbeat = store.heartbeat
        self._settings = settings
        self._store = store
        self.metrics = metrics
        self._version = version
        self._talking = Rate(settings.chat_rate / 60, settings.chat_rate)  # as many at once after a quiet minute
        self.allowance = Allowance(store.budgets, store.time, settings)
        self._directory = Directory(store.bus, self.run, self._paired)
        self.accounts = Accounts(store, self._directory.tell, self.allowance)
        self.archive = Archive(store, self.house, self._rated)
        self._lobby = Lobby(
            store, self.house, self.allowance, settings,
            tell=self._directory.tell, run=self.run, connections=self.visitors.__len__,
        )  # fmt: skip
        self._directory.reminders = (self.accounts.recheck, self._lobby.remind)
        self._tasks: set[asyncio.Task[None]] = set()
        self._chores = Chores()
        self.heartbeat.on_outage = self.house.look
        self._cards = tuple(game_card(key) for key in games.keys())
        self._opinions = keys.opinions(store.node)
        self._computer = ComputerDesk(
            self.house, store.jobs, self._opinions, self._lobby.tables.open_table, guest_of, SystemRandom()
        )
        store.bus.follow(self._opinions, self._computer.heard, lambda: None)
        self._handlers: dict[type[Any], Handler] = {
            Hello: self._hello,
            Register: self.accounts.register,
            SignIn: self.accounts.sign_in,
            SignOut: self.accounts.sign_out,
            ChangePassword: self.accounts.change_password,
            MakeBot: self.accounts.make_bot,
            Join: self._join,
            **self.archive.handlers,
            **Profiles(store).handlers,
            **self._lobby.handlers,
            Create: self._computer.create,
            Assess: self._computer.assess,
            AskRules: ask_rules,
            Preview: preview,
        }

    # -- what rooms need (see `Surroundings`)

    def remind(self, room: str, at: int | None) -> None:
        self._store.deadlines.settle(room, at)

    def think(self, room: Room) -> None:
        self.run(self._ask_computer(Job(room.id, room.ply)))

    def opine(self, channel: str, opinion: bytes) -> None:
        """Tell the node that asked what the computer thinks; it may be this one, to which no channel leads."""
        if channel == self._opinions:
            self._computer.heard(opinion)
        else:
            self._store.bus.publish(channel, opinion)

    async def _ask_computer(self, job: Job) -> None:
        with suppress(*STORE_FAULTS, RedisError):  # the room is looked into again
            await self._store.jobs.ask(job)

    def rematch(self, room: Room) -> None:
        assert room.next is not None
        self.run(self.house.making(room.next, self._lobby.tables.rematch(room)))

    def ended(self, room: Room) -> None:
        self.run(self._finish(room))

    async def _finish(self, room: Room) -> None:
        with suppress(*STORE_FAULTS, RedisError):  # the room is looked into again
            await self.archive.finish(room)

    def _paired(self, seek: str) -> None:
        self._lobby.paired(seek)

    def _rated(self, rated: Rated) -> None:
        self.talk(rated)
        if rated.room in self.house.rooms:
            self.house.rooms[rated.room].hear(rated)

    def talk(self, message: Said | Rated | RollCall | Here) -> None:
        self._store.bus.publish(keys.talk(message.room), encode(message))

    # -- what the transport calls (see `Listener`)

    def opened(self, peer: Peer) -> None:
        visitor = Visitor(peer, self.metrics, self._talking)
        peer.owner = visitor
        self.visitors.add(visitor)
        wait = self._settings.hello_timeout
        visitor.hello_timer = asyncio.get_running_loop().call_later(
            wait, peer.close, CloseCode.NO_HELLO, "No hello came."
        )
        log.debug("connected", extra={"peer": peer.address})

    def received(self, peer: Peer, frame: bytes | str) -> None:
        visitor: Visitor = peer.owner
        session = visitor.session
        message = session.receive(frame, visitor.standings)
        if message is None:
            for answer in session.answers():
                if isinstance(answer, Pong):
                    self.metrics.messages[Ping] += 1
                elif isinstance(answer, Refused) and answer.code in UNREADABLE:
                    self.metrics.unreadable += 1
                visitor.send(answer)
            return
        self.metrics.messages[type(message)] += 1
        if type(message) is Play and (room := visitor.rooms.get(message.room)) is not None:
            room.play(visitor, message)  # the hot path
        else:
            self._dispatch(visitor, message)

    def drained(self, peer: Peer) -> None:
        assert isinstance(peer.owner, Visitor)
        peer.owner.drained()

    def closed(self, peer: Peer, code: int) -> None:
        visitor = peer.owner
        assert isinstance(visitor, Visitor)
        visitor.is_gone = True
        self.visitors.discard(visitor)
        self._directory.leave(visitor)
        if visitor.hello_timer is not None:
            visitor.hello_timer.cancel()
        for room in list(visitor.rooms.values()):
            room.leave(visitor)
        visitor.rooms.clear()
        self._lobby.onlookers.leave(visitor)
        if visitor.seeks:
            self.run(self._lobby.left(visitor))
        log.debug("disconnected with %d", code, extra={"player": visitor.player, "peer": peer.address})

    # -- messages

    def _dispatch(self, visitor: Visitor, message: ClientMessage) -> None:
        if isinstance(message, Command):
            visitor.asked[message.id] = monotonic()
        if isinstance(message, AT_THE_TABLE):
            room = visitor.rooms.get(message.room)
            if room is not None and isinstance(message, Explore | Sync):
                self._chores.add(partial(self._later, visitor, room, message))
                return
            if room is not None:
                room.command(visitor, message)
                return
            self.run(self._not_followed(visitor, message))
        elif isinstance(message, Leave):
            left = visitor.rooms.pop(message.room, None)
            if left is not None:
                left.leave(visitor)
            visitor.send(Ok(id=message.id))
        elif not visitor.player and not isinstance(message, Hello):
            _refuse(visitor, message, Refusal(ErrorCode.HELLO_FIRST, "Wait for welcome."))
        else:
            handler = self._handlers.get(type(message))
            if handler is None:
                sentence = "This server does not offer that."
                _refuse(visitor, message, Refusal(ErrorCode.MESSAGE_UNKNOWN, sentence))
            else:
                self.run(self._answered(visitor, message, handler))

    def _later(self, visitor: Visitor, room: LiveRoom, command: Join | Explore | Sync) -> None:
        """What takes some time and changes nothing; meanwhile the visitor may have left the room."""
        if visitor.rooms.get(command.room) is not room:
            _refuse(visitor, command, Refusal(ErrorCode.NOT_IN_ROOM, "You have left the room."))
        elif isinstance(command, Join):
            room.join(visitor, command.id)
        else:
            room.command(visitor, command)

    async def _answered(self, visitor: Visitor, message: Any, handler: Handler) -> None:
        """Run what has to wait for the store, and turn whatever goes wrong into a refusal."""
        try:
            await handler(visitor, message)
        except Refusal as refusal:
            _refuse(visitor, message, refusal)
        except (*STORE_FAULTS, RedisError):
            _refuse(visitor, message, Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Try again."))
        except Exception:
            log.exception("%s failed", type(message).__name__, extra={"player": visitor.player})
            _refuse(visitor, message, Refusal(ErrorCode.INTERNAL, ErrorCode.INTERNAL.meaning))

    async def _hello(self, visitor: Visitor, hello: Hello) -> None:
        try:
            identity = await self.accounts.identify(visitor, hello)
            # Before welcome, because commands may follow it at once, and must find their rooms.
            unknown = [await self._not_opened(standing.room) for standing in hello.rooms]
        except BaseException:
            visitor.session.forget_hello()
            raise
        if visitor.hello_timer is not None:
            visitor.hello_timer.cancel()
        if visitor.is_gone:
            return
        visitor.introduce(identity.player, identity.token)
        visitor.wants_choices = hello.choices
        self._directory.enter(visitor)
        visitor.send(
            Welcome(
                you=visitor.as_player(),
                token=visitor.token,
                time=self.now(),
                games=self._cards,
                largest=LARGEST_FROM_CLIENT,
                nodes=self._settings.nodes,
                server=self._version,
            )
        )
        for standing, fault in zip(hello.rooms, unknown, strict=True):
            refusal = fault or await self._resume(visitor, standing)
            if refusal is not None:
                visitor.send(Refused(code=refusal.code, text=refusal.sentence))

    async def _not_opened(self, id: str) -> Refusal | None:
        """Open a room; if that cannot be done, why."""
        try:
            await self.house.open(id)
        except Refusal as refusal:
            return refusal
        return None

    async def _resume(self, visitor: Visitor, standing: Standing) -> Refusal | None:
        """Let a visitor follow a room again; if that cannot be done, why."""
        try:
            room = await self.house.open(standing.room)  # does not have to wait: it is open
            if self._follow(visitor, room):
                room.resume(visitor, standing)
                extra = {"room": standing.room, "player": visitor.player, "peer": visitor.peer.address}
                log.info("resumed", extra=extra)
        except Refusal as refusal:
            return refusal
        return None

    async def _join(self, visitor: Visitor, join: Join) -> None:
        room = await self.house.open(join.room)
        if self._follow(visitor, room):
            self._chores.add(partial(self._later, visitor, room, join))

    def _follow(self, visitor: Visitor, room: LiveRoom) -> bool:
        """Whether the visitor follows the room now; it may have left while the room was opened."""
        watchers = room.audience.watchers
        is_new = visitor.player and visitor not in room.audience.followers
        if is_new and room.room.seat_of(visitor.player) is None and watchers >= self._settings.watchers_per_room:
            raise Refusal(ErrorCode.ROOM_FULL, f"{watchers} people watch already.")
        if not visitor.is_gone:
            visitor.rooms[room.room.id] = room
        return not visitor.is_gone

    async def _not_followed(self, visitor: Visitor, command: Any) -> None:
        """A command for a room that the visitor does not follow: say which of the two reasons it is."""
        await self._answered(visitor, command, self._refuse_not_followed)

    async def _refuse_not_followed(self, visitor: Visitor, command: Any) -> None:
        if not visitor.player:
            raise Refusal(ErrorCode.HELLO_FIRST, "Wait for welcome.")
        await self.house.open(command.room)
        raise Refusal(ErrorCode.NOT_IN_ROOM, "Join the room first.")

    # -- life

    async def sweep(self) -> None:
        """Look at rooms in which something is due and which nobody else may have open; close idle ones."""
        self.house.tidy()
        await self._lobby.refresh()
        for id in await self._store.deadlines.due(self.now(), SWEEP):
            try:
                live = self.house.rooms.get(id)
                room = await self.house.load(id) if live is None else live.room
                if room is not None and room.status == "over":
                    await self.archive.finish(room)
                else:
                    (await self.house.open(id)).look()
            except Refusal:
                self._store.deadlines.clear(id)

    async def settle(self, within: float) -> None:
        """Wait until nothing is under way in any room, but not for ever."""
        until = asyncio.get_running_loop().time() + within
        while asyncio.get_running_loop().time() < until:
            if all(room.is_quiet for room in self.house.rooms.values()) and not self._tasks:
                return
            await asyncio.sleep(0.01)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done beside the loop's callbacks, and see its faults."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("a task failed", exc_info=fault)


def _refuse(visitor: Visitor, message: Any, refusal: Refusal) -> None:
    id = message.id if isinstance(message, Command) else None
    visitor.send(Refused(code=refusal.code, text=refusal.sentence, id=id))
