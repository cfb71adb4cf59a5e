"""The rooms of a tournament's games, and what their ends mean."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from parlour import games
from parlour.protocol.types import Clock, Player, Result
from parlour.server.rooms.events import Created
from parlour.server.rooms.state import RoomState, initial_state
from parlour.server.tournaments.games import Game, GameResult, current_games, game_room, participant, result_of
from parlour.tournaments import commands
from parlour.tournaments.state import Entry, TournamentState, evolve
from tests.server.tournaments.cups import NOW, folded, opened

OPTIONS = dict(games.find("replica").options({}))


def started(players: int = 2) -> TournamentState:
    state = folded(opened(players, games=2))
    for event in commands.start_round(state, NOW):
        state = evolve(state, event)
    return state


def room(state: TournamentState, game: Game) -> RoomState:
    entries = {entry.player: entry for entry in state.entries}
    first, second = (participant(entries[player]) for player in game.players)
    return initial_state(game.room, Created(NOW, "replica", OPTIONS, Clock(), (first, second), berserk=True))


def test_every_game_has_a_room_of_its_own() -> None:
    """The same one on every node, and another one for each game of each tournament."""
    rooms = [game_room(*each) for each in product(("cup", "cup2"), (1, 11), (0, 1), (0, 1))]
    assert len(set(rooms)) == len(rooms)
    assert game_room("cup", 1, 0, 0) == game_room("cup", 1, 0, 0)


def test_players_change_sides() -> None:
    """The next game of a match has another room and the other player first."""
    state = started()
    (game,) = current_games("cup", state)
    for event in commands.report(state, 1, 0, 0, None, NOW):
        state = evolve(state, event)
    (following,) = current_games("cup", state)
    assert following.players == game.players[::-1]
    assert following.room != game.room


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result(0, "resigned"), GameResult("Ada", berserk=("Ben",))),
        (Result(None, "agreed"), GameResult(None, berserk=("Ben",))),
        (Result(None, "cancelled"), GameResult(None, forfeit=True, berserk=("Ben",))),
        (Result(None, "aborted"), GameResult("Ben", forfeit=True, berserk=("Ben",))),
    ],
)
def test_what_an_end_means(result: Result, expected: GameResult) -> None:
    """A player who has not made the first move in time loses without playing."""
    state = started()
    (game,) = current_games("cup", state)
    over = replace(room(state, game), status="over", result=result, berserk=(False, True))
    assert result_of(over, game, state) == expected


def test_a_game_is_cancelled_because_a_player_was_sent_away() -> None:
    """The other player wins it without a game; if both were removed, neither does."""
    state = started()
    (game,) = current_games("cup", state)
    over = replace(room(state, game), status="over", result=Result(None, "cancelled"))
    for name, winner in (("Ben", "Ada"), ("Ada", None)):
        for event in commands.expel(state, name, NOW):
            state = evolve(state, event)
        assert result_of(over, game, state) == GameResult(winner, forfeit=True)


def test_players_who_have_changed_seats() -> None:
    """The winner is found by id, not by seat."""
    state = started()
    (game,) = current_games("cup", state)
    found = room(state, game)
    swapped = replace(found, players=found.players[::-1], status="over", result=Result(0, "resigned"))
    assert result_of(swapped, game, state).winner == "Ben"


def test_levels_of_the_computer_are_bots() -> None:
    """They are labelled, and have an id that no player has."""
    found = participant(Entry("Computer 3", "Computer 3", 1200, level="3"))
    assert found.player == Player("Computer 3", 1200, bot=True)
    assert (found.level, found.id) == ("3", "computer 3 Computer 3")
