"""The stored form of events never changes, and older and newer logs can be read."""

from __future__ import annotations

import msgspec
import pytest

from parlour.protocol.types import Clock, Player, Result
from parlour.server.rooms.events import (
    AnyEvent,
    Berserked,
    Chose,
    Closed,
    Created,
    Declined,
    Disconnected,
    Ended,
    Excused,
    Offered,
    Participant,
    Played,
    Reconnected,
    Rematch,
    Started,
    TakenBack,
)  # fmt: skip

NOON = 1_700_000_000_000

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(AnyEvent).decode
plain = msgspec.msgpack.Decoder().decode

Form = list[object]

ADA, BEN = Participant("id-of-ada", Player("Ada", 1500, bot=True), "3"), Participant("id-of-ben", Player("Ben"))
STORED_PLAYERS = [
    ["id-of-ada", {"name": "Ada", "rating": 1500, "bot": True}, "3", None, ""],
    ["id-of-ben", {"name": "Ben"}, None, None, ""],
]

# Every event with all its fields, and its form in a log.
STORED: list[tuple[AnyEvent, Form]] = [
    (
        Created(
            NOON, "mapello", {"seed": 7}, Clock("move", 30_000), (ADA, BEN), True, "text", 5000, 1, "abc", 9000, True,
            3, 150, "same_network", "cup", True, 5,
        ),
        [
            "created", NOON, "mapello", {"seed": 7}, {"kind": "move", "main": 30_000}, STORED_PLAYERS, True, "text",
            5000, 1, "abc", 9000, True, 3, 150, "same_network", "cup", True, 5,
        ],
    ),
    (Started(NOON), ["started", NOON]),
    (Chose(NOON, True, "player", 5, "s", 99), ["chose", NOON, True, "player", 5, "s", 99]),
    (Played(NOON, (3, 100), 40, "player", 6, "s", 99), ["played", NOON, [3, 100], 40, "player", 6, "s", 99]),
    (Offered(NOON, 0, "draw", "player", 7, "s", 99), ["offered", NOON, 0, "draw", "player", 7, "s", 99]),
    (Declined(NOON, 0, "draw", True, "player", 8, "s", 99), ["declined", NOON, 0, "draw", True, "player", 8, "s", 99]),
    (TakenBack(NOON, 1, 12, "player", 9, "s", 99), ["taken_back", NOON, 1, 12, "player", 9, "s", 99]),
    (Disconnected(NOON, 1), ["disconnected", NOON, 1]),
    (Reconnected(NOON, 1), ["reconnected", NOON, 1]),
    (
        Ended(NOON, Result(0, "score", (40, 24)), 1, "player", 10, "s", 99),
        ["ended", NOON, {"winner": 0, "reason": "score", "scores": [40, 24]}, 1, "player", 10, "s", 99],
    ),
    (Rematch(NOON, 0, "def", "player", 11, "s", 99), ["rematch", NOON, 0, "def", "player", 11, "s", 99]),
    (Excused(NOON, NOON - 70, NOON - 10, 1), ["excused", NOON, NOON - 70, NOON - 10, 1]),
    (Closed(NOON), ["closed", NOON]),
    (Berserked(NOON, 1, "player", 12, "s", 99), ["berserked", NOON, 1, "player", 12, "s", 99]),
]  # fmt: skip

# The shortest form of each: only the required fields.
SHORTEST: list[tuple[Form, AnyEvent]] = [
    (
        ["created", NOON, "isaac", {}, {}, [["a", {"name": "A"}], ["b", {"name": "B"}]]],
        Created(NOON, "isaac", {}, Clock(), (Participant("a", Player("A")), Participant("b", Player("B")))),
    ),
    (["started", NOON], Started(NOON)),
    (["chose", NOON, False], Chose(NOON, False)),
    (["played", NOON, [3]], Played(NOON, (3,))),
    (["offered", NOON, 0, "draw"], Offered(NOON, 0, "draw")),
    (["declined", NOON, 0, "draw"], Declined(NOON, 0, "draw")),
    (["taken_back", NOON, 1, 12], TakenBack(NOON, 1, 12)),
    (["disconnected", NOON, 1], Disconnected(NOON, 1)),
    (["reconnected", NOON, 1], Reconnected(NOON, 1)),
    (["ended", NOON, {"winner": None, "reason": "agreed"}], Ended(NOON, Result(None, "agreed"))),
    (["rematch", NOON, 0, "def"], Rematch(NOON, 0, "def")),
    (["excused", NOON, NOON - 70, NOON - 10], Excused(NOON, NOON - 70, NOON - 10)),
    (["closed", NOON], Closed(NOON)),
    (["berserked", NOON, 1], Berserked(NOON, 1)),
]


def test_every_event_is_here() -> None:
    """The lists of this file cover every event."""
    every = set(AnyEvent.__args__)
    assert {type(event) for event, _ in STORED} == every
    assert {type(event) for _, event in SHORTEST} == every


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_the_stored_form_is_fixed(event: AnyEvent, form: Form) -> None:
    """An event is stored as an array of its name and its fields in order, and reads back equal."""
    assert plain(encode(event)) == form
    assert decode(encode(event)) == event


@pytest.mark.parametrize(("form", "event"), SHORTEST, ids=lambda value: type(value).__name__)
def test_an_old_log_without_later_fields_is_read(form: Form, event: AnyEvent) -> None:
    """In a log written before a field was added, the field has its default."""
    assert decode(encode(form)) == event


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_every_intermediate_form_is_read(event: AnyEvent, form: Form) -> None:
    """Whichever of the later fields a log has are used."""
    least = next(len(short) for short, known in SHORTEST if type(known) is type(event))
    for length in range(least, len(form)):
        read = plain(encode(decode(encode(form[:length]))))
        assert read[:length] == form[:length]
        assert len(read) == len(form)


@pytest.mark.parametrize(("event", "form"), STORED, ids=lambda value: type(value).__name__)
def test_a_newer_log_with_more_fields_is_read(event: AnyEvent, form: Form) -> None:
    """An older node ignores fields that a newer node has written."""
    assert decode(encode([*form, "new", 1])) == event
