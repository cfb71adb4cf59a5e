"""The examples of messages about positions that are set up by hand."""

from __future__ import annotations

from parlour.protocol.codec import JSON
from parlour.server.game_queries.position_editing import edited
from publish import position_samples
from publish.sample_games import sample_game

MATCH = sample_game("mitsudomoe", 1, "room")


def test_the_commands_are_carried_out() -> None:
    """The one without a change shows the first position; the other one clears the board and puts a ball on it."""
    everything, nothing = position_samples.from_clients("x")
    assert JSON.decode_client(JSON.encode(everything)) == everything
    assert edited(nothing).refusal == ""  # type: ignore[arg-type]


def test_the_answers_are_whole() -> None:
    """They survive being sent."""
    for answer in position_samples.from_server("x", MATCH.board, MATCH.scenes[0]):
        assert JSON.decode_server(JSON.encode(answer)) == answer
