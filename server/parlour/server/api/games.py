"""Operations on the games of the server: their rules, levels and leaderboards."""

from __future__ import annotations

from parlour import games
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import GetLeaderboard, GetLesson, GetRules, Leaderboard, Lesson, Rules
from parlour.protocol.types import GameCard
from parlour.server.api.call import Call
from parlour.server.api.operation import PLAIN_TYPE, Content, NoInput, Operation
from parlour.server.api.replies import GameList, GamePath, LevelList
from parlour.server.game_queries.game_info import game_card


async def list_games(_: Call, __: NoInput) -> GameList:
    """Return all games."""
    return GameList(tuple(game_card(key) for key in games.keys()))


async def get_game(_: Call, wanted: GamePath) -> GameCard:
    """Return one game."""
    games.find(wanted.game)
    return game_card(wanted.game)


async def list_levels(_: Call, wanted: GamePath) -> LevelList:
    """Return the levels of the computer."""
    games.find(wanted.game)
    return LevelList(wanted.game, game_card(wanted.game).levels)


async def get_rules_text(call: Call, wanted: GamePath) -> Content:
    """Return the rules without their boards."""
    rules = await call.ask(GetRules(id=0, game=wanted.game), Rules)
    return Content(rules.text.encode(), PLAIN_TYPE)


_UNKNOWN = (ErrorCode.GAME_UNKNOWN,)

OPERATIONS = (
    Operation(
        method="GET", path="/games", name="listGames", tag="games", summary="List the games of the server",
        input=NoInput, reply=GameList, answer=list_games,
    ),
    Operation(
        method="GET", path="/games/{game}", name="getGame", tag="games",
        summary="Get a game: its options, sides, levels and results",
        input=GamePath, reply=GameCard, answer=get_game, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/games/{game}/levels", name="listLevels", tag="games",
        summary="List the levels of the computer",
        input=GamePath, reply=LevelList, answer=list_levels, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/games/{game}/rules", name="getRules", tag="games",
        summary="Get the rules of a game, with the boards that they show",
        input=GetRules, reply=Rules, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/games/{game}/rules.md", name="getRulesText", tag="games",
        summary="Get the rules of a game as Markdown",
        input=GamePath, reply=None, formats=(PLAIN_TYPE,), answer=get_rules_text, codes=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/games/{game}/lesson", name="getLesson", tag="games",
        summary="Get the lesson of a game",
        input=GetLesson, reply=Lesson, codes=(*_UNKNOWN, ErrorCode.LESSON_UNKNOWN),
    ),
    Operation(
        method="GET", path="/games/{game}/leaderboard", name="getLeaderboard", tag="games",
        summary="List the strongest players of a game, 20 at a time",
        input=GetLeaderboard, reply=Leaderboard, codes=_UNKNOWN,
    ),
)  # fmt: skip
