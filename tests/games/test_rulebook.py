"""The rules of each game as clients get them."""

from __future__ import annotations

import re

import pytest

from parlour import games
from parlour.games.rulebook import rulebook
from parlour.protocol.errors import ErrorCode, Refusal


@pytest.mark.parametrize("key", games.keys())
def test_every_picture_is_an_example(key: str) -> None:
    """What the text shows as a picture is there as a board, and nothing else is."""
    rules = rulebook(key)

    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", rules.text)

    assert sorted(shown) == sorted(example.name for example in rules.examples)
    assert len(shown) >= 3


@pytest.mark.parametrize("key", games.keys())
def test_the_text_is_for_people(key: str) -> None:
    """It begins with the game's name and has no comments in it."""
    text = rulebook(key).text

    assert text.startswith(f"# {games.find(key).info.name}\n")
    assert "<!--" not in text
    assert "\n\n\n" not in text


def test_an_example_shows_what_may_be_picked() -> None:
    """Where the text chooses a turn, the picks are offered."""
    examples = {example.name: example for example in rulebook("replica").examples}

    assert len(examples["pictures/replica-step.svg"].picks) == 3
    assert examples["pictures/replica-start.svg"].picks == ()


def test_an_unknown_game_has_no_rules() -> None:
    """It is refused like everywhere."""
    with pytest.raises(Refusal) as refused:
        rulebook("chess")

    assert refused.value.code == ErrorCode.GAME_UNKNOWN
