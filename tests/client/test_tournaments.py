"""Bots and organisers in tournaments."""

from __future__ import annotations

import asyncio

import pytest

from parlour.client import Clock, Terms, bot_game, connect
from parlour.client.bot import BotConfig
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Paired, Tournament, TournamentChanged, TournamentSaid
from parlour.protocol.types import TournamentSettings
from parlour.tournaments.log_file import faults, read
from tests.client.bots import RandomBot, tokens
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Proxy
from tests.waiting import WITHIN

CLOCK = Clock("fischer", 60_000, 1_000)


async def test_bots_play_a_whole_tournament(server: ServerProcess) -> None:
    """A bot enters, plays all rounds, and stops when the tournament is over."""
    names = ("Robbie", "Dora", "Gort", "Marvin")
    async with asyncio.timeout(WITHIN), connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(
            name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK, rated=True), min_players=4, rounds=2
        )
        tournament = await olga.tournaments.create(settings)
        bots = [RandomBot() for _ in names]
        config = BotConfig(tournament=tournament)
        given = await tokens(server.url, *names)
        await asyncio.gather(*(bot.play(server.url, token, config) for bot, token in zip(bots, given, strict=True)))
        assert [len(bot.tables) for bot in bots] == [2, 2, 2, 2]
        [row] = (await olga.tournaments.page("finished")).rows
        assert (row.tournament, row.players) == (tournament, 4)
        assert sum(row.points for row in (await olga.tournaments.standings(tournament)).rows) == 400
        assert (await olga.tournaments.round(tournament, 1)).total == 2
        events = read("".join([f"{event}\n" async for event in olga.tournaments.log(tournament)]))
        assert list(faults(events)) == []


async def test_a_tournament_is_followed(server: ServerProcess) -> None:
    """The whole tournament comes first, then what happens there, until the client stops following."""
    async with asyncio.timeout(WITHIN), connect(server.url) as olga, connect(server.url) as ada:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK), min_players=4)
        tournament = await olga.tournaments.create(settings)
        assert (await olga.tournaments.summary(tournament)).status == "open"
        news = await ada.tournaments.follow(tournament)
        assert isinstance(await anext(news), Tournament)
        await ada.join_tournament(tournament)
        await ada.tournaments.pause(tournament)
        await ada.tournaments.withdraw(tournament)
        await olga.tournaments.say(tournament, "Until tomorrow!")
        while not isinstance(said := await anext(news), TournamentSaid):
            pass
        assert said.text == "Until tomorrow!"
        await ada.tournaments.unfollow(tournament)
        await olga.tournaments.cancel(tournament)
        assert (await olga.tournaments.summary(tournament)).status == "cancelled"


async def test_a_bot_goes_on_after_a_restart(server: ServerProcess) -> None:
    """It has entered already, and it is paused because it was away."""
    async with asyncio.timeout(WITHIN), connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK), min_players=2)
        tournament = await olga.tournaments.create(settings)
        one, two = await tokens(server.url, "Robbie", "Gort")
        async with connect(server.url, token=one) as robbie:
            await robbie.join_tournament(tournament)
            await robbie.tournaments.pause(tournament)
        bots = [RandomBot(), RandomBot()]
        config = BotConfig(tournament=tournament)
        await asyncio.gather(*(bot.play(server.url, each, config) for bot, each in zip(bots, (one, two), strict=True)))
        assert [len(bot.tables) for bot in bots] == [1, 1]


async def test_bots_play_for_teams(server: ServerProcess) -> None:
    """Each enters for the team that it is told, and the points of a team are those of its players."""
    async with asyncio.timeout(WITHIN), connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(
            name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK), min_players=2, teams=("Owls", "Foxes")
        )
        tournament = await olga.tournaments.create(settings)
        given = await tokens(server.url, "Robbie", "Gort")
        with pytest.raises(Refusal) as refused:
            await RandomBot().play(server.url, given[0], BotConfig(tournament=tournament))
        assert refused.value.code == ErrorCode.ENTRY_REFUSED
        configs = [BotConfig(tournament=tournament, team=team) for team in settings.teams]
        await asyncio.gather(*(RandomBot().play(server.url, *each) for each in zip(given, configs, strict=True)))
        rows = (await olga.tournaments.standings(tournament)).rows
        assert {(row.player.name, row.team) for row in rows} == {("Robbie", "Owls"), ("Gort", "Foxes")}
        whole = await anext(await olga.tournaments.follow(tournament))
        assert isinstance(whole, Tournament)
        assert [team.points for team in whole.teams] == [row.points for row in rows] == [100, 0]


async def test_a_bot_ends_with_its_tournament(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """It awaits no rematch, although the opponent stays at the table."""
    monkeypatch.setattr(bot_game, "REMATCH_TIMEOUT", 3_600.0)
    async with asyncio.timeout(WITHIN), connect(server.url) as olga:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK), min_players=2)
        tournament = await olga.tournaments.create(settings)
        [token] = await tokens(server.url, "Robbie")
        await olga.join_tournament(tournament)
        playing = asyncio.create_task(RandomBot().play(server.url, token, BotConfig(tournament=tournament)))
        paired = await anext(olga.notifications())
        assert isinstance(paired, Paired)
        table = await olga.join(paired.room)
        await table.my_turn()
        await table.resign()
        await playing


async def test_followers_get_the_whole_tournament_after_a_reconnect(server: ServerProcess) -> None:
    """Whatever happened meanwhile, even the end, they learn of it."""
    async with asyncio.timeout(WITHIN), connect(server.url) as olga, Proxy(server.port) as proxy:
        await olga.register("Olga", "wooden bishop")
        settings = TournamentSettings(name="Cup", format="swiss", terms=Terms("replica", clock=CLOCK), min_players=4)
        tournament = await olga.tournaments.create(settings)
        async with connect(proxy.url) as ada:
            news = await ada.tournaments.follow(tournament)
            assert isinstance(await anext(news), Tournament)
            assert proxy.newest is not None
            proxy.newest.lose()
            assert isinstance(await anext(news), Tournament)
            await olga.tournaments.cancel(tournament)
            assert isinstance(changed := await anext(news), TournamentChanged)
            assert changed.summary is not None
            assert changed.summary.status == "cancelled"
