"""The log of a tournament, which several nodes write at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.room_log import RoomLog, published_header
from parlour.server.store.tournaments import tournament_log
from parlour.server.tournaments.tournament import SNAPSHOT_EVERY, Tournament, create, encode, events_of, load, put_away
from parlour.tournaments import commands
from parlour.tournaments.events import Event, RoundStarted
from parlour.tournaments.state import TournamentState
from tests.server.dying_node import Death, dying_node
from tests.server.tournaments.cups import NOW, folded, opened

T = TypeVar("T")


class Shelf:
    """An archive."""

    def __init__(self) -> None:
        self.logs: dict[str, bytes] = {}
        self.players: dict[str, set[str]] = {}

    async def find(self, tournament: str) -> bytes | None:
        return self.logs.get(tournament)

    async def put(self, tournament: str, ended: int, log: bytes, players: Iterable[str] = ()) -> None:
        self.logs[tournament] = log
        self.players[tournament] = set(players)

    async def of(self, player: str) -> list[str]:
        return [tournament for tournament, players in self.players.items() if player in players]


@asynccontextmanager
async def node(valkey: str, name: str) -> AsyncIterator[RoomLog]:
    pipeline = Pipeline(valkey)
    await pipeline.open()
    yield RoomLog(pipeline, name)
    await pipeline.close()


async def tournament(log: RoomLog) -> Tournament:
    found = await load("cup", log, Shelf(), lambda: NOW)
    assert found is not None
    return found


def entering(number: int, state: TournamentState, now: int) -> list[Event]:
    return commands.enter(state, f"p{number}", f"p{number}", 0, now, account=f"id-of-{number}")


async def unchanged(events: Sequence[Event]) -> list[Event]:
    """No player was deleted."""
    return list(events)


async def test_two_nodes_write_one_log(valkey: str, redis: Redis) -> None:
    """The slower node reads what it has missed and decides again, so nothing is lost or happens twice."""
    async with node(valkey, "one") as one, node(valkey, "two") as two:
        assert await create("cup", one, opened(0), None)
        assert not await create("cup", two, opened(0), None)
        first, second = await tournament(one), await tournament(two)
        await asyncio.gather(
            *(each.change(partial(entering, number % 8)) for number, each in enumerate([first, second] * 8)),
            return_exceptions=True,
        )
        for each in (first, second):
            await each.catch_up()
        assert first.state == second.state == folded(await events_of("cup", one, Shelf()))
        assert sorted(entry.player for entry in first.state.entries) == [f"p{number}" for number in range(8)]


async def test_ten_thousand_players_join_at_once(valkey: str, redis: Redis) -> None:
    """As many as there is room for enter, each once, and all others are refused with a code."""
    async with node(valkey, "one") as one, node(valkey, "two") as two:
        await create("cup", one, opened(0, max_players=50), None)
        nodes = [await tournament(one), await tournament(two)]
        answers = await asyncio.gather(
            *(nodes[number % 2].change(partial(entering, number)) for number in range(10_000)), return_exceptions=True
        )
        refused = [answer.code for answer in answers if isinstance(answer, Refusal)]
        assert refused == [ErrorCode.TOURNAMENT_FULL] * 9_950
        for each in nodes:
            await each.catch_up()
        assert nodes[0].state == nodes[1].state == folded(await events_of("cup", one, Shelf()))
        assert len({entry.player for entry in nodes[0].state.entries}) == 50


async def test_an_event_arrives_while_another_thread_decides(valkey: str, redis: Redis) -> None:
    """What follows from a state that is out of date is dropped, and decided again."""
    async with node(valkey, "one") as one, node(valkey, "two") as two:
        await create("cup", one, opened(2), None)
        first, second = await tournament(one), await tournament(two)
        found: list[Any] = []

        async def compute(work: Callable[[], T]) -> T:
            found.append(await asyncio.to_thread(work))
            if len(found) == 1:
                seq = second.seq + 1
                [entry] = map(encode, await second.change(partial(entering, 9)))
                assert not first.receive(published_header(seq, [entry]) + entry)
            decided: T = found[-1]
            return decided

        events = await first.change(commands.start_round, compute=compute)
        assert len(found) == 2
        await second.catch_up()
        assert first.state == second.state == folded(await events_of("cup", one, Shelf()))
        [started] = events
        assert isinstance(started, RoundStarted)
        assert "p9" in {player for pair in started.pairs for player in pair} | set(started.byes)


async def test_a_refusal_changes_nothing(valkey: str, redis: Redis) -> None:
    """What is decided against the state after a conflict may be refused."""
    async with node(valkey, "one") as one, node(valkey, "two") as two:
        await create("cup", one, opened(1), None)
        first, second = await tournament(one), await tournament(two)
        await first.change(commands.cancel)
        with pytest.raises(Refusal) as caught:
            await second.change(partial(entering, 1))
        assert caught.value.code == "tournament_over"
        assert second.state == first.state


async def test_a_snapshot_replaces_the_beginning(valkey: str, redis: Redis) -> None:
    """A tournament that is loaded from a snapshot is the same as one that is folded from its whole log."""
    async with node(valkey, "one") as one:
        await create("cup", one, opened(2, format="swiss"), None)
        first = await tournament(one)
        for _ in range(SNAPSHOT_EVERY // 2 + 1):
            await first.change(lambda state, now: commands.pause(state, "Ada", now))
            await first.change(lambda state, now: commands.rejoin(state, "Ada", now))
        assert await redis.exists(one.keys.snapshot(tournament_log("cup")))
        again = await tournament(one)
        assert (again.state, again.seq) == (first.state, first.seq)
        assert again.state == folded(await events_of("cup", one, Shelf()))


@pytest.mark.parametrize("executed", [False, True])
async def test_the_connection_breaks_during_an_append(valkey: str, redis: Redis, executed: bool) -> None:
    """The caller learns that the outcome is unknown; another node sees all of it or nothing."""
    async with dying_node(valkey) as dying, node(valkey, "two") as two:
        await create("cup", two, opened(0), None)
        first = await tournament(RoomLog(dying.pipeline, "one"))
        await dying.die(Death(0, one_more=executed))
        with pytest.raises(StoreUnavailable):
            await first.change(partial(entering, 1))
        assert len((await tournament(two)).state.entries) == executed


async def test_a_finished_tournament_is_archived(valkey: str, redis: Redis) -> None:
    """Its log leaves the store once it is in the archive, from where it is read again."""
    async with node(valkey, "one") as one:
        await create("cup", one, opened(2), None)
        first, shelf = await tournament(one), Shelf()
        await first.change(commands.cancel)
        assert not await put_away(first, one, shelf, unchanged, remove=False)
        assert await one.length(tournament_log("cup")) == first.seq
        assert await put_away(first, one, shelf, unchanged, remove=True)
        assert await one.length(tournament_log("cup")) == 0
        assert shelf.players["cup"] == {"id-of-olga", "id-of-Ada", "id-of-Ben"}
        again = await load("cup", one, shelf, lambda: NOW)
        assert again is not None
        assert (again.state, again.seq) == (first.state, first.seq)
        assert await load("other", one, shelf, lambda: NOW) is None
