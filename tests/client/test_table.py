"""A table: what it shows, what it tells, and what one can do there, also while the network is bad."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import pytest

from parlour.client import Client, Clock, RefusedError, Table, Terms, connect
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Choices, Moved, Room, RoomEvent, Said
from parlour.protocol.scene import scene_hash
from tests.client.playing import any_turn, play_out, sit_down
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN, until

QUICK = Clock("fischer", 60_000, 1_000)


@asynccontextmanager
async def two(url: str, other: str | None = None) -> AsyncIterator[tuple[Client, Client]]:
    """Two players, who have a minute for everything."""
    async with asyncio.timeout(WITHIN), connect(url) as ada, connect(other or url) as ben:
        yield ada, ben


async def test_what_is_on_it(server: ServerProcess) -> None:
    """Terms, seats, clocks, moves and the turn are there at once and after each move."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("mapello", clock=QUICK))
        assert (first.seat, second.seat, first.status) == (0, 1, "playing")
        assert (first.terms.game, first.terms.clock) == ("mapello", QUICK)
        assert first.terms.options["board"] == "default"
        assert second.opponent is not None
        assert second.opponent.name == ada.you.name
        turn = await first.my_turn()
        assert turn is not None
        assert turn.prompt != ""
        assert second.turn is None
        await first.play(turn.children()[0])
        assert first.ply == 1
        assert first.turn is None
        await second.until(lambda table: table.turn is not None)
        assert list(second.moves) == list(first.moves)
        assert second.scene == first.scene
        assert (await first.describe()).startswith("You play ")
        assert (await second.describe()).startswith(f"{ada.you.name} plays ")
        left = second.time_left(1)
        assert left is not None
        assert 0 < left.main <= 60_000


async def test_a_running_clock_runs(server: ServerProcess) -> None:
    """Only the clock of the seat to move runs, once both have moved."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("replica", clock=QUICK))
        await play_out(first, 1, turns=1)
        await play_out(second, 2, turns=1)
        before = [first.time_left(0), first.time_left(1)]
        await until(lambda: first.time_left(0) != before[0])
        assert first.time_left(1) == before[1]


async def test_turns_as_text_as_picks_and_as_a_walk(server: ServerProcess) -> None:
    """All three make the move; what cannot be played is refused with code and sentence, and changes nothing."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("mapello"))
        for wrong, code in (
            ("a1", ErrorCode.MOVE_ILLEGAL),
            ("nonsense", ErrorCode.MOVE_MALFORMED),
            ([0], ErrorCode.MOVE_ILLEGAL),
        ):
            with pytest.raises(RefusedError) as refused:
                await first.play(wrong)
            assert refused.value.code == code
        with pytest.raises(RefusedError) as refused:
            await second.play("f7")
        assert refused.value.code == ErrorCode.NOT_YOUR_TURN
        await first.play("f7")
        turn = await second.my_turn()
        assert turn is not None
        await second.play(turn.children()[0].picks)
        turn = await first.my_turn()
        assert turn is not None
        await first.play(await any_turn(first, turn, Random(1)))
        assert first.ply == 3


async def test_everything_is_told(server: ServerProcess) -> None:
    """Each loop begins with the table as it is; then come choices, moves, talk, offers and the end, in their order."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("mapello"))
        await first.my_turn()
        events = aiter(first)
        room, choices = await anext(events), await anext(events)
        assert isinstance(room, Room)
        assert isinstance(choices, Choices)
        assert (room.seat, room.moves, room.status) == (0, (), "playing")
        await first.play("f7")
        await second.say("Good luck!")
        await second.offer("draw")
        await first.until(lambda table: table.offers != set())
        assert first.offers == {(1, "draw")}
        await first.answer("draw", True)
        assert (first.status, (await second.over()).reason) == ("over", "agreed")
        assert [said.text for said in first.chat] == ["Good luck!"]

        again = await anext(aiter(first))
        assert isinstance(again, Room)
        assert (again.moves, again.result, again.seq) == (("f7",), first.result, first.replica.seq)
        assert scene_hash(again.scene) == scene_hash(first.scene)
        await first.leave()
        kinds = [type(event) async for event in events if isinstance(event, Moved | Said | RoomEvent)]
        assert kinds == [Moved, Said, RoomEvent, RoomEvent]
        assert first.room not in ada.tables


async def test_moves_are_taken_back(server: ServerProcess) -> None:
    """After a takeback the turn is there again, though its number was used before, and can be made otherwise."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("mapello"))
        await first.play("f7")
        await second.my_turn()
        await first.offer("takeback")
        await second.until(lambda table: (0, "takeback") in table.offers)
        await second.answer("takeback", True)
        turn = await first.my_turn()
        assert turn is not None
        assert (turn.ply, first.ply, second.turn) == (0, 0, None)
        await first.play("e4")
        await second.until(lambda table: table.turn is not None)
        assert list(second.moves) == ["e4"]


async def test_a_rematch_has_a_room(server: ServerProcess) -> None:
    """Who resigns loses; when both want another game, both find it with their seats changed."""
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("replica"))
        await first.resign()
        assert (await second.over()).winner == 1
        await second.offer("rematch")
        await first.until(lambda table: (1, "rematch") in table.offers)
        await first.answer("rematch", True)
        await second.until(lambda table: table.next is not None)
        assert first.next is not None
        assert first.next == second.next
        assert [(await client.join(first.next)).seat for client in (ada, ben)] == [1, 0]


async def test_the_other_one_chooses_who_is_first(server: ServerProcess) -> None:
    """On a board that one player drew the other one chooses, and then both know their seats."""
    land, rim = "#........#", "##########"
    rows = "/".join([rim, land, land, land, "#...XO...#", "#...OX...#", land, land, land, rim])
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("mapello", {"board": rows}))
        assert second.status == "choosing"
        await second.choose_first(True)
        await first.until(lambda table: table.status == "playing")
        assert (first.seat, second.seat) == (1, 0)
        assert await second.my_turn() is not None


async def test_watching(server: ServerProcess) -> None:
    """A spectator sees the same moves and has no turn; what only players may do is refused."""
    async with two(server.url) as (ada, ben), connect(server.url) as eve:
        first, second = await sit_down(ada, ben, Terms("replica"))
        watched = await eve.join(first.room)
        assert (watched.seat, watched.opponent) == (None, None)
        result, _ = await asyncio.gather(play_out(first, 1), play_out(second, 2))
        assert await watched.over() == result
        assert list(watched.moves) == list(first.moves)
        assert (await eve.join(first.room)) is watched
        with pytest.raises(RefusedError) as refused:
            await watched.resign()
        assert refused.value.code == ErrorCode.NOT_A_PLAYER
        review = await watched.assess(0)
        assert (review.ply, review.seat) == (0, 0)


@pytest.mark.parametrize("game", ["replica", "mitsudomoe"])
async def test_a_game_survives_cuts(server: ServerProcess, game: str) -> None:
    """A connection that breaks again and again, in the middle of messages, changes nothing about the game."""
    fates = [Cut(after, to_server) for after in range(9_000, 40_000, 6_000) for to_server in (False, True)]
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(asyncio.timeout(WITHIN))
        proxy = await stack.enter_async_context(Proxy(server.port, fates))
        ada, ben = await stack.enter_async_context(two(proxy.url, server.url))
        tables: list[Table] = []
        while proxy.cuts < 3:
            first, second = await sit_down(ada, ben, Terms(game))
            await asyncio.gather(play_out(first, len(tables)), play_out(second, 7))
            tables += [first, second]
            assert list(first.moves) == list(second.moves)
            assert first.result == second.result
        assert ada.connection.connects > 3


async def test_a_game_survives_the_death_of_its_server(make_server: MakeServer) -> None:
    """The server is killed in mid-game; when it is back, both go on where they were, and nothing is missing."""
    server = make_server()
    await server.start()
    async with two(server.url) as (ada, ben):
        first, second = await sit_down(ada, ben, Terms("isaac"))
        await asyncio.gather(play_out(first, 1, turns=4), play_out(second, 2, turns=4))
        await server.kill()
        moves = list(second.moves)  # the last of them was second's, and acknowledged
        going_on = asyncio.gather(play_out(first, 3, turns=4), play_out(second, 4, turns=4))
        await server.start()
        await going_on
        assert list(second.moves)[: len(moves)] == moves
        assert second.ply == len(moves) + 8
        await first.until(lambda table: table.ply == second.ply)
        assert list(first.moves) == list(second.moves)
