"""Operations on players: profiles, ratings, games, and who is online."""

from __future__ import annotations

from msgspec.structs import asdict

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Games, GetProfile, ListGames, ListPlayers, Players, Profile
from parlour.server.api.call import Call
from parlour.server.api.operation import Operation
from parlour.server.api.replies import GamesOfPlayer, PlayerPath, PlayerRatings


async def get_ratings(call: Call, wanted: PlayerPath) -> PlayerRatings:
    """Return a player's ratings."""
    profile = await call.ask(GetProfile(id=0, name=wanted.name), Profile)
    return PlayerRatings(profile.player, profile.ratings)


async def list_games_of_player(call: Call, wanted: GamesOfPlayer) -> Games:
    """Return a player's finished games."""
    filters = asdict(wanted)
    return await call.ask(ListGames(id=0, player=filters.pop("name"), **filters), Games)


_UNKNOWN = (ErrorCode.PLAYER_UNKNOWN,)

OPERATIONS = (
    Operation(
        method="GET", path="/players", name="listPlayers", tag="players",
        summary="List who is online, 50 players at a time",
        input=ListPlayers, reply=Players,
    ),
    Operation(
        method="GET", path="/players/{name}", name="getPlayer", tag="players", summary="Get the profile of a player",
        input=GetProfile, reply=Profile, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/players/{name}/ratings", name="getRatings", tag="players",
        summary="Get the ratings of a player and their history",
        input=PlayerPath, reply=PlayerRatings, answer=get_ratings, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/players/{name}/games", name="listGamesOfPlayer", tag="players",
        summary="List the finished games of a player, newest first, 20 at a time",
        input=GamesOfPlayer, reply=Games, answer=list_games_of_player, codes=(*_UNKNOWN, ErrorCode.GAME_UNKNOWN),
    ),
)  # fmt: skip
