"""Numbers with their nouns."""

from __future__ import annotations

from parlour.terminal.text.plural import plural


def test_one_game_is_not_1_games() -> None:
    """Only the number 1 has the singular."""
    assert [plural(number, "game") for number in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
