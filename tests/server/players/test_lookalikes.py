"""Which names look alike."""

from __future__ import annotations

import pytest

from parlour.server.players.lookalikes import skeleton, version
from parlour.server.players.names import fold_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Owner One", "0wner One"), ("Ian", "lan"), ("Ian", "1an"), ("Mike", "rnike"), ("William", "VViIliarn"),
        ("Sam S", "Sam5"), ("Bob", "8o8"), ("Zeta", "2eta"), ("Greta", "ɡreta"), ("Anna", "ɑnna"), ("Sam", "ꓢam"),
        ("Sam", "Տam"), ("coco", "ⲥoⲥo"), ("Cæsar", "Caesar"), ("Otto", "ΟΤΤΟ"), ("ロロ", "口口"),
    ],
)  # fmt: skip
def test_lookalikes(one: str, other: str) -> None:
    """Digits and letters that pass for others, and letters of Unicode's list, do not make names different."""
    assert skeleton(fold_name(one)) == skeleton(fold_name(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "Anna"),
        ("Otter 10", "Otter 1"),
        ("José", "Jose"),
        ("Otter 12", "Otter 17"),
        ("Dora", "Cora"),
        ("山田", "田山"),
    ],
)
def test_other_names(one: str, other: str) -> None:
    """Other letters, accents and digits do."""
    assert skeleton(fold_name(one)) != skeleton(fold_name(other))


def test_numbers_stay_different() -> None:
    """No two numbers look alike, so the names of guests with different numbers are different."""
    assert len({skeleton(str(number)) for number in range(1000)}) == 1000


def test_the_version_is_that_of_the_tables() -> None:
    """It is the same at each call; nodes compare it with the one in the store."""
    assert version() == version() != ""
