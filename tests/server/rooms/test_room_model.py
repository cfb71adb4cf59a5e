"""One room, open on two nodes that do not hear of each other: what players are told is what the log has."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from parlour.games.perft import random_move
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Message, Moved, Offer, Ok, Play, Refused
from parlour.protocol.types import Terms
from parlour.server.archive.database.database import Database
from parlour.server.configuration.settings import Settings
from parlour.server.connections.connection import Connection
from parlour.server.connections.hub import Hub
from parlour.server.connections.incidents import uncounted
from parlour.server.connections.limits import Limits
from parlour.server.metrics import Metrics
from parlour.server.node import Node
from parlour.server.restrictions import Restriction
from parlour.server.rooms.events import AnyEvent, Played
from parlour.server.rooms.room import Room
from parlour.server.rooms.setup import complete_options, create
from parlour.server.store.block_lists import NO_BLOCK_LISTS, BlockLists
from parlour.server.store.keys import Keys
from parlour.server.store.store import Store
from tests.server.rooms.sample_rooms import ADA, BEN
from tests.server.running_node import shared_archive
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

keys = Keys()

RUNS, STEPS = 40, 30

decode = msgspec.msgpack.Decoder(AnyEvent).decode

nodes = st.sampled_from((0, 1))
seats = st.sampled_from((0, 1))


class Connected:
    """A player's subscription on one node, which keeps all replies."""

    lag = 0
    session_id = "session"
    wants_choices = True

    def __init__(self, player: str, name: str, connection: Connection) -> None:
        self.player = player
        self.name = name
        self.connection = connection
        self.sent: dict[int, int] = {}  # how often each command was sent here
        self.answers: dict[int, list[Ok | Refused]] = {}

    def send(self, message: Message | Moved) -> None:
        if isinstance(message, Ok | Refused) and message.id is not None:
            self.answers.setdefault(message.id, []).append(message)

    def mark_for_resend(self, room: str) -> None:
        pass

    @property
    def muted(self) -> Restriction | None:
        return None

    @property
    def block_lists(self) -> BlockLists:
        return NO_BLOCK_LISTS


class Nowhere:
    """A wire that accepts everything."""

    def write(self, data: bytes) -> None:
        pass

    def buffered(self) -> int:
        return 0

    def start_closing(self, code: int, reason: str) -> None:
        pass

    def abort(self) -> None:
        pass


def silent(node: Node) -> Connection:
    """Return a connection that leads nowhere: broadcasts do not matter here."""
    wire, board = Nowhere(), Hub(node.dispatcher, Limits(), uncounted)
    return Connection(wire, wire.write, board, codec=MSGPACK, address="here", source=board.counts.enter("127.0.0.1"))


class OneNode:
    """A node with one room, which receives no updates from other nodes."""

    def __init__(self, store: Store, room: Room, node: Node) -> None:
        self.store = store
        self.room = room
        self.node = node
        self.seats = [Connected(each.id, each.player.name, silent(node)) for each in (ADA, BEN)]
        for seat in self.seats:
            room.join(seat, None)

    def command(self, seat: int, command: Play | Offer) -> None:
        connected = self.seats[seat]
        connected.sent[command.id] = connected.sent.get(command.id, 0) + 1
        self.room.command(connected, command)


async def open_node(valkey: str, name: str, id: str) -> OneNode:
    store = Store(valkey, name)
    await store.open()
    node = Node(Settings(), store, Database(await shared_archive(store)), Metrics(), "test")
    terms = Terms("mapello")
    options = complete_options(terms, None, Random(1))
    await node.registry.create(id, create(terms, options, None, (ADA, BEN), 1))
    room = await node.registry.open(id)
    store.pubsub.unsubscribe(keys.room_events(id))
    return OneNode(store, room, node)


def machine(valkey: str, runner: asyncio.Runner, new_room: Callable[[], str], count: Callable[[int], None]) -> type:
    """Return the state machine on that Valkey."""

    class TwoNodes(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.id = new_room()
            self.nodes = [runner.run(open_node(valkey, name, self.id)) for name in ("one", "two")]
            self.next_id = 0
            self.made: list[tuple[int, Play | Offer]] = []  # commands so far, and whose they are

        def _play(self, at: int, chance: Random) -> tuple[int, Play | Offer]:
            """Return a move that is legal as far as this node knows."""
            room = self.nodes[at].room.state
            self.next_id += 1
            if room.to_move is None:
                return 0, Offer(id=self.next_id, room=self.id, kind="rematch")
            picks = random_move(room.rules, room.state, chance)
            return room.to_move, Play(id=self.next_id, room=self.id, ply=len(room.moves), picks=picks)

        @rule(
            turns=st.lists(st.tuples(nodes, st.booleans(), st.booleans()), min_size=1, max_size=12),
            seed=st.integers(0, 2**32),
        )
        def play(self, turns: list[tuple[int, bool, bool]], seed: int) -> None:
            """Play on either node, on both, and repeat old moves, faster than they are answered."""
            chance = Random(seed)  # what hypothesis draws must not depend on who was faster

            async def run() -> None:
                for at, both, repeat in turns:
                    seat, command = chance.choice(self.made) if repeat and self.made else self._play(at, chance)
                    self.made.append((seat, command))
                    self.nodes[at].command(seat, command)
                    if both:
                        self.nodes[1 - at].command(seat, command)
                    count(1 + both)
                    if chance.random() < 0.5:
                        await asyncio.sleep(0)
                await self._quiet()

            runner.run(run())

        @rule(at=nodes)
        def catch_up(self, at: int) -> None:
            async def run() -> None:
                self.nodes[at].room.catch_up()
                await self._quiet()

            runner.run(run())

        async def _quiet(self) -> None:
            async with asyncio.timeout(WITHIN):
                while not all(node.room.is_idle for node in self.nodes):
                    await asyncio.sleep(0)

        @invariant()
        def replies_match_the_log(self) -> None:
            """Every command is answered once per attempt, and accepted ones are in the log where the reply says."""
            entries = runner.run(self.nodes[0].store.room_log.tail(self.id, 0))
            events = {seq: decode(entry) for seq, entry in entries}
            assert list(events) == list(range(1, len(events) + 1))
            done = [(event.by, event.id) for event in events.values() if getattr(event, "by", "")]
            assert len(set(done)) == len(done)  # nothing was carried out twice
            acknowledged = set()
            for node in self.nodes:
                for seat in node.seats:
                    assert {id: len(answers) for id, answers in seat.answers.items()} == seat.sent
                    for id, answers in seat.answers.items():
                        for answer in answers:
                            if isinstance(answer, Ok):
                                assert answer.seq is not None
                                event = events[answer.seq]
                                assert (getattr(event, "by", ""), getattr(event, "id", None)) == (seat.player, id)
                                acknowledged.add((seat.player, id))
            assert acknowledged == set(done)
            plies = [event for event in events.values() if isinstance(event, Played)]
            for node in self.nodes:
                assert node.room.state.moves == tuple(event.move for event in plies)[: len(node.room.state.moves)]

        def teardown(self) -> None:
            async def end() -> None:
                for node in self.nodes:
                    node.node.registry.close()
                    await node.node.drain(WITHIN)
                    await node.store.close()

            runner.run(end())

    return TwoNodes


def test_two_nodes_with_one_room() -> None:
    """Whatever is sent to two nodes that both think they are current: one log, true replies, nothing twice."""
    commands = rooms = 0

    def new_room() -> str:
        nonlocal rooms
        rooms += 1
        return f"room-{rooms}"

    def count(more: int) -> None:
        nonlocal commands
        commands += more

    valkey = PrivateValkey()
    valkey.start()
    try:
        with asyncio.Runner() as runner:
            kind = machine(valkey.url, runner, new_room, count)
            run_state_machine_as_test(kind, settings=settings(max_examples=RUNS, stateful_step_count=STEPS))
    finally:
        valkey.close()
    assert commands > 1_000
