"""Sessions that follow a tournament get what changes."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.protocol.messages import (
    FollowTournament,
    Tournament,
    TournamentChanged,
    WithdrawTournament,
    YourTournament,
)
from tests.server.running_node import running_node
from tests.server.tournaments.cups import create, enter, organiser


async def test_changes_reach_followers_on_every_node(valkey: str, redis: Redis) -> None:
    """Also those that happened on another node; the numbers grow."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        olga, eve = await organiser(one), await two.call(name="Eve")
        tournament = await create(olga, min_players=2)
        whole = await eve.ask(FollowTournament(id=0, tournament=tournament))
        assert isinstance(whole, Tournament)
        [ada, _] = await enter(one, tournament, 2)
        changed = await eve.hears(TournamentChanged, lambda changed: bool(changed.games))
        assert changed.n > whole.n
        assert changed.summary is not None
        assert changed.summary.status == "running"
        assert changed.featured is not None
        assert eve.has_heard(YourTournament) == []
        await ada.ask(FollowTournament(id=0, tournament=tournament))
        assert (await ada.hears(YourTournament)).room == changed.featured


async def test_a_player_who_leaves_before_the_start_is_told(valkey: str, redis: Redis) -> None:
    """Although the tournament does not list that player any more."""
    async with running_node(valkey) as node:
        tournament = await create(await organiser(node), min_players=3)
        [ada] = await enter(node, tournament, 1)
        await ada.ask(FollowTournament(id=0, tournament=tournament))
        await ada.hears(YourTournament, lambda own: own.state == "entered")
        await ada.ask(WithdrawTournament(id=0, tournament=tournament))
        await ada.hears(YourTournament, lambda own: own.state == "withdrawn")
