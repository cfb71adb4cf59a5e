"""The inputs and replies of the API that are not messages of the protocol."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.protocol.messages import GameRating, LiveGame
from parlour.protocol.types import Count, GameCard, Level, Milliseconds, Name, Player, RoomId, Seat, TournamentId

Position = Annotated[str, Meta(max_length=4096, description="In the game's notation.")]
Moves = Annotated[
    tuple[Annotated[str, Meta(max_length=128)], ...],
    Meta(max_length=400, description="The moves from there, each as one parameter `moves`."),
]
Size = Annotated[int, Meta(ge=64, le=1024, description="The longer side of a PNG, in pixels.")]


class Problem(Struct, frozen=True):
    """A refusal: a stable code for programs and a sentence for people, the same as in the WebSocket protocol."""

    error: Annotated[str, Meta(description="The code; see “Errors” in the protocol.")]
    text: Annotated[str, Meta(description="A sentence that says what is wrong and what would be right.")]


class GamePath(Struct, frozen=True):
    """A game."""

    game: Annotated[Name, Meta(description="The key of a game.")]


class PlayerPath(Struct, frozen=True):
    """A player."""

    name: Annotated[Name, Meta(description="The name of a player.")]


class RoomPath(Struct, frozen=True):
    """A room, which is one game between two players."""

    room: Annotated[RoomId, Meta(description="The id of a room.")]


class TournamentPath(Struct, frozen=True):
    """A tournament."""

    tournament: Annotated[TournamentId, Meta(description="The id of a tournament.")]


class GameList(Struct, frozen=True):
    """The games of the server."""

    rows: tuple[GameCard, ...]  # by key


class LevelList(Struct, frozen=True):
    """The levels of the computer in a game, weakest first."""

    game: str  # its key
    rows: tuple[Level, ...]  # weakest first


class PlayerRatings(Struct, frozen=True):
    """A player's ratings and their history, by game."""

    player: Player
    rows: tuple[GameRating, ...]  # one for each game with a rating


class GameFilters(Struct, frozen=True, kw_only=True):
    """Filters of finished games. A game must match all that are given."""

    opponent: Name | None = None  # only games against this player
    result: Literal["won", "lost", "drawn"] | None = None  # of the player whose games are listed
    game: Name | None = None  # the key of a game; without it, all games
    since: Milliseconds | None = None  # the earliest end of a game, since 1970
    until: Milliseconds | None = None  # the latest end of a game, since 1970
    min_plies: Count = 0  # the smallest number of moves, of both players together
    max_plies: Count | None = None  # the largest number of moves


class GamesOfPlayer(GameFilters, frozen=True, kw_only=True):
    """Which finished games of a player are listed."""

    name: Annotated[Name, Meta(description="The name of a player.")]
    before: Annotated[str, Meta(description="The `more` of an earlier reply.")] = ""


class ExportedGames(GameFilters, frozen=True, kw_only=True):
    """Which records are exported."""

    player: Name | None = None  # the player whose games are exported; without it, those of all players
    before: Annotated[str, Meta(description="`ENDED-ROOM` of the last line of an earlier export, to continue it.")] = ""
    count: Annotated[int, Meta(ge=1, le=100_000, description="The largest number of records.")] = 1000


class LiveGames(Struct, frozen=True):
    """The games that can be watched."""

    rows: tuple[LiveGame, ...]  # with their boards
    featured: str = ""  # the room of the game most worth watching
    online: Count = 0  # how many players are connected


class LegalMoves(Struct, frozen=True):
    """The legal moves in a room."""

    ply: Count  # how many moves have been played
    to_move: Seat | None  # None: the game is over or has not begun
    moves: tuple[str, ...]  # in the game's notation
    more: bool = False  # whether there are more than are listed


class AssessRoom(Struct, frozen=True):
    """A position of a room."""

    room: RoomId
    ply: Annotated[Count, Meta(description="How many moves led to the position.")]


class Picture(Struct, frozen=True):
    """A position to draw."""

    game: Annotated[Name, Meta(description="The key of a game.")]
    position: Position | None = None
    moves: Moves = ()


class SizedPicture(Picture, frozen=True):
    """A position to draw in pixels."""

    size: Size = 480


class NewGuest(Struct, frozen=True):
    """A guest to create."""

    name: Name | None = None  # that the guest would like to have


class Token(Struct, frozen=True):
    """A player and a token, which is shown only now."""

    you: Player  # whose token it is
    token: Annotated[str, Meta(description="Send it as `Authorization: Bearer TOKEN`, and keep it secret.")]


class Me(Struct, frozen=True):
    """The player of a token."""

    you: Player  # whose token it is
    scopes: tuple[str, ...] | None = None  # of the token; None: it is not limited
    playing: tuple[RoomId, ...] = ()  # rooms of running games


class InvitationPath(Struct, frozen=True):
    """An invitation."""

    code: Annotated[Name, Meta(description="The code of an invitation.")]
