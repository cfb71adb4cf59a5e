"""What the store and the server have about the games after a run. Pure: `collector.py` reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from parlour import games
from parlour.games.match import Match
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import GameRating
from parlour.protocol.types import Clock, Result
from parlour.server.rooms.events import Chose, Created, Ended, Played, decode

CommandKey = tuple[str, int]  # the name of the player and the id; every player of a run has one session


class LogEntry(Struct, frozen=True):
    """An event in the log of a game, as far as clients can know it."""

    command: CommandKey | None = None  # that caused it
    move: str | None = None


class GameLog(Struct, frozen=True):
    """The log of a game. Entry 1 of the log is `entries[0]`."""

    room: str
    game: str
    rated: bool
    clock: Clock
    players: tuple[str, str]  # the names, by seat
    entries: tuple[LogEntry, ...]
    moves: tuple[str, ...]
    result: Result | None
    fault: str = ""  # why the log cannot be replayed any further


class Snapshot(Struct, frozen=True):
    """A game as a client that has just joined sees it."""

    moves: tuple[str, ...]
    hash: int
    result: Result | None


class Evidence(Struct, frozen=True):
    """The data that observations are compared with."""

    logs: Mapping[str, GameLog]  # of all games in the store, by room
    snapshots: Mapping[str, Snapshot]  # by room
    ratings: Mapping[str, tuple[GameRating, ...]]  # by the name of the player


def parse_log(room: str, entries: Iterable[bytes]) -> GameLog:
    """Return a log with its moves as text, each of which is checked against the rules of the game."""
    created, *events = (decode(entry) for entry in entries)
    assert isinstance(created, Created)
    game = games.find(created.game)
    state = None if created.position is None else game.parse(created.position, created.options)
    board: Match[Any] = Match(game, created.options, state)
    names = {each.id: each.player.name for each in created.players}
    first, second = names.values()
    result, fault, found = None, "", [LogEntry()]
    moves: list[str] = []
    for event in events:
        text = None
        match event:
            case Played() if result is not None:
                fault = fault or f"Move {len(moves) + 1} was played after the end."
            case Played() if not fault:
                try:
                    move = game.check(board.state, event.move)
                except Refusal as refusal:
                    fault = f"Move {len(moves) + 1} is not legal: {refusal.sentence}"
                else:
                    text = game.write(board.state, move)
                    board.play(move)
                    moves.append(text)
            case Chose(swap=True):
                first, second = second, first
            case Ended():
                result = event.result
        player, id = getattr(event, "by", ""), getattr(event, "id", -1)
        found.append(LogEntry((names[player], id) if player and id >= 0 else None, text))
    return GameLog(
        room, created.game, created.rated, created.clock, (first, second), tuple(found), tuple(moves), result, fault
    )
