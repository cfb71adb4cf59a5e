"""The log of a tournament together with the records of its games, as JSON Lines, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive import verify
from parlour.server.archive.record import GameRecord
from parlour.server.tournaments.games import game_room
from parlour.tournaments import log_file
from parlour.tournaments.events import Event
from parlour.tournaments.state import TournamentState, fold

Place = tuple[int, int, int]  # round of a game, from 1, index of its match, and its index in the match

_START = '{"type":"record"'


class RecordedGame(Struct, frozen=True, tag="record"):
    """The record of a game, with its place in a tournament."""

    tournament: str
    round: int
    match: int
    game: int
    record: GameRecord

    @property
    def place(self) -> Place:
        return self.round, self.match, self.game


_decoder = msgspec.json.Decoder(RecordedGame)


def write(game: RecordedGame) -> str:
    """Return the line of a game, which follows those of the log."""
    return msgspec.json.encode(game).decode() + "\n"


def read(text: str) -> tuple[list[Event], list[RecordedGame]]:
    """Return the log in a text, and the games after it. Raise Refusal for a text of another kind."""
    lines = text.splitlines()
    end = next((number for number, line in enumerate(lines) if line.startswith(_START)), len(lines))
    games = []
    for number, line in enumerate(lines[end:], end + 1):
        try:
            games.append(_decoder.decode(line))
        except (msgspec.MsgspecError, RecursionError) as error:
            raise Refusal(ErrorCode.RECORD_BROKEN, f"Line {number} is not the record of a game: {error}.") from None
    return log_file.read("\n".join(lines[:end])), games


def played_games(state: TournamentState) -> Iterator[Place]:
    """Yield the games that were played to a result, in order. Forfeited ones have no record."""
    for number, played in enumerate(state.rounds, 1):
        for index, match in enumerate(played.matches):
            for game in range(len(match.winners)):
                if game not in match.forfeits:
                    yield number, index, game


def faults(events: list[Event], games: list[RecordedGame]) -> Iterable[str]:
    """Yield the faults of a tournament: first of its log, then of its games, if there are records."""
    found = list(log_file.faults(events))
    yield from found
    if found or not games:
        return
    state = fold(events)
    missing = dict.fromkeys(played_games(state))
    if len({game.tournament for game in games}) > 1:
        yield "The records are of several tournaments."
    for game in games:
        if game.place not in missing:
            yield f"{_name(game.place)} was not played, or is here twice."
            continue
        del missing[game.place]
        yield from (f"{_name(game.place)}: {sentence}" for sentence in _game_faults(state, game))
    yield from (f"{_name(place)} has no record." for place in missing)


def _name(place: Place) -> str:
    number, match, game = place
    return f"Round {number}, match {match + 1}, game {game + 1}"


def _game_faults(state: TournamentState, game: RecordedGame) -> Iterator[str]:
    """Yield the faults of a record, and its contradictions to the log."""
    record, terms = game.record, state.settings.terms
    yield from verify.faults(record)
    if record.room != game_room(game.tournament, *game.place):
        yield "The record is of another game: its room is not that of this one."
    has_options = terms.options.items() <= record.terms.options.items()
    if (record.terms.game, record.terms.clock) != (terms.game, terms.clock) or not has_options:
        yield "The game, its options or its clock are not those of the tournament."
    match = state.match(game.round, game.match)
    players = match.seated(game.game)
    names = {entry.player: entry.name for entry in state.entries}
    for player, recorded, erased in zip(players, record.players, record.erased, strict=True):
        if not erased and recorded.name != names[player]:
            yield f"{names[player]} should play, not {recorded.name}."
    winner = None if record.result.winner is None else players[record.result.winner]
    if winner != match.winners[game.game]:
        yield f"{_outcome(names, winner)} by the record, but {_outcome(names, match.winners[game.game])} by the log."


def _outcome(names: dict[str, str], winner: str | None) -> str:
    return "it is a draw" if winner is None else f"{names[winner]} wins"
