"""The examples of tournaments agree with each other."""

from __future__ import annotations

from parlour.protocol.messages import CreateTournament, Tournament
from parlour.tournaments.settings import check
from publish.tournament_samples import from_clients, from_server


def test_the_tournaments_could_be_played() -> None:
    """Their settings are those of real tournaments."""
    made = [each for each in from_clients() if isinstance(each, CreateTournament)]
    assert len(made) == 3
    for each in made:
        check(each.settings)


def test_the_featured_game_is_listed() -> None:
    """It is one of the games of its tournament."""
    for whole in from_server():
        if isinstance(whole, Tournament) and whole.featured is not None:
            assert whole.featured in [game.room for game in whole.games]
