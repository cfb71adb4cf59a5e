"""Every message has an example."""

from __future__ import annotations

from parlour.protocol.messages import ROOM_EVENTS, RoomEvent
from publish.model import CLIENT_KINDS, SERVER_KINDS
from publish.samples import samples


def test_every_message_has_an_example() -> None:
    """The reference can show an example of each message."""
    assert {type(sample) for sample in samples()} == {*CLIENT_KINDS, *SERVER_KINDS}


def test_every_kind_of_event_has_an_example() -> None:
    """The vectors contain every kind of room event."""
    assert {sample.kind for sample in samples() if isinstance(sample, RoomEvent)} == set(ROOM_EVENTS)
