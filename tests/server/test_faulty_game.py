"""A game with bugs affects only its own players, who are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from parlour import games
from parlour.protocol.messages import Ok, Play, Preview, Resign
from parlour.protocol.types import Result, Terms
from tests.server.running_node import RunningNode, running_node

FIFTH_GAME = Path(__file__).parents[1] / "games" / "fifth_game"

# Fails to show a position with something in the centre, to play in a corner, and to begin with the option.
FAULTY = """
from msgspec.structs import replace

from parlour.games.noughts import Noughts


class Faulty(Noughts):
    info = replace(Noughts.info, key="faulty")

    def initial(self, options):
        assert not options["misere"]
        return super().initial(options)

    def apply(self, state, move):
        assert move != (0,)
        return super().apply(state, move)

    def scene(self, state):
        assert not (state.held[0] | state.held[1]) >> 4 & 1
        return super().scene(state)


GAME = Faulty()
"""


@pytest.fixture(autouse=True)
def faulty(tmp_path: Path) -> Iterator[None]:
    """Register the game for this test only."""
    (tmp_path / "faulty").mkdir()
    (tmp_path / "faulty" / "__init__.py").write_text(FAULTY, encoding="utf-8")
    for folder in (FIFTH_GAME, tmp_path):
        games.add_folder(folder)
    yield
    for folder in (FIFTH_GAME, tmp_path):
        games.__path__.remove(str(folder))
    games.keys.cache_clear()
    games.find.cache_clear()


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def test_a_question_that_fails_is_answered(node: RunningNode) -> None:
    ada = await node.call(name="Ada")
    assert await ada.code(Preview(id=0, terms=Terms("faulty", {"misere": True}))) == "internal"
    assert await ada.ask(Preview(id=0, terms=Terms("noughts"))) is not None


async def test_a_move_that_cannot_be_shown_leaves_the_room_usable(node: RunningNode) -> None:
    """The move is in the log; its player is told that something went wrong, and can still resign."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(Terms("faulty"), ada, ben)
    assert await ada.code(Play(id=0, room=room, ply=0, move="b2")) == "internal"
    assert await ada.code(Resign(id=0, room=room)) == "internal"

    stored = await node.registry.load(room)
    assert stored is not None
    assert stored.ply == 1
    assert stored.result == Result(1, "resigned")


async def test_a_move_that_fails_leaves_the_room_usable(node: RunningNode) -> None:
    """The move is not in the log, so both players can continue."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(Terms("faulty"), ada, ben)
    assert await ada.code(Play(id=0, room=room, ply=0, move="a1")) == "internal"

    assert isinstance(await ada.ask(Play(id=0, room=room, ply=0, move="c3")), Ok)
    assert isinstance(await ben.ask(Play(id=0, room=room, ply=1, move="c2")), Ok)
