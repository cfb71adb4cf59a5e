"""The scopes of limited tokens: which scope each message needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Assess,
    AssessPosition,
    Berserk,
    Cancel,
    Challenge,
    ChooseFirst,
    Claim,
    Create,
    Describe,
    EditPosition,
    Explore,
    ExploreLesson,
    FollowTournament,
    GetAnalysis,
    GetBlockList,
    GetLeaderboard,
    GetLesson,
    GetProfile,
    GetRecord,
    GetRound,
    GetRules,
    GetStandings,
    GetTournamentLog,
    Hello,
    Join,
    JoinTournament,
    Leave,
    ListGames,
    ListPlayers,
    ListTournaments,
    Offer,
    PauseTournament,
    Play,
    Preview,
    Queue,
    ReadRecord,
    Resign,
    Say,
    SayTournament,
    Scope,
    Seek,
    SignOut,
    Study,
    Sync,
    TryMove,
    WatchLobby,
    WithdrawTournament,
)  # fmt: skip

# Everyone may see this, and any token ends by sign_out.
PUBLIC = frozenset(
    {
        Describe, EditPosition, Explore, ExploreLesson, FollowTournament, GetAnalysis, GetLeaderboard, GetLesson,
        GetProfile, GetRecord, GetRound, GetRules, GetStandings, GetTournamentLog, Hello, Join, Leave, ListGames,
        ListPlayers, ListTournaments, Preview, ReadRecord, SignOut, Study, Sync, TryMove, WatchLobby,
    }
)  # fmt: skip

# All other messages change the account, which no scope allows.
SCOPES: Mapping[type[Any], Scope] = {
    Assess: "read",
    AssessPosition: "read",
    GetBlockList: "read",
    Seek: "challenge",
    Cancel: "challenge",
    Accept: "challenge",
    Queue: "challenge",
    Challenge: "challenge",
    Create: "challenge",
    JoinTournament: "challenge",
    WithdrawTournament: "challenge",
    PauseTournament: "challenge",
    Play: "play",
    ChooseFirst: "play",
    Offer: "play",
    AnswerOffer: "play",
    Resign: "play",
    Abort: "play",
    Claim: "play",
    Say: "play",
    Berserk: "play",
    SayTournament: "play",
}


def scope_refusal(scopes: frozenset[str], kind: type[Any]) -> Refusal | None:
    """Return why a token with these scopes does not allow a message; None if it does."""
    needed = SCOPES.get(kind)
    if kind in PUBLIC or needed in scopes:
        return None
    return scope_missing("account" if needed is None else needed)


def scope_missing(needed: Scope | Literal["any", "account"]) -> Refusal:
    """Return the refusal of a message that needs a scope the token does not have, or a token without limits."""
    if needed == "account":
        return Refusal(ErrorCode.SCOPE_MISSING, "Only a token without limits allows this.")
    return Refusal(ErrorCode.SCOPE_MISSING, f"The token does not have the scope “{needed}”. Create one that does.")
