"""The games of a tournament: their rooms, their players and their results. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from parlour.protocol.types import Player
from parlour.server.rooms.commands import ABORTED, CANCELLED, PRIVATE_LENGTH, room_id
from parlour.server.rooms.events import Participant
from parlour.server.rooms.outline import AnyRoom
from parlour.server.rooms.state import RoomState
from parlour.tournaments.state import Entry, Match, TournamentState


class Game(Struct, frozen=True):
    """A game that has to be played, or is being played."""

    room: str
    round: int
    match: int  # index in the round
    game: int  # index in the match
    players: tuple[str, str]  # by seat


class GameResult(Struct, frozen=True):
    """How a game of a tournament ended."""

    winner: str | None
    forfeit: bool = False
    berserk: tuple[str, ...] = ()


def game_room(tournament: str, number: int, match: int, game: int) -> str:
    """Return the id of a game's room, the same on every node, so that the game is created once.

    It is longer than the ids of all other rooms.
    """
    seed = f"{tournament} {number} {match} {game}".encode()
    return room_id(int.from_bytes(blake2b(seed, person=b"tournament", digest_size=9).digest(), "big"), PRIVATE_LENGTH)


def following_tournament(tournament: str) -> str:
    """Return the id of the tournament that follows a recurring one, the same on every node, so that it begins once."""
    digest = blake2b(tournament.encode(), person=b"following", digest_size=9).digest()
    return room_id(int.from_bytes(digest, "big"), len(tournament))


def game_of(tournament: str, number: int, index: int, match: Match) -> Game:
    """Return the next game of a match."""
    played = len(match.winners)
    return Game(game_room(tournament, number, index, played), number, index, played, match.seated(played))


def current_games(tournament: str, state: TournamentState) -> Iterator[Game]:
    """Yield the games that are being played, or have to be."""
    if state.is_finished:
        return
    for number, index, match in state.running:
        yield game_of(tournament, number, index, match)


def participant(entry: Entry) -> Participant:
    """Return a player of a tournament as a player of a room."""
    return Participant(participant_id(entry), player_of(entry), entry.level)


def participant_id(entry: Entry) -> str:
    """Return the id that a player has in rooms."""
    return entry.account if entry.level is None else f"computer {entry.level} {entry.player}"


def player_of(entry: Entry) -> Player:
    """Return a player as others see it."""
    is_bot = entry.kind == "bot" or entry.level is not None
    return Player(entry.name, entry.rating or None, bot=is_bot, guest=entry.kind == "guest")


def result_of(room: AnyRoom, game: Game, state: TournamentState) -> GameResult:
    """Return the result of a room.

    A player who has not made the first move in time loses. A game that an operator has cancelled was not played, unless
    one of its players was suspended, banned or deleted: then the other one wins it.
    """
    result = room.result
    assert result is not None
    names = {participant_id(entry): entry.player for entry in state.entries if entry.player in game.players}
    seats = tuple(names.get(each.id, game.players[seat]) for seat, each in enumerate(room.players))
    halved = room.berserk if isinstance(room, RoomState) and room.berserk is not None else (False, False)
    berserk = tuple(name for name, did in zip(seats, halved, strict=True) if did)
    if result.reason == CANCELLED:
        withdrawn = {entry.player for entry in state.entries if entry.is_withdrawn}
        present = [name for name in seats if name not in withdrawn]
        return GameResult(present[0] if len(present) == 1 else None, forfeit=True, berserk=berserk)
    plies = room.ply if isinstance(room, RoomState) else 0
    if result.reason == ABORTED and plies < len(seats):
        return GameResult(seats[1 - plies], forfeit=True, berserk=berserk)
    return GameResult(None if result.winner is None else seats[result.winner], berserk=berserk)
