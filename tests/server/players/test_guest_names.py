"""Generated names for guests."""

from __future__ import annotations

from parlour.server.players.guest_names import ADJECTIVES, ANIMALS, NUMBERS, guest_name
from parlour.server.players.names import MAX_LENGTH, fold_name, tidy_name


def test_equal_seeds_give_equal_names() -> None:
    """A name is determined by its seed."""
    assert guest_name(0) == "Able Alpaca 10"
    assert guest_name(123_456_789) == guest_name(123_456_789)


def test_every_combination_occurs() -> None:
    """Consecutive seeds give all combinations before one repeats."""
    combinations = len(ADJECTIVES) * len(ANIMALS) * len(NUMBERS)
    names = {guest_name(number) for number in range(0, combinations, 97)}
    assert len(names) == -(-combinations // 97)
    assert guest_name(combinations) == guest_name(0)


def test_names_are_short_and_differ() -> None:
    """The longest name fits, and no word occurs twice."""
    longest = max(map(len, ADJECTIVES)) + max(map(len, ANIMALS)) + 5
    assert longest <= MAX_LENGTH
    for words in (ADJECTIVES, ANIMALS):
        assert len({fold_name(word) for word in words}) == len(words)
        assert all(word.isascii() and word.isalpha() and word.istitle() for word in words)


def test_generated_names_are_valid() -> None:
    """Every combination of words is a valid name."""
    for adjective in range(len(ADJECTIVES)):
        for animal in range(len(ANIMALS)):
            name = guest_name(adjective * len(ANIMALS) + animal)
            assert tidy_name(name) == name
