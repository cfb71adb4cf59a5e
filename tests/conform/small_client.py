"""A small client that keeps every rule of every profile, with nothing but websockets and msgpack.

Each decision is a method or a constant of its own, so that a broken variant overrides one of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import zlib
from collections.abc import Mapping
from typing import Any

from msgpack import packb, unpackb
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

Map = dict[str, Any]

MOVED = ("t", "room", "epoch", "seq", "hash", "move", "clock", "change")  # the one array; its t is 0
GAME_COMMANDS = ("play", "resign")


class SmallClient:
    """One client, which is told what to do by an environment such as that of a program."""

    subprotocols = ("parlour.v1+msgpack",)
    tick = 0.1
    ping_interval = 10.0
    silence_limit = 25.0
    probe_delay = 0.5
    probe_timeout = 1.0
    command_timeout = 10.0
    retry_delay = 1.0
    retried = ("try_again", "too_fast", "too_many_seeks", "computer_busy")
    final_codes = (4003, 4004)

    def __init__(self, told: Mapping[str, str], seed: object = 0) -> None:
        self.profile, self.game = told["PARLOUR_PROFILE"], told["PARLOUR_GAME"]
        self.addresses = [told["PARLOUR_URL"]]
        self.given = self.addresses
        self.attempts = 0
        self.failures = 0  # attempts in a row that did not reach welcome
        self.token: str | None = told.get("PARLOUR_TOKEN")
        self.session: str | None = None
        self.next_id = 1
        self.pending: dict[int, Map] = {}  # unanswered commands
        self.kept: dict[int, Map] = {}  # answered ones that end with their connection
        self.retries: dict[int, float] = {}
        self.room: str | None = told.get("PARLOUR_ROOM")
        self.scene: list[Any] | None = None
        self.epoch = self.seq = 0
        self.in_sync = True
        self.seat: int | None = None
        self.awaited = (0, 0)  # the update of the last turn
        self.lobby_n = -1
        self.seeks: dict[str, Map] = {}
        self.accepting: str | None = None
        self.over = self.ended = False
        self.exit_code: int | None = None
        self.random = random.Random(str(seed))
        self.socket: ClientConnection | None = None
        self.welcomed = False
        self.outbox: list[Map] = []

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    # -- connections

    async def run(self) -> int:
        """Play or watch one game. Return the exit code of the program."""
        self.begin()
        while True:
            try:
                async with asyncio.timeout(3):
                    self.socket = await self.open(self.next_address())
            except (OSError, InvalidHandshake, ConnectionClosed):
                self.socket = None
            self.welcomed = False
            code = await self.converse(self.socket) if self.socket else None
            if self.over or self.exit_code is not None:
                return self.exit_code or 0
            if code in self.final_codes:
                return 3
            self.failures = 0 if self.welcomed else self.failures + 1
            await asyncio.sleep(self.delay())

    async def open(self, address: str) -> ClientConnection:
        names = [Subprotocol(name) for name in self.subprotocols] or None
        if address.startswith("unix:"):
            return await unix_connect(
                address[5:], "ws://localhost/ws", subprotocols=names, compression=None, ping_interval=None
            )
        return await connect(address, subprotocols=names, compression=None, ping_interval=None, proxy=None)

    def next_address(self) -> str:
        self.attempts += 1
        return self.addresses[(self.attempts - 1) % len(self.addresses)]

    def delay(self) -> float:
        first = 0.1 if any(each["t"] in GAME_COMMANDS for each in self.pending.values()) else 0.5
        return float(min(first * 2**self.failures, 5.0)) * self.random.uniform(0.75, 1.25)

    async def converse(self, socket: ClientConnection) -> int | None:
        """Exchange messages until the connection ends. Return its close code."""
        self.received_at = self.pinged_at = self.waiting_since = self.now
        self.probing_since: float | None = None
        watching = asyncio.create_task(self.watch(socket))
        try:
            self.outbox = self.greeting()
            await self.flush(socket)
            async for frame in socket:
                self.received_at, self.probing_since = self.now, None
                self.take(unpackb(frame.encode() if isinstance(frame, str) else frame))
                await self.flush(socket)
                if self.over or self.ended or self.exit_code is not None:
                    self.ended = False
                    break
        except ConnectionClosed:
            pass
        finally:
            watching.cancel()
        with contextlib.suppress(ConnectionClosed):
            await socket.close()
        return socket.close_code

    async def watch(self, socket: ClientConnection) -> None:
        """Ping, send again what is due, and abort a connection that is dead."""
        while True:
            await asyncio.sleep(self.tick)
            if self.is_dead():
                socket.transport.abort()
                return
            for id in [id for id, due in self.retries.items() if due <= self.now]:
                del self.retries[id]
                if id in self.pending:
                    self.outbox.append(self.pending[id])
            await self.flush(socket)

    def is_dead(self) -> bool:
        """Return whether to give up the connection; ping if that is due."""
        if self.now - self.received_at >= self.silence_limit:
            return True
        if not self.due():
            self.waiting_since = self.now
        elif self.now - self.waiting_since >= self.command_timeout:
            return True
        elif self.probing_since is not None:
            return self.now - self.probing_since >= self.probe_timeout
        elif self.now - max(self.received_at, self.waiting_since) >= self.probe_delay and self.welcomed:
            self.probing_since = self.now
            self.ping()
        if self.welcomed and self.now - self.pinged_at >= self.ping_interval:
            self.ping()
        return False

    def due(self) -> list[int]:
        """Return the commands that the server has to answer."""
        return [id for id in self.pending if id not in self.retries] if self.welcomed else []

    def ping(self) -> None:
        self.pinged_at = self.now
        self.outbox.append({"t": "ping", "n": 7})

    async def flush(self, socket: ClientConnection) -> None:
        messages, self.outbox = self.outbox, []
        with contextlib.suppress(ConnectionClosed):
            for message in messages:
                await socket.send(packb(message))

    # -- commands

    def send(self, command: Map) -> int:
        id, self.next_id = self.next_id, self.next_id + 1
        self.pending[id] = {"id": id, **command}
        if self.welcomed:
            self.outbox.append(self.pending[id])
        return id

    def begin(self) -> None:
        """Send the first command, which waits for welcome."""
        match self.profile:
            case "player":
                self.send({"t": "queue", "terms": {"game": self.game}})
            case "spectator":
                self.join()

    def join(self) -> None:
        self.send({"t": "join", "room": self.room})

    def hello(self) -> Map:
        return {
            "t": "hello",
            "client": "small client",
            "token": self.token,
            "session": self.session,
            "rooms": self.cursors(),
        }

    def greeting(self) -> list[Map]:
        """Return what to send first on a connection."""
        return [self.hello()]

    def cursors(self) -> list[list[Any]]:
        if self.scene is None:
            return []
        return [[self.room, self.epoch, self.seq] if self.in_sync else [self.room, 0, 0]]

    # -- messages

    def take(self, message: Any) -> None:
        if isinstance(message, list):
            message = dict(zip(MOVED, message, strict=False))
        handler = getattr(self, f"on_{message['t']}", None)
        if handler is not None:
            handler(message)

    def on_welcome(self, message: Map) -> None:
        self.welcomed = True
        self.token, self.session = message["token"], message["session"]
        self.learn(message.get("nodes", []))
        self.pending = {id: each for id, each in self.pending.items() if each["t"] != "sync"}
        self.retries.clear()
        self.outbox += self.to_send_again()
        if self.profile == "lobby" and self.room is None:
            self.send({"t": "watch_lobby"})

    def to_send_again(self) -> list[Map]:
        self.pending = dict(sorted((self.kept | self.pending).items()))
        self.pending = {id: each for id, each in self.pending.items() if each["t"] != "watch_lobby"}
        return list(self.pending.values())

    def learn(self, nodes: list[str]) -> None:
        if nodes:
            self.addresses = list(dict.fromkeys([*self.given, *nodes]))

    def on_closing(self, message: Map) -> None:
        self.learn(message.get("nodes", []))

    def on_pong(self, message: Map) -> None:
        for room, epoch, seq, *_ in message.get("rooms", []):
            if room == self.room and self.scene is not None and (epoch, seq) > (self.epoch, self.seq):
                self.sync(whole=epoch > self.epoch)

    def on_ok(self, message: Map) -> None:
        command = self.settle(message["id"])
        match command and command["t"]:
            case "queue":
                self.kept[message["id"]] = command or {}
            case "play":
                self.awaited = message["epoch"], message["seq"]
            case "accept":
                self.enter(message["room"])
            case "sync" if not self.in_sync:
                self.sync(whole=True)

    def settle(self, id: int | None) -> Map | None:
        self.waiting_since = self.now
        return self.pending.pop(id, None) if id is not None else None

    def on_refused(self, message: Map) -> None:
        id, code = message.get("id"), message["code"]
        if not self.welcomed and id is None:
            self.hello_refused(code)
        elif code in self.retried and id in self.pending:
            self.retries[id] = self.now + self.retry_after(message)
        else:
            command = self.settle(id)
            self.refused(code, command["t"] if command else "")

    def retry_after(self, message: Map) -> float:
        return max(self.retry_delay, float(message.get("retry_after", 0)) / 1000)

    def hello_refused(self, code: str) -> None:
        if code == "token_unknown":
            self.token = self.session = None
            self.scene, self.room, self.kept = None, None, {}
            self.outbox.append(self.hello())
        elif code in self.retried:
            self.ended = True  # the connection, not the game
        else:
            self.exit_code = 4

    def refused(self, code: str, command: str) -> None:
        """Act on a refusal for good."""
        match command, code:
            case "play" | "explore", "stale_ply" | "not_your_turn":
                self.sync(whole=True)
            case "play" | "explore", "game_over":
                pass
            case "accept", _:
                self.accepting = None
                self.accept_next()
            case "", _:
                pass
            case _:
                self.exit_code = 5

    # -- the room

    def on_paired(self, message: Map) -> None:
        self.kept.clear()
        if self.room is None:
            self.enter(message["room"])

    def enter(self, room: str) -> None:
        if self.room is None:
            self.room = room
            self.join()

    def on_room(self, message: Map) -> None:
        self.settle(message.get("id"))
        was_syncing = self.is_syncing()
        self.pending = {id: each for id, each in self.pending.items() if each["t"] != "sync"}
        self.epoch, self.seq, self.scene, self.seat = (
            self.numbers(message),
            message["seq"],
            message["scene"],
            message["seat"],
        )
        self.awaited = (0, 0)
        self.in_sync = self.fits(message, "room")
        if not self.in_sync and not was_syncing:
            self.sync(whole=True)
        self.result(message)

    def numbers(self, room: Map) -> int:
        return int(room["epoch"])

    def on_0(self, message: Map) -> None:
        self.update(message)

    def on_event(self, message: Map) -> None:
        self.update(message)
        self.result(message)

    def result(self, message: Map) -> None:
        self.over = self.over or bool(message.get("result"))

    def update(self, message: Map) -> None:
        new = message["epoch"], message["seq"]
        if self.scene is None or self.is_known(new):
            return
        if new[0] > self.epoch:
            self.newer_epoch(message)
        elif not self.in_sync:
            return
        elif new[1] > self.seq + 1:
            self.gap(message)
        else:
            self.apply(message)

    def is_known(self, new: tuple[int, int]) -> bool:
        return new <= (self.epoch, self.seq)

    def newer_epoch(self, message: Map) -> None:
        self.sync(whole=True)

    def gap(self, message: Map) -> None:
        self.sync()

    def apply(self, message: Map) -> None:
        self.seq = message["seq"]
        if message.get("change"):
            self.scene = self.patch(self.scene or [], message["change"])
        self.in_sync = self.fits(message, "moved" if message["t"] == 0 else "event")
        if not self.in_sync:
            self.sync(whole=True)

    def patch(self, scene: list[Any], change: list[Any]) -> list[Any]:
        stacks = {stack[0]: stack for stack in [*scene[0], *change[0]]}
        tallies = dict(enumerate(scene[1])) | {seat: numbers for seat, *numbers in change[1]}
        return [sorted(each for each in stacks.values() if each[1:]), list(tallies.values()), *change[2:5]]

    def fits(self, message: Map, kind: str) -> bool:
        """Return whether the hash of a message is that of the scene."""
        return bool(zlib.crc32(packb((self.scene or [])[:5])) == message["hash"])

    def is_syncing(self) -> bool:
        return any(each["t"] == "sync" for each in self.pending.values())

    def sync(self, *, whole: bool = False) -> None:
        if whole:
            self.in_sync = False
        if not self.is_syncing():
            epoch, seq = (self.epoch, self.seq) if self.in_sync else (0, 0)
            self.send({"t": "sync", "room": self.room, "epoch": epoch, "seq": seq})

    # -- turns

    def on_choices(self, message: Map) -> None:
        self.settle(message.get("id"))
        if (self.epoch, self.seq) < self.awaited or self.is_choosing(message):
            return
        picks, step, more = list(message.get("picks", [])), message["step"], False
        while step and not more:
            pick = self.random.choice(step[1])
            place, _, _, _, step, more, *_ = pick if isinstance(pick, list) else [pick, "", "", None, None, False]
            picks.append(place)
        self.choose(message["ply"], picks, more)

    def is_choosing(self, message: Map) -> bool:
        """Return whether a turn for this ply is on its way."""
        return any(each.get("ply") == message["ply"] for each in self.pending.values())

    def choose(self, ply: int, picks: list[int], more: bool) -> None:
        self.send({"t": "explore" if more else "play", "room": self.room, "ply": ply, "picks": picks})

    # -- the lobby and challenges

    def on_lobby(self, message: Map) -> None:
        self.settle(None)
        self.lobby_n, self.seeks = message["n"], {seek["seek"]: seek for seek in message["seeks"]}
        self.accept_next()

    def on_lobby_changed(self, message: Map) -> None:
        if self.skips(message["n"]):
            self.send({"t": "watch_lobby"})
            return
        self.lobby_n = message["n"]
        for seek in message.get("seeks_removed", []):
            self.seeks.pop(seek, None)
        self.seeks |= {seek["seek"]: seek for seek in message.get("seeks", [])}
        self.accept_next()

    def skips(self, n: int) -> bool:
        return n != self.lobby_n + 1

    def accept_next(self) -> None:
        """Accept the first seek for the game."""
        if self.profile == "lobby" and self.accepting is None and self.room is None:
            fitting = [seek for seek, each in self.seeks.items() if self.wants(each)]
            if fitting:
                self.accept(fitting[0])
                self.seeks.pop(fitting[0])

    def wants(self, seek: Map) -> bool:
        return bool(seek["terms"]["game"] == self.game)

    def accept(self, seek: str) -> None:
        self.accepting = seek
        self.send({"t": "accept", "seek": seek})

    def on_challenged(self, message: Map) -> None:
        if self.accepting is None and self.room is None:
            self.accept(message["seek"])
