"""What a move costs, in numbers that are the same on every machine: the regression guards of docs/performance.md.

A change that makes a number smaller lowers its limit here; a change that raises one has to be worth it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Hello, Join, Moved, Ok, Play, Presence, Room, Welcome
from parlour.protocol.types import Clock, Terms
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import CHECK_SLOTS
from tests.server.move_counts import Piece, counted
from tests.server.running_node import LIMITS, Caller, RunningNode, running_node

TERMS = Terms("replica", {}, Clock("fischer", main=600_000, step=1_000))
NO_PINGS = replace(LIMITS, ping_interval=3600)  # which would be counted too

# Functions of the server and the protocol that a move calls. Newer Pythons than 3.11 do not call comprehensions.
CALLS_DOWN = 36  # from the socket to the log
CALLS_UP = 38  # from the log to the buffers of both players
CALLS_FLUSH = 3  # from the buffers to the sockets
CALLS_FOLLOWER = 40  # from a message of the node that has committed the move to the buffer of the other player

ENCODED_DOWN = 2  # the command, for its digest, and the event
ENCODED_UP = 3  # the scene, for its hash; the update, once for all subscribers; the reply

SCRIPT_COMMANDS = 4  # that the append executes in the store
ENTRY_BYTES = 100  # of a move in the log
UPDATE_BYTES = 60


@pytest.fixture(autouse=True)
def unchecked_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the check of hash slots, which only tests make."""
    monkeypatch.delenv(CHECK_SLOTS)


class Cost(Struct, frozen=True):
    """What a node did for one move."""

    down: Piece  # from the socket to the log
    up: Piece  # from the log to the buffers
    flush: Piece  # from the buffers to the sockets
    update: Moved


class Match:
    """Two players on a node, who always play the first legal move."""

    def __init__(self, node: RunningNode, room: str, players: Sequence[Caller]) -> None:
        self.room = room
        self._node = node
        self._players = players

    async def play(self, moves: int) -> None:
        """Play some moves."""
        for _ in range(moves):
            await self._move()

    async def measure(self) -> Cost:
        """Play a move, and return what it cost."""
        with counted() as counts:
            update = await self._move()
        return Cost(
            counts.of("WebSocketConnection.data_received", through="Room.command"),
            counts.of("RespConnection.data_received", through="Subscribers.publish"),
            counts.of("Hub.flush", through="Connection.flush"),
            update,
        )

    async def _move(self) -> Moved:
        state = self._node.registry.rooms[self.room].state
        move = state.rules.write(state.state, state.rules.moves(state.state)[0])
        mover, opponent = self._players[state.ply % 2], self._players[1 - state.ply % 2]
        ok = await mover.ask(Play(id=0, room=self.room, ply=state.ply, move=move))
        assert isinstance(ok, Ok)
        return await opponent.hears(Moved, lambda moved: moved.seq == ok.seq)


async def connected(node: RunningNode, *, choices: bool = False) -> Caller:
    """Connect a player; `choices` are what a person wants and a program does not."""
    caller = await node.call(greet=False)
    await caller.send(Hello("test", choices=choices))
    await caller.hears(Welcome)
    return caller


async def started(node: RunningNode, *, choices: bool = False) -> Match:
    """Start a match. From the third move on the clocks run, the timer is set, and presence is not announced again."""
    players = [await connected(node, choices=choices) for _ in range(2)]
    match = Match(node, await node.table(TERMS, *players), players)
    await match.play(4)
    await players[0].hears(Presence, lambda presence: presence.abort_in is None)
    return match


async def test_calls_encodings_and_writes(valkey: str) -> None:
    """A move calls few functions, encodes five values, and takes one write per player."""
    async with running_node(valkey, limits=NO_PINGS) as node:
        cost = await (await started(node)).measure()

    assert cost.down.called.total() <= CALLS_DOWN, cost.down.called
    assert cost.up.called.total() <= CALLS_UP, cost.up.called
    assert cost.flush.called.total() <= CALLS_FLUSH, cost.flush.called
    assert (cost.down.encoded, cost.up.encoded, cost.flush.encoded) == (ENCODED_DOWN, ENCODED_UP, 0)
    assert (cost.down.writes, cost.up.writes, cost.flush.writes) == (0, 0, 2)


async def test_choices_cost_one_encoding_and_no_write(valkey: str) -> None:
    """The choices of the player to move leave together with the update."""
    async with running_node(valkey, limits=NO_PINGS) as node:
        cost = await (await started(node, choices=True)).measure()

    assert cost.up.encoded == ENCODED_UP + 1
    assert cost.flush.writes == 2


async def test_later_moves_cost_the_same(valkey: str) -> None:
    """The server calls the same functions as often, however many moves were made before."""
    async with running_node(valkey, limits=NO_PINGS) as node:
        match = await started(node)
        early = await match.measure()
        await match.play(13)
        late = await match.measure()

    assert (early.down.called, early.flush.called) == (late.down.called, late.flush.called)
    assert early.up.called == late.up.called


async def test_a_move_of_another_node_is_not_encoded_again(valkey: str) -> None:
    """In a game between two nodes, the one that commits a move computes and encodes the update for both."""
    async with running_node(valkey, "here", limits=NO_PINGS) as here, running_node(valkey, "there") as there:
        players = [await connected(here), await connected(there)]
        match = Match(here, await here.table(TERMS, *players), players)
        await match.play(4)
        with counted() as counts:
            await match.play(1)

    follower = counts.of("RespConnection.data_received", through="Room.receive_published")
    assert follower.encoded == 0
    assert follower.called.total() <= CALLS_FOLLOWER, follower.called


@pytest.mark.parametrize("spectators", [4, 40])
async def test_a_spectator_costs_one_write(valkey: str, spectators: int) -> None:
    """An update is encoded once, however many subscribers there are."""
    async with running_node(valkey, limits=NO_PINGS) as node:
        match = await started(node)
        for _ in range(spectators):
            spectator = await connected(node)
            assert isinstance(await spectator.ask(Join(id=0, room=match.room)), Room)
        await spectator.hears(Presence, lambda presence: presence.spectators == spectators)
        cost = await match.measure()

    assert cost.up.encoded == ENCODED_UP
    reply = spectators > 4  # a large audience is written to at once, so the mover's reply follows in a write of its own
    assert cost.up.writes + cost.flush.writes == 2 + spectators + reply


async def test_commands_and_bytes_in_the_store(valkey: str, redis: Redis) -> None:
    """A move is one command to the store, which executes four, and a short entry in the log."""
    async with running_node(valkey, limits=NO_PINGS) as node:
        match = await started(node)
        log = Keys().log(match.room)
        executed: list[tuple[str, str]] = []
        async with redis.monitor() as monitor:
            cost = await match.measure()
            await redis.echo("the end")
            while (command := await monitor.next_command())["command"] != "ECHO the end":
                if log in command["command"]:
                    executed.append((command["client_type"], command["command"].split()[0].upper()))
        entries = await node.store.room_log.tail(match.room, cost.update.seq - 1)

    assert [name for source, name in executed if source != "lua"] == ["EVALSHA"]
    assert len(executed) <= 1 + SCRIPT_COMMANDS
    assert [seq for seq, _ in entries] == [cost.update.seq]
    assert len(entries[0][1]) <= ENTRY_BYTES
    assert len(MSGPACK.encode(cost.update)) <= UPDATE_BYTES
