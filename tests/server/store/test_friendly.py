"""Names for guests."""

from __future__ import annotations

from parlour.server.store.friendly import ADJECTIVES, ANIMALS, NUMBERS, friendly_name
from parlour.server.store.names import LONGEST, fold, tidy_name


def test_the_same_number_gives_the_same_name() -> None:
    """A name follows from its number."""
    assert friendly_name(0) == "Able Alpaca 10"
    assert friendly_name(123_456_789) == friendly_name(123_456_789)


def test_every_combination_occurs() -> None:
    """Numbers in a row give all combinations before one comes again."""
    there_are = len(ADJECTIVES) * len(ANIMALS) * len(NUMBERS)
    names = {friendly_name(number) for number in range(0, there_are, 97)}
    assert len(names) == -(-there_are // 97)
    assert friendly_name(there_are) == friendly_name(0)


def test_names_are_short_and_differ() -> None:
    """The longest name fits, and no word is there twice."""
    longest = max(map(len, ADJECTIVES)) + max(map(len, ANIMALS)) + 5
    assert longest <= LONGEST
    for words in (ADJECTIVES, ANIMALS):
        assert len({fold(word) for word in words}) == len(words)
        assert all(word.isascii() and word.isalpha() and word.istitle() for word in words)


def test_they_are_names_that_anybody_could_have() -> None:
    """No combination is refused as a name."""
    for adjective in range(len(ADJECTIVES)):
        for animal in range(len(ANIMALS)):
            name = friendly_name(adjective * len(ANIMALS) + animal)
            assert tidy_name(name) == name
