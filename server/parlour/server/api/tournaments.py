"""Operations on tournaments: their standings, games and events."""

from __future__ import annotations

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    FollowTournament,
    GetRound,
    GetStandings,
    GetTournamentLog,
    ListTournaments,
    Standings,
    Tournament,
    TournamentLog,
    TournamentRound,
    Tournaments,
)  # fmt: skip
from parlour.server.api.call import Call, messages_of
from parlour.server.api.operation import Operation
from parlour.server.api.replies import TournamentPath
from parlour.server.limits.costs import PAGE_COST


async def get_tournament(call: Call, wanted: TournamentPath) -> Tournament:
    """Return a tournament, with one page of its standings and games."""
    await call.charge(messages_of(FollowTournament), PAGE_COST)
    return await call.node.tournament_service.snapshot(wanted.tournament)


_UNKNOWN = (ErrorCode.TOURNAMENT_UNKNOWN,)

OPERATIONS = (
    Operation(
        method="GET", path="/tournaments", name="listTournaments", tag="tournaments",
        summary="List open, running or finished tournaments",
        input=ListTournaments, reply=Tournaments,
    ),
    Operation(
        method="GET", path="/tournaments/{tournament}", name="getTournament", tag="tournaments",
        summary="Get a tournament: its settings, the best of its standings, and the games of the current round",
        input=TournamentPath, reply=Tournament, answer=get_tournament, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/tournaments/{tournament}/standings", name="getStandings", tag="tournaments",
        summary="List the standings of a tournament, 50 players at a time",
        input=GetStandings, reply=Standings, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/tournaments/{tournament}/rounds/{round}", name="getRound", tag="tournaments",
        summary="List the pairings of a round, or the games of an arena as round 0, 50 at a time",
        input=GetRound, reply=TournamentRound, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/tournaments/{tournament}/log", name="getTournamentLog", tag="tournaments",
        summary="Export the events of a tournament, some at a time",
        about="Each event is JSON. When all of them are put together, `parlour verify` checks the tournament.",
        input=GetTournamentLog, reply=TournamentLog, codes=_UNKNOWN,
    ),
)  # fmt: skip
