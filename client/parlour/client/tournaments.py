"""Tournaments: find them, take part in them, organise and follow them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Literal

from parlour.client.connection import Connection, RefusedError, State
from parlour.client.event_stream import EventStream, Subscription
from parlour.protocol.messages import (
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
    ServerMessage,
    Standings,
    Tournament,
    TournamentChanged,
    TournamentLog,
    TournamentRound,
    Tournaments,
    TournamentSaid,
    TournamentSummary,
    WithdrawTournament,
    YourTournament,
)  # fmt: skip
from parlour.protocol.types import TournamentSettings

TournamentNews = Tournament | TournamentChanged | YourTournament | TournamentSaid
"""The events of a followed tournament: first the whole of it, then its changes, your own part in it, and the chat."""


class TournamentDirectory:
    """The tournaments of a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._streams: dict[str, EventStream[TournamentNews]] = {}  # of the followed tournaments

    async def page(self, status: Literal["open", "running", "finished"], before: str = "") -> Tournaments:
        """Return some tournaments. Pass its `more` as `before` to get the next page."""
        return await self._connection.ask(ListTournaments(id=0, status=status, before=before), Tournaments)

    async def create(self, settings: TournamentSettings, *, code: str = "", levels: Sequence[str] = ()) -> str:
        """Create a tournament and return its id. `code`: the entry code; `levels` of the computer enter."""
        command = CreateTournament(id=0, settings=settings, code=code, levels=tuple(levels))
        created = await self._connection.ask(command, Ok)
        assert created.tournament is not None
        return created.tournament

    async def cancel(self, tournament: str) -> None:
        """Cancel a tournament of one's own that has not begun."""
        await self._connection.ask(CancelTournament(id=0, tournament=tournament), Ok)

    async def join(self, tournament: str, *, code: str = "", team: str | None = None) -> None:
        """Enter a tournament. `Paired` follows for each game, among the notifications of the client."""
        await self._connection.ask(JoinTournament(id=0, tournament=tournament, code=code, team=team), Ok)

    async def withdraw(self, tournament: str) -> None:
        """Leave a tournament. A running game goes on."""
        await self._connection.ask(WithdrawTournament(id=0, tournament=tournament), Ok)

    async def pause(self, tournament: str, *, on: bool = True) -> None:
        """Pause or resume being paired."""
        await self._connection.ask(PauseTournament(id=0, tournament=tournament, on=on), Ok)

    async def say(self, tournament: str, text: str) -> None:
        """Send a chat message to all who follow a tournament."""
        await self._connection.ask(SayTournament(id=0, tournament=tournament, text=text), Ok)

    # -- looking

    async def follow(self, tournament: str) -> Subscription[TournamentNews]:
        """Iterate over the events of a tournament. It starts with the whole of it, also again after a reconnect."""
        stream = self._streams.setdefault(tournament, EventStream())
        news = stream.subscribe()
        whole = await self._connection.ask(FollowTournament(id=0, tournament=tournament), Tournament)
        stream.publish(whole)
        return news

    async def unfollow(self, tournament: str) -> None:
        """Stop following a tournament."""
        stream = self._streams.pop(tournament, None)
        if stream is not None:
            stream.end()
            await self._connection.ask(FollowTournament(id=0, tournament=tournament, on=False), Ok)

    async def summary(self, tournament: str) -> TournamentSummary:
        """Return the summary of a tournament."""
        whole = await self._connection.ask(FollowTournament(id=0, tournament=tournament), Tournament)
        if tournament not in self._streams:
            await self._connection.ask(FollowTournament(id=0, tournament=tournament, on=False), Ok)
        return whole.summary

    async def standings(self, tournament: str, offset: int = 0) -> Standings:
        """Return a page of the standings."""
        return await self._connection.ask(GetStandings(id=0, tournament=tournament, offset=offset), Standings)

    async def round(self, tournament: str, number: int, offset: int = 0) -> TournamentRound:
        """Return the pairings of a round; in an arena, with 0, all games, newest first."""
        command = GetRound(id=0, tournament=tournament, round=number, offset=offset)
        return await self._connection.ask(command, TournamentRound)

    async def log(self, tournament: str) -> AsyncIterator[str]:
        """Yield the events of a tournament, each a JSON object, requesting pages as needed."""
        after = 0
        while True:
            page = await self._connection.ask(GetTournamentLog(id=0, tournament=tournament, after=after), TournamentLog)
            for event in page.events:
                yield event
            after += len(page.events)
            if after >= page.total or not page.events:
                return

    # -- called by the client

    def handle(self, news: TournamentNews) -> None:
        """Publish an event to the followers of a tournament."""
        tournament = news.summary.tournament if isinstance(news, Tournament) else news.tournament
        if tournament in self._streams:
            self._streams[tournament].publish(news)

    def state_changed(self, state: State) -> None:
        """Follow the tournaments again after a reconnect."""
        if state == "connected":
            for tournament in self._streams:
                answer = self._connection.send(FollowTournament(id=0, tournament=tournament))
                answer.add_done_callback(partial(self._followed_again, tournament))
        elif state == "ended":
            for stream in self._streams.values():
                stream.end(self._connection.fault)

    def _followed_again(self, tournament: str, answer: asyncio.Future[ServerMessage]) -> None:
        """Publish the whole tournament: anything may have happened while the connection was lost, even its end."""
        if answer.cancelled() or answer.exception() is not None or tournament not in self._streams:
            return
        reply = answer.result()
        if isinstance(reply, Tournament):
            self._streams[tournament].publish(reply)
        elif isinstance(reply, Refused):
            self._streams.pop(tournament).end(RefusedError(reply))
