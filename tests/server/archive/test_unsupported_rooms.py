"""Rooms by rules that this node does not support are left to other nodes, until it is certain that there are none."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour import games
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Cursor, GetRecord, Join, ListGames, Paired, Play, ReadRecord, Record, Refused
from parlour.protocol.types import Clock, Result, Terms
from parlour.server.archive import storage, text_format
from parlour.server.archive.archive import ARCHIVE_AFTER
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.record import GameRecord, sealed
from parlour.server.archive.rows import game_row
from parlour.server.archive.unsupported_rooms import is_orphaned, supported_rules
from parlour.server.archive.verify import read
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.events import AnyEvent, Created, Ended, decode
from parlour.server.rooms.outline import Outline
from parlour.server.rooms.state import evolve, initial_state
from parlour.server.store.keys import Keys
from tests.server.archive.test_archive import RATED, game, guest, write
from tests.server.running_node import Caller, RunningNode, running_node

keys = Keys()

OLD = 99  # a version of the rules that no node here supports
GRACE = 1  # seconds

times = st.integers(0, 2**41)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rules_grace=GRACE) as running:
        yield running


@given(times, times, times, times, st.integers(1, 2**35))
def test_a_game_waits_for_a_node_with_its_rules(
    supported: int, outage: int, started: int, now: int, grace: int
) -> None:
    """The wait starts again with every announcement, after an outage, and when this node starts."""
    orphaned = is_orphaned(supported, outage, started, now, grace)
    assert orphaned == (now >= supported + grace and now >= outage + grace and now >= started + grace)


def test_all_games_are_supported() -> None:
    """A node supports the version it has of each game."""
    assert {(key, games.find(key).info.rules_version) for key in games.keys()} <= set(supported_rules())


async def old_game(
    node: RunningNode,
    room: str,
    *,
    over: bool,
    ago: int = 0,
    reason: str = "resigned",
    terms: Terms = RATED,
    with_record: bool = True,
) -> tuple[Caller, Caller]:
    """Write the log of a game by other rules, `ago` milliseconds old, as a node does that has them."""
    ada, ben = await node.call(), await node.call()
    players = (await guest(node, ada), await guest(node, ben))
    created, *events = game(terms, players, node.node.now() - ago, reason=reason)
    assert isinstance(created, Created)
    log: Sequence[AnyEvent] = [replace(created, rules_version=OLD), *(events if over else events[:-1])]
    await write(node, room, list(log))
    await node.store.seats.seat(room, terms.game, [player.id for player in players], node.node.now())
    if over and with_record and reason != "aborted":
        state = initial_state(room, created)
        for event in events:
            state = evolve(state, event)
        old = storage.stored_game(replace(state, rules_version=OLD))
        await GameTable(node.node.database).put(game_row(old, storage.pack_game(old)))
    return ada, ben


async def last_event(node: RunningNode, room: str) -> AnyEvent:
    entries = await node.store.room_log.tail(room, 0)
    event: AnyEvent = decode(entries[-1][1])
    return event


async def due(redis: Redis, room: str) -> float | None:
    found: float | None = await redis.zscore(keys.due(room), room)
    return found


async def announce_others(node: RunningNode) -> None:
    """Announce the old rules, as another node does."""
    await node.store.rules.announce([("isaac", OLD)], node.node.now())


async def sweep_until_aborted(node: RunningNode, room: str) -> None:
    while not isinstance(await last_event(node, room), Ended):
        await node.node.sweep()


async def test_a_running_game_is_left_to_another_node(node: RunningNode, redis: Redis) -> None:
    """It is refused with a code of its own, stays due for the other nodes, and is not changed."""
    ada, _ = await old_game(node, "old", over=False)
    for command in (Join(id=0, room="old"), Play(id=0, room="old", ply=4, picks=(1,)), GetRecord(id=0, room="old")):
        assert await ada.code(command) == ErrorCode.RULES_UNSUPPORTED
    before = await node.store.room_log.tail("old", 0)
    for _ in range(3):
        await announce_others(node)
        await node.node.sweep()

    assert await due(redis, "old") is not None
    assert await node.store.room_log.tail("old", 0) == before
    assert isinstance(await node.registry.find("old"), Outline)
    assert node.registry.rooms == {}


async def test_a_player_finds_the_game_all_the_same(node: RunningNode) -> None:
    """A new session is told of it; a resumed one is told which room cannot be continued here."""
    ada, _ = await old_game(node, "old", over=False)
    again = await node.call(greet=False)
    await again.hello(ada.token, (Cursor("old", 1, 3),))
    assert (await again.hears(Paired)).room == "old"
    refused = await again.hears(Refused)
    assert (refused.code, refused.room, refused.id) == (ErrorCode.RULES_UNSUPPORTED, "old", None)


async def test_a_game_without_a_node_is_aborted(node: RunningNode, redis: Redis) -> None:
    """It is over without a winner and not rated, and the player is told why."""
    ada, ben = await old_game(node, "old", over=False)
    await sweep_until_aborted(node, "old")

    ended = await last_event(node, "old")
    assert isinstance(ended, Ended)
    assert ended.result == Result(None, "aborted")
    refused = await ada.ask(Join(id=0, room="old"))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.room) == (ErrorCode.GAME_OVER, "old")
    assert refused.text.startswith("The game was aborted. It was played by version 99 of the rules of “isaac”")
    assert await due(redis, "old") is None
    for caller in (ada, ben):
        rating = await Ratings(node.store.ratings).get((await guest(node, caller)).id, "isaac")
        assert rating.games == 0
    again = await node.call(ada.token)
    await again.ask(ListGames(id=0))
    assert again.has_heard(Paired) == []


async def test_a_game_without_a_clock_is_aborted_when_a_player_comes_back(node: RunningNode, redis: Redis) -> None:
    """No deadline would ever lead a node to it."""
    ada, _ = await old_game(node, "old", over=False, terms=Terms("isaac", {}, Clock()))
    await redis.delete(keys.due("old"))
    assert await ada.code(Join(id=0, room="old")) == ErrorCode.RULES_UNSUPPORTED
    await sweep_until_aborted(node, "old")
    assert await ada.code(Join(id=0, room="old")) == ErrorCode.GAME_OVER


async def test_a_finished_game_is_archived(node: RunningNode, redis: Redis) -> None:
    """The node on which it ended, and which has rated it, may have stopped; its record stays as it was written."""
    ada, _ = await old_game(node, "old", over=True, ago=ARCHIVE_AFTER + 1_000)
    record = await GameTable(node.node.database).find("old")
    while await redis.exists(keys.log("old")):
        await node.node.sweep()

    assert await GameTable(node.node.database).find("old") == record
    rating = await Ratings(node.store.ratings).get((await guest(node, ada)).id, "isaac")
    assert rating.games == 0  # not again: the archive has only games that were rated
    assert await ada.code(Join(id=0, room="old")) == ErrorCode.GAME_OVER
    assert (await ada.ask(GetRecord(id=0, room="old"))).text
    await node.node.sweep()
    assert await due(redis, "old") is None


async def test_a_finished_game_without_a_record_is_left_alone(node: RunningNode, redis: Redis) -> None:
    """A node that does not know the rules cannot write the record; one that does still can."""
    ada, _ = await old_game(node, "old", over=True, with_record=False)
    while await due(redis, "old") is not None:
        await node.node.sweep()
    assert await ada.code(GetRecord(id=0, room="old")) == ErrorCode.GAME_OVER
    assert isinstance(await last_event(node, "old"), Ended)


def stored_record(data: bytes | None) -> GameRecord:
    assert data is not None
    return storage.unpack(data).record


async def test_a_record_by_other_rules_is_served_without_boards(node: RunningNode) -> None:
    """Moves, result, chain and text are those that were recorded, and the text is accepted again."""
    ada, _ = await old_game(node, "old", over=True)
    record = stored_record(await GameTable(node.node.database).find("old"))
    assert record.rules_version == OLD

    told = await ada.ask(GetRecord(id=0, room="old"))
    assert isinstance(told, Record)
    assert (told.replayable, told.board, told.initial_scene, told.rules_version) == (False, None, None, OLD)
    assert [(move.move, move.duration, move.change) for move in told.moves] == [
        (entry.move, entry.took, None) for entry in record.moves
    ]
    assert (told.result, told.chain, told.text) == (record.result, record.chain, text_format.write(record))
    assert read(msgspec.json.encode(told).decode()) == record
    assert replace(await ada.ask(ReadRecord(id=0, text=told.text)), id=told.id) == told
    [line] = (await ada.ask(ListGames(id=0))).rows
    assert (line.room, line.plies) == ("old", len(record.moves))


async def test_a_changed_record_by_other_rules_is_broken(node: RunningNode) -> None:
    """Its chain is checked although its moves are not."""
    ada, _ = await old_game(node, "old", over=True)
    text = (await ada.ask(GetRecord(id=0, room="old"))).text
    assert await ada.code(ReadRecord(id=0, text=text.replace("[Rules 99]", "[Rules 98]"))) == ErrorCode.RECORD_BROKEN
    unknown = sealed(replace(read(text), terms=Terms("chess")))
    assert not (await ada.ask(ReadRecord(id=0, text=text_format.write(unknown)))).replayable
