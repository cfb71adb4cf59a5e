"""Regular arenas of the computer's levels and of bots."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from parlour.bots import levels
from parlour.games import find
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import CreateBot, ListTournaments, Paired
from parlour.server.players.ratings import RatedPlayer, Ratings
from parlour.server.tournaments.house_ladder import HouseLadder, ladder_id
from parlour.tournaments.state import fold
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.tournaments.cups import organiser

HOUR = 3_600


async def bot(node: RunningNode, owner: Caller, name: str) -> Caller:
    return await node.call((await owner.ask(CreateBot(id=0, name=name))).token)


async def test_each_arena_is_opened_once(valkey: str, redis: Redis) -> None:
    """On two nodes at the same time: rated, for bots, with all levels of the computer."""
    values: dict[str, Any] = {"house_ladder": ("replica",), "house_ladder_every": float(HOUR)}
    async with running_node(valkey, "one", **values) as one, running_node(valkey, "two", **values) as two:
        await asyncio.gather(one.node.sweep(), two.node.sweep())
        [row] = (await (await one.call()).ask(ListTournaments(id=0, status="open"))).rows
        assert row.start % (HOUR * 1000) == 0
        assert (row.organiser, row.settings.entrants, row.settings.terms.rated) == ("", "bots", True)
        assert row.players == len(levels.names(find("replica")))


async def test_bots_that_know_the_game_enter(valkey: str, redis: Redis) -> None:
    """Those that are connected and have a rating in it, once, and not people."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        robbie, gort = await bot(node, olga, "Robbie"), await bot(node, olga, "Gort")
        ids = {session.name: session.player for session in node.node.dispatcher.sessions}
        rated = RatedPlayer(ids["Robbie"]), RatedPlayer(ids["Olga"])
        await Ratings(node.store.ratings).rate_game("room", "replica", rated, 0, node.store.clock.now())
        for _ in range(2):
            ladder = HouseLadder(
                node.store, node.node.tournaments, lambda: node.node.dispatcher.sessions, ("replica",), 60, 60
            )
            await ladder.refresh()
        [row] = (await olga.ask(ListTournaments(id=0, status="open"))).rows
        state = fold(await node.node.tournaments.events(row.tournament))
        assert [entry.name for entry in state.entries if entry.level is None] == ["Robbie"]
        assert row.tournament == ladder_id("replica", state.settings.start)
        assert gort.has_heard(Paired) == robbie.has_heard(Paired) == []


async def test_an_unknown_game(valkey: str, redis: Redis) -> None:
    """The operator is told at the start."""
    with pytest.raises(Refusal):
        async with running_node(valkey, house_ladder=("nonsense",)):
            pass
