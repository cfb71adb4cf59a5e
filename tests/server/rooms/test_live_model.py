"""One room open on two nodes that do not hear of each other: what players are told is what the log has."""

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
from parlour.protocol.tables import Terms
from parlour.server.config import Settings
from parlour.server.metrics import Metrics
from parlour.server.node import Node
from parlour.server.rooms.events import AnyEvent, Played
from parlour.server.rooms.live import LiveRoom
from parlour.server.rooms.opening import agreed, opening
from parlour.server.store import keys
from parlour.server.store.store import Store
from parlour.server.transport.incident import uncounted
from parlour.server.transport.limits import Limits
from parlour.server.transport.peer import Peer
from parlour.server.transport.switchboard import Switchboard
from tests.server.rooms.tables import ADA, BEN
from tests.server.store.private_valkey import PrivateValkey
from tests.waiting import WITHIN

RUNS, STEPS = 40, 30

decode = msgspec.msgpack.Decoder(AnyEvent).decode

nodes = st.sampled_from((0, 1))
seats = st.sampled_from((0, 1))


class Connected:
    """A player's connection to one node, which keeps all answers."""

    lag = 0
    wants_choices = True

    def __init__(self, player: str, name: str, peer: Peer) -> None:
        self.player = player
        self.name = name
        self.peer = peer
        self.sent: dict[int, int] = {}  # how often each command was sent here
        self.answers: dict[int, list[Ok | Refused]] = {}

    def send(self, message: Message | Moved, patient: bool = False) -> None:
        if isinstance(message, Ok | Refused) and message.id is not None:
            self.answers.setdefault(message.id, []).append(message)

    def owe(self, room: str) -> None:
        pass

    def may_talk(self) -> bool:
        return True


class Nowhere:
    """A wire that takes everything."""

    def write(self, data: bytes) -> None:
        pass

    def buffered(self) -> int:
        return 0

    def hang_up(self, code: int, reason: str) -> None:
        pass

    def abort(self) -> None:
        pass


def silent(node: Node) -> Peer:
    """A peer that leads nowhere: what everybody is told is not of interest here."""
    wire, board = Nowhere(), Switchboard(node, Limits(), uncounted)
    return Peer(wire, wire.write, board, codec=MSGPACK, address="here", source=board.crowd.enter("127.0.0.1"))


class OneNode:
    """A node with one room in it, which it does not hear any news of."""

    def __init__(self, store: Store, room: LiveRoom, node: Node) -> None:
        self.store = store
        self.room = room
        self.node = node
        self.seats = [Connected(guest.player, guest.name, silent(node)) for guest in (ADA, BEN)]
        for seat in self.seats:
            room.join(seat, None)

    def command(self, seat: int, command: Play | Offer) -> None:
        connected = self.seats[seat]
        connected.sent[command.id] = connected.sent.get(command.id, 0) + 1
        self.room.command(connected, command)


async def open_node(valkey: str, name: str, id: str) -> OneNode:
    store = Store(valkey, name)
    await store.open()
    node = Node(Settings(), store, Metrics(), "test")
    terms = Terms("mapello")
    options, _ = agreed(terms, None, Random(1))
    await node.house.create(id, opening(terms, options, None, (ADA, BEN), 1))
    room = await node.house.open(id)
    store.bus.unfollow(keys.updates(id))
    return OneNode(store, room, node)


def machine(valkey: str, runner: asyncio.Runner, new_room: Callable[[], str], count: Callable[[int], None]) -> type:
    """The state machine on that Valkey."""

    class TwoNodes(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.id = new_room()
            self.nodes = [runner.run(open_node(valkey, name, self.id)) for name in ("one", "two")]
            self.next_id = 0
            self.made: list[tuple[int, Play | Offer]] = []  # commands so far, and whose they are

        def _play(self, at: int, chance: Random) -> tuple[int, Play | Offer]:
            """A turn that is right as far as this node knows."""
            room = self.nodes[at].room.room
            self.next_id += 1
            if room.to_move is None:
                return 0, Offer(id=self.next_id, room=self.id, what="rematch")
            picks = random_move(room.rules, room.state, chance)
            return room.to_move, Play(id=self.next_id, room=self.id, ply=len(room.moves), picks=picks)

        @rule(
            turns=st.lists(st.tuples(nodes, st.booleans(), st.booleans()), min_size=1, max_size=12),
            seed=st.integers(0, 2**32),
        )
        def play(self, turns: list[tuple[int, bool, bool]], seed: int) -> None:
            """Turns at either node, at both, and old ones again, faster than they are answered."""
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
                while not all(node.room.is_quiet for node in self.nodes):
                    await asyncio.sleep(0)

        @invariant()
        def everybody_was_told_what_the_log_has(self) -> None:
            """Each command sent is answered once for each time; what was accepted is in the log where it was said."""
            entries = runner.run(self.nodes[0].store.log.tail(self.id, 0))
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
                assert node.room.room.moves == tuple(event.move for event in plies)[: len(node.room.room.moves)]

        def teardown(self) -> None:
            async def end() -> None:
                for node in self.nodes:
                    node.node.house.close()
                    await node.node.settle(WITHIN)
                    await node.store.close()

            runner.run(end())

    return TwoNodes


def test_two_nodes_at_one_table() -> None:
    """Whatever is sent to two nodes that both believe to be current: one log, every answer true, nothing twice."""
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
