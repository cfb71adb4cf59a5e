"""The types that messages share."""

from __future__ import annotations

import msgspec
import pytest

from parlour.protocol.types import Clock, Pick, Player, RoomId, Seat, Step, Terms, TimeLeft


def test_defaults_are_not_sent() -> None:
    """Terms without options and without a clock contain only the name of the game."""
    assert msgspec.to_builtins(Terms("replica")) == {"game": "replica"}
    assert msgspec.to_builtins(Player("Ada")) == {"name": "Ada"}


def test_short_types_are_arrays() -> None:
    """Types that are sent often are encoded without field names."""
    assert msgspec.to_builtins(TimeLeft(5)) == [5, 0]
    assert msgspec.to_builtins(Step(0, (1, Pick(2, more=True)))) == [0, (1, [2, "", "", None, None, True]), None]


@pytest.mark.parametrize(
    ("kind", "value"), [(Seat, 2), (Seat, -1), (RoomId, ""), (RoomId, "x" * 25), (Clock, {"main": -1})]
)
def test_values_out_of_range_are_refused(kind: object, value: object) -> None:
    """The bounds in the types are checked when a message is decoded."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(value, kind)
