"""What is stored about a finished game: the computer's assessments, and the variations of its players."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
from redis.asyncio import Redis

from parlour import games
from parlour.bots.engine import Answer
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Analysis, GetAnalysis, Ok, Play, Resign, SaveVariations, Variation
from parlour.protocol.types import Terms
from parlour.server.archive.database.reviews import ReviewTable
from parlour.server.archive.erasure import Erasure
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

OTHER = Variation(1, ("a1-e1", "f7-d7"))


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def played(node: RunningNode) -> tuple[str, Caller, Caller]:
    """Return the room of a game of one move that is still on, and its players."""
    sedge, thorn = await node.call(name="Sedge"), await node.call(name="Thorn")
    room = await node.table(Terms("replica"), sedge, thorn)
    await sedge.ask(Play(id=0, room=room, ply=0, move="g5-f5"))
    return room, sedge, thorn


async def stored(caller: Caller, room: str) -> Analysis:
    answer = await caller.ask(GetAnalysis(id=0, room=room))
    assert isinstance(answer, Analysis)
    return answer


async def test_variations_are_stored_with_the_game(node: RunningNode) -> None:
    """Each player has their own, everyone sees them, and a deleted player's are removed."""
    room, sedge, thorn = await played(node)
    await sedge.ask(Resign(id=0, room=room))
    assert isinstance(await thorn.ask(SaveVariations(id=0, room=room, variations=(OTHER,))), Ok)
    watcher = await node.call()
    assert (await stored(watcher, room)).variations == ((), (OTHER,))

    async def is_erased() -> bool:
        id = await node.store.players.id_of("thorn")
        assert id is not None
        await Erasure(node.node.database).erase(id)
        return (await stored(watcher, room)).variations == ((), ())

    await until(is_erased)


async def test_what_is_refused(node: RunningNode) -> None:
    """Variations of a running game, of spectators, with too many moves, and with moves that are not legal."""
    room, sedge, thorn = await played(node)
    save = SaveVariations(id=0, room=room, variations=(OTHER,))
    assert await sedge.code(save) == ErrorCode.RECORD_UNKNOWN
    assert (await stored(sedge, room)).variations == ((), ())
    await sedge.ask(Resign(id=0, room=room))
    watcher = await node.call()
    assert await watcher.code(save) == ErrorCode.NOT_A_PLAYER
    for variations, code in (
        ((Variation(2, ("b1-c1",)),), ErrorCode.STALE_PLY),
        ((Variation(0, ("b1-c1",)),), ErrorCode.MOVE_ILLEGAL),
        ((Variation(0, ("g5-f5",) * 300),) * 2, ErrorCode.LIMIT_REACHED),
    ):
        assert await thorn.code(SaveVariations(id=0, room=room, variations=variations)) == code
    assert (await stored(thorn, room)).variations == ((), ())
    assert await thorn.code(GetAnalysis(id=0, room="nowhere")) == ErrorCode.RECORD_UNKNOWN


async def test_a_review_is_stored(node: RunningNode) -> None:
    """What the computer found out about a position is there for all, with the picks of the best move."""
    room, sedge, _ = await played(node)
    answer = Answer("a1-e1", 12, 0.6, ("a1-e1", "f7-d7"), 1000, 5)
    await ReviewTable(node.node.database).put(room, 1, msgspec.msgpack.encode(answer))
    assert (await stored(sedge, room)).assessments == ()
    await sedge.ask(Resign(id=0, room=room))
    (found,) = (await stored(sedge, room)).assessments
    assert (found.ply, found.seat, found.chance, found.move, found.line) == (1, 1, 600, "a1-e1", answer.line)
    game = games.find("replica")
    after = game.apply(state := game.initial(game.options({})), game.read(state, "g5-f5"))
    assert found.picks == tuple(game.scan(after, "a1-e1"))
