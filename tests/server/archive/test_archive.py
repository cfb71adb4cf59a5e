"""Finished games are rated once, recorded, listed, and archived without anyone noticing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Cursor,
    Games,
    GetProfile,
    GetRecord,
    Join,
    ListGames,
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
)  # fmt: skip
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.archive.archive import ARCHIVE_AFTER, retry_delay
from parlour.server.archive.database.games import GameTable
from parlour.server.archive.verify import faults, read
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.events import AnyEvent, Created, Ended, Participant, Played, Rematch, encode
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import evolve, initial_state
from parlour.server.store.keys import Keys
from parlour.server.store.room_log import ARCHIVED_TTL, Appended
from tests.server.archive.private_postgres import PrivatePostgres
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

keys = Keys()

FISCHER = Clock("fischer", 300_000, 3_000)
RATED = Terms("isaac", {}, FISCHER, rated=True)
CASUAL = Terms("isaac", {}, FISCHER)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def guest(node: RunningNode, caller: Caller) -> Participant:
    player = await node.store.players.find(caller.token)
    assert player is not None
    return Participant(player.id, Player(player.name))


def game(
    terms: Terms, guests: tuple[Participant, Participant], ended: int, moves: int = 4, reason: str = "resigned"
) -> list[AnyEvent]:
    """Return the log of a game that ended at a time, after some moves."""
    chance = Random(1)
    first = create(terms, complete_options(terms, None, chance), None, guests, ended - 60_000)
    events: list[AnyEvent] = [first]
    room = initial_state("r", first)
    for number in range(moves):
        move = room.rules.moves(room.state)[0]
        events.append(Played(ended - 30_000 + number, move, 0, guests[number % 2].id, number))
        room = evolve(room, events[-1])
    scores = () if reason == "aborted" else room.rules.scores(room.state)
    return [*events, Ended(ended, Result(None if reason == "aborted" else 0, reason, scores), 1)]


async def write(node: RunningNode, room: str, events: list[AnyEvent], first: int = 1) -> None:
    """Write to a log, as a node does that dies right after."""
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    at = node.node.now()
    node.store.room_log.append(room, first, [encode(event) for event in events], done.set_result, deadline=at)
    assert await done is Appended.OK


async def rating(node: RunningNode, player: Participant) -> tuple[int, int]:
    found = await Ratings(node.store.ratings).get(player.id, "isaac")
    return round(found.rating), found.games


async def test_a_game_that_ends_is_rated_recorded_and_listed(node: RunningNode) -> None:
    """The node on which it ends does so at once."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(RATED, ada, ben)
    await node.play(room, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.drain(10)
    assert await rating(node, await guest(node, ada)) == (1662, 1)
    assert await rating(node, await guest(node, ben)) == (1338, 1)
    listed = await ada.ask(ListGames(id=0, player="Ada"))
    assert isinstance(listed, Games)
    [line] = listed.rows
    assert (line.room, line.game, line.rated, line.plies) == (room, "isaac", True, 6)
    assert line.result.reason == "resigned"
    assert [player.name for player in line.players] == ["Ada", "Ben"]


async def test_every_subscriber_is_sent_the_new_ratings(valkey: str, redis: Redis) -> None:
    """They are sent once, also on the other nodes, and not for a casual game."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben, spectator = await one.call(name="Ada"), await one.call(name="Ben"), await two.call(name="Eve")
        casual = await one.table(CASUAL, ada, ben)
        await ben.ask(Resign(id=0, room=casual))
        room = await one.table(RATED, ada, ben)
        await spectator.ask(Join(id=0, room=room))
        await one.play(room, ada, ben)
        await ben.ask(Resign(id=0, room=room))
        for caller in (ada, ben, spectator):
            assert await caller.hears(Rated) == Rated(room=room, ratings=(1662, 1338))
            await caller.send(Ping(1))
            assert isinstance(await caller.hears(Message, lambda message: isinstance(message, Rated | Pong)), Pong)


async def test_a_second_game_shows_the_ratings_of_the_first(node: RunningNode) -> None:
    """The players have their new ratings, which are still provisional."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(RATED, ada, ben)
    await node.play(room, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.drain(10)
    again = await node.table(CASUAL, ada, ben)
    shown = await ada.ask(Join(id=0, room=again))
    assert isinstance(shown, Room)
    players = [participant.player for participant in shown.players]
    assert [(player.rating, player.provisional) for player in players] == [(1662, True), (1338, True)]


async def test_a_game_whose_node_died_is_finished_by_another(node: RunningNode, redis: Redis, valkey: str) -> None:
    """If a node dies right after the last move, another one rates and records the game; two nodes do it once."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    guests = (await guest(node, ada), await guest(node, ben))
    await write(node, "r", game(RATED, guests, node.node.now()))
    async with running_node(valkey, "other") as other:
        await asyncio.gather(node.node.sweep(), other.node.sweep())
        room = await node.registry.load("r")
        assert room is not None
        await asyncio.gather(*(each.node.archive.finish(room) for each in (node, other, node, other)))
    assert (await rating(node, guests[0]), await rating(node, guests[1])) == ((1662, 1), (1338, 1))
    assert await GameTable(node.node.database).contains("r")


@pytest.mark.parametrize(
    ("terms", "level", "reason"),
    [(CASUAL, None, "resigned"), (RATED, None, "aborted"), (RATED, "1", "resigned")],
    ids=["casual", "aborted", "computer"],
)
async def test_games_that_are_not_rated(node: RunningNode, terms: Terms, level: str | None, reason: str) -> None:
    """Casual games, aborted games and games against bots are not rated."""
    ada = await guest(node, await node.call(name="Ada"))
    other = Participant("other", Player("Other", bot=level is not None), level=level)
    await write(node, "r", game(terms, (ada, other), node.node.now(), reason=reason))
    await node.node.sweep()
    assert await node.store.ratings.all(ada.id) == {}


async def test_aborted_games_are_not_stored(node: RunningNode, redis: Redis) -> None:
    """They are in no list, and only the log remains until it expires."""
    ada = await node.call(name="Ada")
    guests = (await guest(node, ada), Participant("ben", Player("Ben")))
    await write(node, "r", game(CASUAL, guests, node.node.now(), reason="aborted"))
    await node.node.sweep()
    assert not await GameTable(node.node.database).contains("r")
    assert (await ada.ask(ListGames(id=0))).rows == ()
    assert (await ada.ask(GetRecord(id=0, room="r"))).result.reason == "aborted"


# -- putting away


async def archived(node: RunningNode, redis: Redis, guests: tuple[Participant, Participant]) -> None:
    """Store a game that ended long ago and of which only the record is left."""
    ended = node.node.now() - ARCHIVE_AFTER - 1000
    await write(node, "r", [*game(RATED, guests, ended), Rematch(ended + 1, 1, "nextOn", "id", 9)])
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 0
    assert await redis.exists(keys.archived("r")) == 1


async def test_archiving_changes_nothing_for_readers(node: RunningNode, redis: Redis) -> None:
    """An hour after the end the log is deleted, and the record is the same as before."""
    ada = await node.call(name="Ada")
    players = (await guest(node, ada), Participant("ben", Player("Ben")))
    await write(node, "r", game(RATED, players, node.node.now() - ARCHIVE_AFTER))
    before = await ada.ask(GetRecord(id=0, room="r"), 70)
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 0
    assert await ada.ask(GetRecord(id=0, room="r"), 70) == before
    assert list(faults(read(before.text))) == []


async def test_the_log_stays_for_an_hour(node: RunningNode, redis: Redis) -> None:
    """The room is then checked again."""
    now = node.node.now()
    await write(node, "r", game(CASUAL, (Participant("ada", Player("Ada")), Participant("ben", Player("Ben"))), now))
    await node.node.sweep()
    assert await redis.exists(keys.log("r")) == 1
    assert await redis.zscore(keys.due("r"), "r") == now + ARCHIVE_AFTER


async def test_an_archived_room_can_be_joined(node: RunningNode, redis: Redis) -> None:
    """It has the final position, the seats and the room of the rematch, and takes no commands."""
    ada, eve = await node.call(name="Ada"), await node.call(name="Eve")
    await archived(node, redis, (await guest(node, ada), Participant("ben", Player("Ben"))))
    for caller, seat in ((ada, 0), (eve, None)):
        shown = await caller.ask(Join(id=0, room="r"))
        assert isinstance(shown, Room)
        assert (shown.status, shown.seat, shown.next) == ("over", seat, "nextOn")
        assert len(shown.moves) == 4
    assert await ada.code(Offer(id=0, room="r", kind="rematch")) == "game_over"
    assert await ada.code(Play(id=0, room="r", ply=4, move="x")) == "game_over"
    assert await node.registry.load("nextOn") is None
    assert await redis.exists(keys.log("r")) == 0


async def test_an_archived_room_can_be_resumed(node: RunningNode, redis: Redis) -> None:
    """A client that knows the room is sent nothing, and one that missed something is sent the whole room."""
    ada = await node.call(name="Ada")
    await archived(node, redis, (await guest(node, ada), Participant("ben", Player("Ben"))))
    room = await node.registry.load("r")
    assert room is not None
    for seq, is_sent in ((room.seq, False), (2, True)):
        again = await node.call(greet=False)
        await again.hello(ada.token, (Cursor("r", 1, seq),))
        answer = await again.ask(GetRecord(id=0, room="r"))
        assert isinstance(answer, Record)
        rooms = again.has_heard(Room)
        assert bool(rooms) == is_sent


async def test_a_room_can_be_archived_while_it_is_open(node: RunningNode, redis: Redis) -> None:
    """Subscribers notice nothing, and are refused when it is too late for a rematch."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(CASUAL, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await node.node.drain(10)
    live = node.registry.rooms[room]
    assert await node.store.room_log.archive(room, live.state.seq)
    live.catch_up()
    await node.node.drain(10)
    assert live.state.status == "over"
    shown = await ada.ask(Join(id=0, room=room))
    assert isinstance(shown, Room)
    assert shown.status == "over"


async def test_a_log_that_has_grown_is_archived_later(node: RunningNode, redis: Redis) -> None:
    """Events that were appended after the room was loaded are not lost."""
    guests = (Participant("ada", Player("Ada")), Participant("ben", Player("Ben")))
    ended = node.node.now() - ARCHIVE_AFTER - 1000
    events = game(CASUAL, guests, ended)
    await write(node, "r", events)
    room = await node.registry.load("r")
    assert room is not None
    await write(node, "r", [Rematch(ended + 1, 1, "nextOn", "id", 9)], len(events) + 1)
    await node.node.archive.finish(room)
    assert await redis.exists(keys.log("r"))
    assert await redis.zscore(keys.due("r"), "r") is not None


async def test_an_archived_game_is_found_when_redis_has_forgotten_it(node: RunningNode, redis: Redis) -> None:
    """After a minute, the archive alone knows the room, and its id stays taken."""
    ada = await node.call(name="Ada")
    players = (await guest(node, ada), Participant("ben", Player("Ben")))
    await archived(node, redis, players)
    before = await ada.ask(GetRecord(id=0, room="r"), 70)
    assert 0 < await redis.pttl(keys.archived("r")) <= ARCHIVED_TTL
    assert 0 < await redis.pttl(keys.rated("r")) <= ARCHIVED_TTL
    await redis.delete(keys.archived("r"), keys.rated("r"))
    assert [key async for key in redis.scan_iter("parlour:{r}:*")] == []
    assert await ada.ask(GetRecord(id=0, room="r"), 70) == before
    shown = await ada.ask(Join(id=0, room="r"))
    assert isinstance(shown, Room)
    assert shown.status == "over"
    first = game(CASUAL, players, node.node.now())[0]
    assert isinstance(first, Created)
    assert await node.registry.create("r", first) is None


async def test_hundreds_of_games_leave_nothing_in_redis(node: RunningNode, redis: Redis) -> None:
    """Of closed rooms there are only keys that expire within a minute, and running games are all that remains."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    live = await node.table(CASUAL, ada, ben)
    before = {key async for key in redis.scan_iter()}
    ended = node.node.now() - ARCHIVE_AFTER - 1000
    rooms = [f"r{number}" for number in range(200)]
    players = {room: (Participant(f"a-{room}", Player("A")), Participant(f"b-{room}", Player("B"))) for room in rooms}
    await asyncio.gather(*(write(node, room, game(RATED, players[room], ended)) for room in rooms))
    while node.node.metrics.games_archived < len(rooms):
        await node.node.sweep()

    left = {key.decode() async for key in redis.scan_iter() if key not in before}
    of_rooms = {each for room in rooms for each in (keys.archived(room), keys.rated(room))}
    ratings = {keys.ratings(player.id) for pair in players.values() for player in pair}
    assert left - of_rooms - ratings <= {keys.supported_rules, *_live_lists()}
    for key in left & of_rooms:
        assert await redis.pttl(key) <= ARCHIVED_TTL
    assert await redis.exists(keys.log(live))


def _live_lists() -> set[str]:
    """Return the lists that a sweep writes, which are bounded by what is live."""
    return {keys.live_nodes, keys.live_nodes_expiry, keys.live_rank, keys.live_expiry, keys.live_seq,
            keys.live_descriptions, keys.online_nodes, keys.online("node")}  # fmt: skip


async def test_a_game_that_is_checked_again_is_not_rated_again(node: RunningNode, redis: Redis) -> None:
    """The archive knows that the game was counted, also when Redis has forgotten that."""
    ada = await node.call(name="Ada")
    me = await guest(node, ada)
    await archived(node, redis, (me, Participant("ben", Player("Ben"))))
    await redis.delete(keys.archived("r"), keys.rated("r"))
    node.store.deadlines.set("r", node.node.now())
    await node.node.sweep()
    assert await rating(node, me) == (1662, 1)
    assert await redis.zscore(keys.due("r"), "r") is None


# -- a database that is down


async def test_games_wait_for_the_archive(redis: Redis, valkey: str, postgres: PrivatePostgres) -> None:
    """While the database is down games end and begin, wait in their logs, and are archived when it is back."""
    async with running_node(valkey, archive=postgres.new_database()) as node:
        ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
        players = (await guest(node, ada), await guest(node, ben))
        now = node.node.now()
        postgres.stop()
        try:
            await write(node, "old", game(RATED, players, now - ARCHIVE_AFTER - 1000))
            await node.node.sweep()
            room = await node.table(RATED, ada, ben)
            await node.play(room, ada, ben)
            await ben.ask(Resign(id=0, room=room))
            await node.node.drain(10)
            assert await rating(node, players[0]) == (1720, 2)
            assert await ada.code(ListGames(id=0)) == "try_again"
            assert (await ada.ask(GetRecord(id=0, room=room))).result.reason == "resigned"
            for waiting in (room, "old"):
                assert await redis.exists(keys.log(waiting))
                assert (await redis.zscore(keys.due(waiting), waiting) or 0) > now
            assert node.node.metrics.archive_delays == 2
            assert node.node.database.problem
        finally:
            postgres.start()

        async def are_archived() -> bool:
            for waiting in (room, "old"):
                node.store.deadlines.set(waiting, node.node.now())  # an hour has passed
            await node.node.sweep()
            return not await redis.exists(keys.log("old"))

        await until(are_archived)
        listed = await ada.ask(ListGames(id=0, player="Ben", opponent="Ada", result="lost"))
        assert [row.room for row in listed.rows] == [room, "old"]
        [points] = (await ada.ask(GetProfile(id=0, name="Ada"))).ratings
        assert [rating for _, rating in points.history] == [1662, 1720]


def test_older_games_are_retried_less_often() -> None:
    """So that many waiting games are no burden for a node: a second at first, ten minutes at most."""
    assert [retry_delay(age) for age in (0, 10_000, 3_600_000, -5)] == [1_000, 5_000, 600_000, 1_000]


# -- what people ask for


async def test_games_by_player_opponent_and_game(node: RunningNode) -> None:
    """Lists have pages, and names are compared ignoring case."""
    ada = await node.call(name="Ada")
    await node.call(name="Ben")
    me, ben = await guest(node, ada), Participant(await node.store.players.id_of("ben") or "", Player("Ben"))
    now = node.node.now()
    for number in range(45):
        other = ben if number % 2 else Participant("eve", Player("Eve"))
        await write(node, f"r{number:02}", game(CASUAL, (me, other), now - 45 + number, moves=0))
    await node.node.sweep()
    names: list[str] = []
    more = ""
    for size in (20, 20, 5):
        page = await ada.ask(ListGames(id=0, player="ADA", before=more))
        assert len(page.rows) == size
        names += [row.room for row in page.rows]
        more = page.more
    assert more == ""
    assert names == [f"r{number:02}" for number in reversed(range(45))]
    assert len((await ada.ask(ListGames(id=0, player="Ada", opponent="Ben", before="9999999999999-x"))).rows) == 20
    assert (await ada.ask(ListGames(id=0, player="Ada", game="replica"))).rows == ()
    assert len((await ada.ask(ListGames(id=0, game="isaac"))).rows) == 20
    wanted = ListGames(id=0, player="Ada", result="won", since=now - 10, until=now - 8, max_plies=0)
    assert [row.room for row in (await ada.ask(wanted)).rows] == ["r37", "r36", "r35"]
    assert (await ada.ask(ListGames(id=0, player="Ada", min_plies=1))).rows == ()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ListGames(id=0, player="No such player"), "player_unknown"),
        (ListGames(id=0, opponent="Ada"), "request_malformed"),
        (ListGames(id=0, result="drawn"), "request_malformed"),
        (ListGames(id=0, game="chess"), "game_unknown"),
        (ListGames(id=0, before="yesterday"), "request_malformed"),
        (GetRecord(id=0, room="nowhere"), "record_unknown"),
        (ReadRecord(id=0, text="nothing"), "record_broken"),
        (ReadRecord(id=0, text="{}"), "record_broken"),
        (ReadRecord(id=0, text=""), "record_broken"),
    ],
)
async def test_lists_that_make_no_sense_are_refused(node: RunningNode, command: ListGames, code: str) -> None:
    """Each refusal has a code and a sentence."""
    ada = await node.call(name="Ada")
    answer = await ada.ask(command)
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert answer.text.endswith((".", ")"))


async def test_a_saved_record_can_be_read_again(node: RunningNode) -> None:
    """The text yields the same record on any server; a text that was changed is refused."""
    ada = await node.call(name="Ada")
    await write(node, "r", game(CASUAL, (await guest(node, ada), Participant("ben", Player("Ben"))), node.node.now()))
    told = await ada.ask(GetRecord(id=0, room="r"), 70)
    assert isinstance(told, Record)
    assert await ada.ask(ReadRecord(id=0, text=told.text), 70) == told
    assert await ada.code(ReadRecord(id=0, text=told.text.replace("Ada", "Eve"))) == "record_broken"
