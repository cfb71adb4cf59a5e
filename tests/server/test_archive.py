"""Finished games: counted once, recorded, listed, and put away after a while without anybody noticing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import reduce
from random import Random

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    AskGames,
    AskRecord,
    Games,
    Join,
    Message,
    Offer,
    Ping,
    Play,
    Pong,
    Rated,
    ReadRecord,
    Record,
    Refused,
    Resign,
    Room,
    Standing,
)  # fmt: skip
from parlour.protocol.tables import Clock, Result, Terms
from parlour.server.archive import PUT_AWAY_AFTER
from parlour.server.records.document import faults, read
from parlour.server.records.keeping import pack
from parlour.server.rooms.core import created, evolve
from parlour.server.rooms.events import AnyEvent, Created, Ended, Played, Rematch
from parlour.server.rooms.journal import encode
from parlour.server.rooms.opening import Guest, agreed, opening
from parlour.server.store import keys
from parlour.server.store.log import Appended
from tests.server.running_node import Caller, RunningNode, running_node

FISCHER = Clock("fischer", 300_000, 3_000)
RATED = Terms("isaac", {}, FISCHER, rated=True)
CASUAL = Terms("isaac", {}, FISCHER)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def guest(node: RunningNode, caller: Caller) -> Guest:
    player = await node.store.players.find(caller.token)
    assert player is not None
    return Guest(player.id, player.name)


def game(
    terms: Terms, guests: tuple[Guest, Guest], ended: int, moves: int = 4, reason: str = "resigned"
) -> list[AnyEvent]:
    """The log of a game that ended then, after some moves by chance."""
    chance = Random(1)
    options, _ = agreed(terms, None, chance)
    events: list[AnyEvent] = list(opening(terms, options, None, guests, ended - 60_000))
    first, *rest = events
    assert isinstance(first, Created)
    room = reduce(evolve, rest, created("r", first))
    for number in range(moves):
        move = room.rules.moves(room.state)[0]
        events.append(Played(ended - 30_000 + number, move, 0, guests[number % 2].player, number))
        room = evolve(room, events[-1])
    scores = () if reason == "aborted" else room.rules.scores(room.state)
    return [*events, Ended(ended, Result(None if reason == "aborted" else 0, reason, scores), 1)]


async def write(node: RunningNode, room: str, events: list[AnyEvent], first: int = 1) -> None:
    """Write to a log as a node does that dies right after."""
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    at = node.node.now()
    node.store.log.append(room, first, [encode(event) for event in events], done.set_result, deadline=at)
    assert await done is Appended.OK


async def rating(node: RunningNode, player: Guest) -> tuple[int, int]:
    found = await node.store.ratings.rating(player.player, "isaac")
    return round(found.rating), found.games


async def test_a_game_that_ends_is_counted_recorded_and_listed(node: RunningNode) -> None:
    """At once, by the node on which it ends."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(RATED, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.settle(10)
    assert await rating(node, await guest(node, ada)) == (1662, 1)
    assert await rating(node, await guest(node, ben)) == (1338, 1)
    listed = await ada.ask(AskGames(id=0, player="Ada"))
    assert isinstance(listed, Games)
    [line] = listed.rows
    assert (line.room, line.game, line.rated, line.plies) == (room, "isaac", True, 0)
    assert line.result.reason == "resigned"
    assert [player.name for player in line.players if player] == ["Ada", "Ben"]


async def test_everybody_in_the_room_is_told_of_the_new_ratings(valkey: str, redis: Redis) -> None:
    """Once, also on a node that did not count the game; and of a casual game nobody is."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben, watcher = await one.call(name="Ada"), await one.call(name="Ben"), await two.call(name="Eve")
        casual = await one.table(CASUAL, ada, ben)
        await ben.ask(Resign(id=0, room=casual))
        room = await one.table(RATED, ada, ben)
        await watcher.ask(Join(id=0, room=room))
        await ben.ask(Resign(id=0, room=room))
        for caller in (ada, ben, watcher):
            assert await caller.hears(Rated) == Rated(room=room, ratings=(1662, 1338))
            await caller.send(Ping(1))
            assert isinstance(await caller.hears(Message, lambda message: isinstance(message, Rated | Pong)), Pong)


async def test_a_second_game_shows_the_ratings_of_the_first(node: RunningNode) -> None:
    """In the chairs, while they are not sure yet."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(RATED, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.settle(10)
    again = await node.table(CASUAL, ada, ben)
    shown = await ada.ask(Join(id=0, room=again))
    assert isinstance(shown, Room)
    players = [chair.player for chair in shown.chairs]
    assert [(player.rating, player.sure) for player in players if player] == [(1662, False), (1338, False)]


async def test_a_game_that_nobody_finished_is_finished(node: RunningNode, redis: Redis, valkey: str) -> None:
    """If the node dies right after the last move, another one counts and records the game; two do it once."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    guests = (await guest(node, ada), await guest(node, ben))
    await write(node, "r", game(RATED, guests, node.node.now()))
    async with running_node(valkey, "other") as other:
        await asyncio.gather(node.node.sweep(), other.node.sweep())
        room = await node.house.load("r")
        assert room is not None
        await asyncio.gather(*(each.node.archive.finish(room) for each in (node, other, node, other)))
    assert (await rating(node, guests[0]), await rating(node, guests[1])) == ((1662, 1), (1338, 1))
    assert await redis.exists(keys.record("r"))


@pytest.mark.parametrize(
    ("terms", "level", "reason"),
    [(CASUAL, None, "resigned"), (RATED, None, "aborted"), (RATED, "1", "resigned")],
    ids=["casual", "called off", "computer"],
)
async def test_games_that_do_not_count(node: RunningNode, terms: Terms, level: str | None, reason: str) -> None:
    """Casual ones, those that were called off, and those with the computer."""
    ada = await guest(node, await node.call(name="Ada"))
    other = Guest("somebody", "Somebody", bot=level is not None, level=level)
    await write(node, "r", game(terms, (ada, other), node.node.now(), reason=reason))
    await node.node.sweep()
    assert await node.store.ratings.all(ada.player) == {}


async def test_games_that_were_called_off_are_forgotten(node: RunningNode, redis: Redis) -> None:
    """They are in no list, and nothing is kept of them but the log, which goes by itself."""
    ada = await node.call(name="Ada")
    guests = (await guest(node, ada), Guest("ben", "Ben"))
    await write(node, "r", game(CASUAL, guests, node.node.now(), reason="aborted"))
    await node.node.sweep()
    assert not await redis.exists(keys.record("r"))
    assert (await ada.ask(AskGames(id=0))).rows == ()
    assert (await ada.ask(AskRecord(id=0, room="r"))).result.reason == "aborted"


# -- putting away


async def put_away(node: RunningNode, redis: Redis, guests: tuple[Guest, Guest]) -> None:
    """A game that ended long ago, of which only the record is left."""
    ended = node.node.now() - PUT_AWAY_AFTER - 1000
    await write(node, "r", [*game(RATED, guests, ended), Rematch(ended + 1, 1, "nextOn", "id", 9)])
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 0
    assert await redis.exists(keys.record("r")) == 1


async def test_a_game_is_put_away_without_a_trace(node: RunningNode, redis: Redis) -> None:
    """An hour after its end the log is gone, and the record says the same as before."""
    ada = await node.call(name="Ada")
    await write(node, "r", game(RATED, (await guest(node, ada), Guest("ben", "Ben")), node.node.now() - PUT_AWAY_AFTER))
    before = await ada.ask(AskRecord(id=0, room="r"), 70)
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 0
    assert await ada.ask(AskRecord(id=0, room="r"), 70) == before
    assert list(faults(read(before.text))) == []


async def test_for_an_hour_the_game_stays(node: RunningNode, redis: Redis) -> None:
    """And then somebody will look at it again."""
    now = node.node.now()
    await write(node, "r", game(CASUAL, (Guest("ada", "Ada"), Guest("ben", "Ben")), now))
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 1
    assert await redis.zscore(keys.DUE, "r") == now + PUT_AWAY_AFTER


async def test_whoever_comes_late_still_finds_the_room(node: RunningNode, redis: Redis) -> None:
    """The game as it ended, with the seats, the way to the next game, and nothing that can still be done."""
    ada, eve = await node.call(name="Ada"), await node.call(name="Eve")
    await put_away(node, redis, (await guest(node, ada), Guest("ben", "Ben")))
    for caller, seat in ((ada, 0), (eve, None)):
        shown = await caller.ask(Join(id=0, room="r"))
        assert isinstance(shown, Room)
        assert (shown.status, shown.seat, shown.next) == ("over", seat, "nextOn")
        assert len(shown.moves) == 4
    assert await ada.code(Offer(id=0, room="r", what="rematch")) == "game_over"
    assert await ada.code(Play(id=0, room="r", ply=4, move="x")) == "game_over"
    assert await node.house.load("nextOn") is None
    assert await redis.exists(keys.log("r")) == 0


async def test_whoever_comes_back_goes_on_where_he_was(node: RunningNode, redis: Redis) -> None:
    """A client that knows the room already is sent nothing, one that missed something is sent the whole."""
    ada = await node.call(name="Ada")
    await put_away(node, redis, (await guest(node, ada), Guest("ben", "Ben")))
    room = await node.house.load("r")
    assert room is not None
    for seq, is_sent in ((room.seq, False), (2, True)):
        again = await node.call(greet=False)
        await again.hello(ada.token, (Standing("r", 1, seq),))
        answer = await again.ask(AskRecord(id=0, room="r"))
        assert isinstance(answer, Record)
        rooms = again.has_heard(Room)
        assert bool(rooms) == is_sent


async def test_a_room_that_stayed_open_is_put_away_under_its_guests(node: RunningNode, redis: Redis) -> None:
    """Somebody who still sits there notices nothing, and is told when it is too late for another game."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(CASUAL, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.settle(10)
    live = node.house.rooms[room]
    assert await node.store.log.archive(room, live.room.seq, pack(live.room))
    live.catch_up()
    await node.node.settle(10)
    assert live.room.status == "over"
    shown = await ada.ask(Join(id=0, room=room))
    assert isinstance(shown, Room)
    assert shown.status == "over"


async def test_a_log_that_goes_on_is_put_away_later(node: RunningNode, redis: Redis) -> None:
    """If something happened since the room was loaded, nothing of it is lost."""
    guests = (Guest("ada", "Ada"), Guest("ben", "Ben"))
    ended = node.node.now() - PUT_AWAY_AFTER - 1000
    events = game(CASUAL, guests, ended)
    await write(node, "r", events)
    room = await node.house.load("r")
    assert room is not None
    await write(node, "r", [Rematch(ended + 1, 1, "nextOn", "id", 9)], len(events) + 1)
    await node.node.archive.finish(room)
    assert await redis.exists(keys.log("r"))
    assert await redis.zscore(keys.DUE, "r") is not None


# -- what people ask for


async def test_games_by_player_opponent_and_game(node: RunningNode) -> None:
    """In pages, with names that are compared as everywhere."""
    ada = await node.call(name="Ada")
    await node.call(name="Ben")
    me, ben = await guest(node, ada), Guest(await node.store.players.named("ben") or "", "Ben")
    now = node.node.now()
    for number in range(45):
        other = ben if number % 2 else Guest("eve", "Eve")
        await write(node, f"r{number:02}", game(CASUAL, (me, other), now - 45 + number, moves=0))
    await node.node.sweep()
    names: list[str] = []
    more = ""
    for size in (20, 20, 5):
        page = await ada.ask(AskGames(id=0, player="ADA", before=more))
        assert len(page.rows) == size
        names += [row.room for row in page.rows]
        more = page.more
    assert more == ""
    assert names == [f"r{number:02}" for number in reversed(range(45))]
    assert len((await ada.ask(AskGames(id=0, player="Ada", opponent="Ben", before="9999999999999-x"))).rows) == 20
    assert (await ada.ask(AskGames(id=0, player="Ada", game="replica"))).rows == ()
    assert len((await ada.ask(AskGames(id=0, game="isaac"))).rows) == 20


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (AskGames(id=0, player="Nobody at all"), "player_unknown"),
        (AskGames(id=0, opponent="Ada"), "request_malformed"),
        (AskGames(id=0, game="chess"), "game_unknown"),
        (AskGames(id=0, before="yesterday"), "request_malformed"),
        (AskRecord(id=0, room="nowhere"), "record_unknown"),
        (ReadRecord(id=0, text="nothing"), "record_broken"),
        (ReadRecord(id=0, text="{}"), "record_broken"),
        (ReadRecord(id=0, text=""), "record_broken"),
    ],
)
async def test_what_cannot_be_found_is_refused(node: RunningNode, command: AskGames, code: str) -> None:
    """With a sentence."""
    ada = await node.call(name="Ada")
    answer = await ada.ask(command)
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert answer.text.endswith((".", ")"))


async def test_a_record_that_was_saved_is_read_again(node: RunningNode) -> None:
    """The text of a record gives the same record, on any server; a text that was changed is refused."""
    ada = await node.call(name="Ada")
    await write(node, "r", game(CASUAL, (await guest(node, ada), Guest("ben", "Ben")), node.node.now()))
    told = await ada.ask(AskRecord(id=0, room="r"), 70)
    assert isinstance(told, Record)
    assert await ada.ask(ReadRecord(id=0, text=told.text), 70) == told
    assert await ada.code(ReadRecord(id=0, text=told.text.replace("Ada", "Eve"))) == "record_broken"
