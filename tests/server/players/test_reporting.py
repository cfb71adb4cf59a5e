"""Players report others."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import FollowTournament, Ok, Report, Say, SayTournament, TournamentSaid
from parlour.protocol.types import Terms
from parlour.server.store.reports import MAX_OPEN
from tests.server.running_node import running_node
from tests.server.tournaments.cups import create, organiser


async def test_a_report_reaches_the_store(valkey: str, redis: Redis) -> None:
    """With what the reported player said in the game, and nothing that others said."""
    async with running_node(valkey) as node:
        ann, ben = await node.call(name="Ann"), await node.call(name="Ben")
        room = await node.table(Terms("isaac"), ann, ben)
        await ann.ask(Say(id=0, room=room, text="Hello"))
        await ben.ask(Say(id=0, room=room, text="Go away"))
        answer = await ann.ask(Report(id=0, name="ben", reason="abuse", text="insults ", room=room))
        assert isinstance(answer, Ok)
        [report] = await node.store.reports.newest()
        assert (report.reason, report.text, report.room, report.chat) == ("abuse", "insults", room, ("Go away",))
        ids = [await node.store.players.id_of(name) for name in ("ann", "ben")]
        assert [report.author, report.player] == ids


async def test_a_report_from_a_tournament(valkey: str, redis: Redis) -> None:
    """It has what the player said in the chat that the reporter reads, also on another node."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        tournament = await create(await organiser(one), start=one.store.clock.now() + 86_400_000)
        ann, ben = await one.call(name="Ann"), await two.call(name="Ben")
        await ann.ask(FollowTournament(id=0, tournament=tournament))
        for text in ("Go away", "All of you"):
            await ben.ask(SayTournament(id=0, tournament=tournament, text=text))
            await ann.hears(TournamentSaid)
        await ann.ask(SayTournament(id=0, tournament=tournament, text="Please stop"))
        await ann.ask(Report(id=0, name="Ben", reason="abuse"))
        await ben.ask(Report(id=0, name="Ann", reason="abuse"))
        chats = {report.chat for report in await one.store.reports.newest()}
        assert chats == {("Go away", "All of you"), ()}


async def test_what_is_refused(valkey: str, redis: Redis) -> None:
    """Reports about oneself and unknown players, text that is no line, and too many reports."""
    async with running_node(valkey, unlimited_networks=(), report_rate=MAX_OPEN + 1) as node:
        ann = await node.call(name="Ann")
        assert await ann.code(Report(id=0, name="Ann", reason="other")) == ErrorCode.NOT_YOURSELF
    async with running_node(valkey) as node:
        ann = await node.call(name="Anna")
        await node.call(name="Ben")
        assert await ann.code(Report(id=0, name="Missing", reason="other")) == ErrorCode.PLAYER_UNKNOWN
        assert await ann.code(Report(id=0, name="Ben", reason="other", text="a\nb")) == ErrorCode.TEXT_REFUSED
        for number in range(MAX_OPEN):
            await ann.ask(Report(id=0, name="Ben", reason="other", room=str(number)))
        assert await ann.code(Report(id=0, name="Ben", reason="other", room="more")) == ErrorCode.LIMIT_REACHED


async def test_the_rate_of_reports_is_limited(valkey: str, redis: Redis) -> None:
    """The refusal says when the next one is possible."""
    async with running_node(valkey, unlimited_networks=(), report_rate=1) as node:
        ann = await node.call(name="Ann")
        await node.call(name="Ben")
        assert isinstance(await ann.ask(Report(id=0, name="Ben", reason="name")), Ok)
        refused = await ann.ask(Report(id=0, name="Ben", reason="name"))
        assert refused.code == ErrorCode.TOO_MANY_REPORTS
        assert refused.retry_after > 0
