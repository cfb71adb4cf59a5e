"""A tournament is checked with the records of its games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import Refusal
from parlour.protocol.types import Player, Result, Terms
from parlour.server.archive.record import sealed
from parlour.server.archive.storage import record_of
from parlour.server.rooms.events import Ended, Participant
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import evolve, initial_state
from parlour.server.tournaments.game_records import RecordedGame, faults, played_games, read, write
from parlour.server.tournaments.games import game_room
from parlour.tournaments import commands, log_file
from tests.server.tournaments.cups import BLITZ
from tests.tournaments.playing import NOW, Played, first_wins


def played(kind: str = "round_robin") -> Played:
    """Return a whole tournament of two-game matches in which one player has left, so some games are forfeited."""
    found = Played(4, format=kind, games=2, terms=Terms("mapello", clock=BLITZ))
    found.start_round()
    found.apply(commands.withdraw(found.state, "p3", NOW))
    found.play(first_wins)
    return found


def recorded(tournament: Played) -> list[RecordedGame]:
    """Return the games, in each of which the loser resigns before the first move."""
    state = tournament.state
    name = {entry.player: entry.name for entry in state.entries}
    games = []
    for number, index, game in played_games(state):
        match = state.match(number, index)
        players = match.seated(game)
        winner = match.winners[game]
        one, two = (Participant(f"id-of-{each}", Player(name[each])) for each in players)
        options = complete_options(state.settings.terms, None, Random(1))
        event = create(state.settings.terms, options, None, (one, two), NOW)
        room = initial_state(game_room("cup", number, index, game), event)
        seat = None if winner is None else players.index(winner)
        room = evolve(room, Ended(NOW, Result(seat, "resigned", room.rules.scores(room.state))))
        games.append(RecordedGame("cup", number, index, game, record_of(room)))
    return games


CUP = played()
GAMES = recorded(CUP)


def test_a_whole_tournament_is_valid() -> None:
    """The records of all games that were played follow the log; without them the log alone is checked."""
    text = "".join([*map(log_file.write, CUP.log), *map(write, GAMES)])
    assert log_file.is_log(text)
    assert read(text) == (CUP.log, GAMES)
    assert 0 < len(GAMES) < sum(len(match.winners) for each in CUP.state.rounds for match in each.matches)
    assert list(faults(CUP.log, GAMES)) == []
    assert list(faults(CUP.log, [])) == []
    assert list(faults(CUP.log[:-2] + CUP.log[-1:], GAMES)) != []


def other_winner(game: RecordedGame) -> RecordedGame:
    """Return the game with another result, in a record that is sealed again."""
    result = game.record.result
    assert result.winner is not None
    return replace(game, record=sealed(replace(game.record, result=replace(result, winner=1 - result.winner))))


def other_player(game: RecordedGame) -> RecordedGame:
    _, second = game.record.players
    return replace(game, record=sealed(replace(game.record, players=(Player("Eve"), second))))


def other_clock(game: RecordedGame) -> RecordedGame:
    terms = game.record.terms
    return replace(game, record=sealed(replace(game.record, terms=replace(terms, clock=replace(BLITZ, step=1)))))


CHANGES: list[tuple[Callable[[RecordedGame], RecordedGame], str]] = [
    (lambda game: replace(game, record=replace(game.record, ended=game.record.ended + 1)), "was changed"),
    (other_winner, "by the record, but"),
    (other_player, "should play, not Eve."),
    (other_clock, "are not those of the tournament"),
    (lambda game: replace(game, record=sealed(replace(game.record, room="abcdef"))), "is of another game"),
    (lambda game: replace(game, round=9), "was not played, or is here twice"),
    (lambda game: replace(game, tournament="other"), "of several tournaments"),
]


@pytest.mark.parametrize(("change", "sentence"), CHANGES, ids=[sentence for _, sentence in CHANGES])
def test_a_changed_game_is_found(change: Callable[[RecordedGame], RecordedGame], sentence: str) -> None:
    """A sealed record with another winner is as little accepted as one with a broken seal."""
    found = list(faults(CUP.log, [change(GAMES[0]), *GAMES[1:]]))
    assert any(sentence in each for each in found), found


def test_a_changed_log_is_found() -> None:
    """A result in the log that is not that of the record is found even if the log is consistent."""
    other = played()
    log = Played(2, terms=Terms("mapello", clock=BLITZ))
    log.play(first_wins)
    games = recorded(log)
    log = Played(2, terms=Terms("mapello", clock=BLITZ))
    log.play(lambda match: match.second)
    [sentence] = faults(log.log, games)
    assert sentence == "Round 1, match 1, game 1: Player 1 wins by the record, but Player 2 wins by the log."
    assert list(faults(other.log, GAMES)) == []


def test_every_game_is_needed_once() -> None:
    """A record that is missing or here twice is named."""
    assert list(faults(CUP.log, GAMES[1:])) == ["Round 1, match 1, game 1 has no record."]
    [sentence] = faults(CUP.log, [*GAMES, GAMES[0]])
    assert sentence.startswith("Round 1, match 1, game 1 was not played")


def test_a_deleted_player_has_no_name() -> None:
    """The record of a player who was deleted still counts."""
    game = GAMES[0]
    record = replace(game.record, erased=("digest", ""), players=(Player("[deleted]"), game.record.players[1]))
    found = list(faults(CUP.log, [replace(game, record=sealed(record)), *GAMES[1:]]))
    assert not any("should play" in each for each in found)


@pytest.mark.parametrize("line", ['{"type":"record"}', '{"type":"record","tournament":"cup"', "nonsense"])
def test_nonsense_is_refused(line: str) -> None:
    """The sentence names the line."""
    with pytest.raises(Refusal) as caught:
        read("".join([log_file.write(CUP.log[0]), write(GAMES[0]), line]))
    assert caught.value.code == "record_broken"
    assert "Line 3" in caught.value.sentence
