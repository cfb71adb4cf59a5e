"""Events survive being written down."""

from __future__ import annotations

import msgspec

from parlour.tournaments.events import Event
from tests.tournaments.playing import Played


def test_events_round_trip() -> None:
    """Every event of a whole tournament can be read again, as MessagePack and as JSON."""
    played = Played(5, format="swiss", games=2)
    played.play()
    for module in (msgspec.msgpack, msgspec.json):
        for event in played.log:
            assert module.decode(module.encode(event), type=Event) == event
