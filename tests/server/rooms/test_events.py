"""Events are kept for as long as games are: their form on disk never changes, and old and new logs can be read."""

from __future__ import annotations

import msgspec
import pytest

from parlour.protocol.tables import Clock, Result
from parlour.server.rooms.events import (
    AnyEvent,
    Back,
    Chose,
    Created,
    Declined,
    Ended,
    Excused,
    Gone,
    Offered,
    Played,
    Rematch,
    Seated,
    Started,
    TakenBack,
)  # fmt: skip

NOON = 1_700_000_000_000

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyEvent).decode
plain = msgspec.msgpack.Decoder().decode

Form = list[object]

# Every event with all its fields, and the form it has in a log: earlier servers wrote it like this.
STORED: list[tuple[AnyEvent, Form]] = [
    (
        Created(NOON, "mapello", {"seed": 7}, Clock("move", 30_000), True, "text", 5000, 1, "abc", 9000, True),
        [
            "created", NOON, "mapello", {"seed": 7}, {"kind": "move", "main": 30_000}, True, "text", 5000, 1, "abc",
            9000, True,
        ],
    ),
    (
        Seated(NOON, 1, "player", "Ada", 1500, True, "3", False, True),
        ["seated", NOON, 1, "player", "Ada", 1500, True, "3", False, True],
    ),
    (Started(NOON), ["started", NOON]),
    (Chose(NOON, True, "player", 5), ["chose", NOON, True, "player", 5]),
    (Played(NOON, (3, 100), 40, "player", 6), ["played", NOON, [3, 100], 40, "player", 6]),
    (Offered(NOON, 0, "draw", "player", 7), ["offered", NOON, 0, "draw", "player", 7]),
    (Declined(NOON, 0, "draw", True, "player", 8), ["declined", NOON, 0, "draw", True, "player", 8]),
    (TakenBack(NOON, 1, 12, "player", 9), ["taken_back", NOON, 1, 12, "player", 9]),
    (Gone(NOON, 1), ["gone", NOON, 1]),
    (Back(NOON, 1), ["back", NOON, 1]),
    (
        Ended(NOON, Result(0, "score", (40, 24)), 1, "player", 10),
        ["ended", NOON, {"winner": 0, "reason": "score", "scores": [40, 24]}, 1, "player", 10],
    ),
    (Rematch(NOON, 0, "def", "player", 11), ["rematch", NOON, 0, "def", "player", 11]),
    (Excused(NOON, NOON - 70, NOON - 10), ["excused", NOON, NOON - 70, NOON - 10]),
]  # fmt: skip

# The shortest form of each: only what had to be there from the first day on.
SHORTEST: list[tuple[Form, AnyEvent]] = [
    (["created", NOON, "isaac", {}, {}], Created(NOON, "isaac", {}, Clock())),
    (["seated", NOON, 0, "player", "Ada"], Seated(NOON, 0, "player", "Ada")),
    (["started", NOON], Started(NOON)),
    (["chose", NOON, False], Chose(NOON, False)),
    (["played", NOON, [3]], Played(NOON, (3,))),
    (["offered", NOON, 0, "draw"], Offered(NOON, 0, "draw")),
    (["declined", NOON, 0, "draw"], Declined(NOON, 0, "draw")),
    (["taken_back", NOON, 1, 12], TakenBack(NOON, 1, 12)),
    (["gone", NOON, 1], Gone(NOON, 1)),
    (["back", NOON, 1], Back(NOON, 1)),
    (["ended", NOON, {"winner": None, "reason": "agreed"}], Ended(NOON, Result(None, "agreed"))),
    (["rematch", NOON, 0, "def"], Rematch(NOON, 0, "def")),
    (["excused", NOON, NOON - 70, NOON - 10], Excused(NOON, NOON - 70, NOON - 10)),
]


def test_every_event_is_here() -> None:
    """The lists of this file leave no event out."""
    every = set(AnyEvent.__args__)
    assert {type(event) for event, _ in STORED} == every
    assert {type(event) for _, event in SHORTEST} == every


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_the_form_in_the_log_is_fixed(event: AnyEvent, form: Form) -> None:
    """An event is stored as an array of its name and its fields in their order, and read back as it was."""
    assert plain(encode(event)) == form
    assert decode(encode(event)) == event


@pytest.mark.parametrize(("form", "event"), SHORTEST, ids=lambda value: type(value).__name__)
def test_an_old_log_without_later_fields_is_read(form: Form, event: AnyEvent) -> None:
    """Fields that were added later have their defaults in a log that was written before."""
    assert decode(encode(form)) == event


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_every_shorter_form_between_is_read(event: AnyEvent, form: Form) -> None:
    """However many of the later fields a log has, those that it has count."""
    least = next(len(short) for short, known in SHORTEST if type(known) is type(event))
    for length in range(least, len(form)):
        read = plain(encode(decode(encode(form[:length]))))
        assert read[:length] == form[:length]
        assert len(read) == len(form)


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_a_newer_log_with_more_fields_is_read(event: AnyEvent, form: Form) -> None:
    """A node that is older than the one which wrote the log ignores the fields it does not know."""
    assert decode(encode([*form, "new", 1])) == event
