"""What clients can ask and do, and what is refused."""

from __future__ import annotations

import asyncio
from time import time
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Berserk,
    CancelTournament,
    CreateTournament,
    FollowTournament,
    GetRound,
    GetStandings,
    GetTournamentLog,
    JoinTournament,
    ListTournaments,
    Ok,
    PauseTournament,
    Refused,
    SayTournament,
    Tournament,
    TournamentSaid,
    WithdrawTournament,
    YourTournament,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms, TournamentSettings
from parlour.server.tournaments.service import PER_ADDRESS
from tests.server.running_node import running_node
from tests.server.tournaments.cups import BLITZ, create, cup, enter, organiser

ARENA = {"format": "arena", "duration": 60_000, "berserk": True}
LATER = int(time() * 1000) + 86_400_000  # when a tournament begins that no test waits for


async def test_a_tournament_is_listed_and_followed(valkey: str, redis: Redis) -> None:
    """Followers get the whole tournament, their own part in it, and the chat."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, start=LATER, format="swiss")
        [ada, ben] = await enter(node, tournament, 2)
        listed = await olga.ask(ListTournaments(id=0, status="open"))
        assert [(row.tournament, row.organiser) for row in listed.rows] == [(tournament, "Olga")]
        whole = await ada.ask(FollowTournament(id=0, tournament=tournament))
        assert isinstance(whole, Tournament)
        assert [row.player.name for row in whole.standings] == ["Ada", "Ben"]
        assert (await ada.hears(YourTournament)).state == "entered"
        await ben.ask(SayTournament(id=0, tournament=tournament, text="Good luck!"))
        assert (await ada.hears(TournamentSaid)).text == "Good luck!"
        await ben.ask(WithdrawTournament(id=0, tournament=tournament))
        assert (await olga.ask(GetStandings(id=0, tournament=tournament))).total == 1
        await ada.ask(PauseTournament(id=0, tournament=tournament))
        assert (await ada.hears(YourTournament)).state == "paused"
        assert isinstance(await ada.ask(FollowTournament(id=0, tournament=tournament, on=False)), Ok)


async def test_the_log_has_no_secrets(valkey: str, redis: Redis) -> None:
    """The events name players as others see them."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        tournament = await create(olga, start=LATER, code="autumn", levels=("3",))
        await olga.ask(JoinTournament(id=0, tournament=tournament, code="autumn"))
        log = await olga.ask(GetTournamentLog(id=0, tournament=tournament))
        events = [msgspec.json.decode(event) for event in log.events]
        assert [event["type"] for event in events] == ["created", "entered", "entered"]
        assert [event["player"] for event in events[1:]] == ["Computer 3", "Olga"]
        assert all({"account", "code", "command"}.isdisjoint(event) for event in events)


async def test_what_is_refused(valkey: str, redis: Redis) -> None:
    """Each refusal has its code."""
    async with running_node(valkey) as node:
        olga, ada = await organiser(node), await node.call(name="Ada")
        tournament = await create(
            olga, start=LATER, code="autumn", max_players=2, teams=("Owls", "Foxes"), entrants="people"
        )
        join = JoinTournament(id=0, tournament=tournament, code="autumn", team="Owls")
        assert await ada.code(FollowTournament(id=0, tournament="nonsense")) == "tournament_unknown"
        assert await ada.code(JoinTournament(id=0, tournament=tournament, code="winter")) == "entry_code_wrong"
        assert await ada.code(JoinTournament(id=0, tournament=tournament, code="autumn")) == "entry_refused"
        assert await ada.code(WithdrawTournament(id=0, tournament=tournament)) == "not_entered"
        assert await ada.code(CancelTournament(id=0, tournament=tournament)) == "not_organiser"
        assert await ada.code(GetRound(id=0, tournament=tournament, round=1)) == "request_malformed"
        assert await ada.code(SayTournament(id=0, tournament=tournament, text=" ")) == "text_refused"
        assert await ada.code(Berserk(id=0, room="nonsense")) == "room_unknown"
        assert await ada.code(CreateTournament(id=0, settings=TournamentSettings(**cup()))) == "account_needed"
        assert isinstance(await ada.ask(join), Ok)
        assert await ada.code(join) == "already_entered"
        assert isinstance(await olga.ask(join), Ok)
        ben = await node.call(name="Ben")
        assert await ben.code(join) == "tournament_full"
        assert isinstance(await olga.ask(CancelTournament(id=0, tournament=tournament)), Ok)
        assert await ben.code(join) == "tournament_over"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"games": 0}, "tournament_invalid"),
        ({"start": 1}, "tournament_invalid"),
        ({"terms": Terms("replica")}, "clock_invalid"),
        ({"terms": Terms("nonsense", clock=BLITZ)}, "game_unknown"),
        ({"terms": Terms("replica", {"nonsense": 1}, BLITZ)}, "option_unknown"),
        ({**ARENA, "terms": Terms("replica", clock=Clock("move", 5_000))}, "clock_invalid"),
    ],
)  # fmt: skip
async def test_nonsense_is_refused(valkey: str, redis: Redis, values: dict[str, Any], code: str) -> None:
    """No tournament is created that could not be played."""
    async with running_node(valkey) as node:
        olga = await organiser(node)
        assert await olga.code(CreateTournament(id=0, settings=TournamentSettings(**cup(**values)))) == code
        assert (await olga.ask(ListTournaments(id=0, status="open"))).rows == ()


async def test_commands_that_are_sent_again(valkey: str, redis: Redis) -> None:
    """The node that carried them out has died before it replied; the next one does not refuse them."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        olga = await organiser(one)
        tournament = await create(olga, start=LATER, format="swiss")
        [ada, ben] = await enter(one, tournament, 2)
        commands = (
            (ada, PauseTournament(id=0, tournament=tournament, on=False), PauseTournament(id=0, tournament=tournament)),
            (ben, WithdrawTournament(id=0, tournament=tournament), None),
            (olga, CancelTournament(id=0, tournament=tournament), None),
        )
        for caller, command, before in commands:
            if before is not None:
                assert isinstance(await caller.ask(before), Ok)
            assert isinstance(await caller.ask(command, 700), Ok)
            again = await two.call_again(caller)
            assert isinstance(await again.ask(command, 700), Ok)
            assert isinstance(await again.ask(command, 701), Refused)
        log = await olga.ask(GetTournamentLog(id=0, tournament=tournament))
        events = [msgspec.json.decode(event) for event in log.events]
        assert [event["type"] for event in events[3:]] == ["paused", "returned", "withdrew", "cancelled"]
        assert all("command" not in event for event in events)


async def test_limits(valkey: str, redis: Redis) -> None:
    """One organiser has a few tournaments at a time, and a repeated command creates only one."""
    async with running_node(valkey, tournaments_per_player=1) as node:
        olga = await organiser(node)
        command = CreateTournament(id=0, settings=TournamentSettings(**cup(start=LATER)))
        first = await olga.ask(command, 700)
        assert await olga.ask(command, 700) == first
        assert await olga.code(command) == "limit_reached"


async def test_one_address_cannot_fill_the_list(valkey: str, redis: Redis) -> None:
    """However many accounts it has; what is over makes room."""
    async with running_node(valkey, tournaments_per_player=1, unlimited_networks=()) as node:
        organisers = [await organiser(node, f"Olga {number}") for number in range(PER_ADDRESS + 1)]
        created = [await create(each, start=LATER) for each in organisers[:PER_ADDRESS]]
        command = CreateTournament(id=0, settings=TournamentSettings(**cup(start=LATER)))
        assert await organisers[-1].code(command) == "limit_reached"
        assert await redis.hlen(node.store.keys.tournament_networks) == PER_ADDRESS
        await organisers[0].ask(CancelTournament(id=0, tournament=created[0]))
        await node.node.tournaments.check(created[0])
        assert isinstance(await organisers[-1].ask(command), Ok)


async def test_many_players_enter_at_the_same_time(valkey: str, redis: Redis) -> None:
    """On two nodes, exactly as many as there is room for are accepted, and all others are told."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        tournament = await create(await organiser(one), start=LATER, max_players=5)
        callers = [await node.call() for node in (one, two) for _ in range(15)]
        join = JoinTournament(id=0, tournament=tournament)
        answers = await asyncio.gather(*(caller.ask(join) for caller in callers))
        assert sum(isinstance(answer, Ok) for answer in answers) == 5
        assert {answer.code for answer in answers if not isinstance(answer, Ok)} == {"tournament_full"}
        again = next(index for index, answer in enumerate(answers) if isinstance(answer, Ok))
        assert isinstance(await callers[again].ask(join, answers[again].id), Ok)  # the same command, sent again
