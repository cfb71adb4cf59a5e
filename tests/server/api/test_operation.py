"""Reading the input of a request."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import ListGames, Play, Resign
from parlour.server.api.operation import Operation, status_of
from parlour.server.api.operations import OPERATIONS
from parlour.server.api.replies import Picture

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def operation(name: str) -> Operation:
    return BY_NAME[name]


def test_a_command_is_read_from_the_path_and_the_body() -> None:
    """With an id of its own; 3.0 is the number 3."""
    body = b'{"ply": 3.0, "move": "a1"}'
    assert operation("play").read({"room": "a%20b"}, "", body, 7) == Play(id=7, room="a b", ply=3, move="a1")
    assert operation("resign").read({"room": "r"}, "", b"", 8) == Resign(id=8, room="r")


def test_a_query_is_read_as_numbers_and_lists() -> None:
    """A parameter is a list only where one is expected."""
    assert operation("searchRecords").read({}, "player=A%20B&min_plies=5", b"", 0) == ListGames(
        id=0, player="A B", min_plies=5
    )
    assert operation("drawSvg").read({"game": "g"}, "moves=a&moves=b", b"", 0) == Picture("g", moves=("a", "b"))


@pytest.mark.parametrize(
    ("name", "path", "query", "body", "told"),
    [
        ("play", {"room": "r"}, "", b'{"ply": 0, "mvoe": "a1"}', "“mvoe”"),
        ("play", {"room": "r"}, "", b'{"ply": 0, "id": 1}', "“id”"),
        ("play", {"room": "r"}, "", b"[]", "JSON object"),
        ("play", {"room": "r"}, "", b"{", "JSON object"),
        ("play", {"room": "r"}, "", b"{}", "`ply`"),
        ("play", {"room": "r" * 25}, "", b'{"ply": 0}', "room"),
        ("play", {"room": "r"}, "ply=0", b"{}", "use the body"),
        ("resign", {"room": "r"}, "", b"{}", "no body"),
        ("searchRecords", {}, "player=a&player=b", b"", "once"),
        ("searchRecords", {}, "since=null", b"", "null"),
        ("searchRecords", {}, "since=-1", b"", "since"),
        ("listTournaments", {}, "", b"", "Give `status`: finished, open, running."),
        ("getPlayer", {"name": "%ff"}, "", b"", "UTF-8"),
    ],
)  # fmt: skip
def test_other_input_is_malformed(name: str, path: dict[str, str], query: str, body: bytes, told: str) -> None:
    """The sentence names what is wrong."""
    with pytest.raises(Refusal) as refused:
        operation(name).read(path, query, body, 0)
    assert refused.value.code == ErrorCode.REQUEST_MALFORMED
    assert told in refused.value.sentence


def test_every_code_has_a_status() -> None:
    """What is malformed is told from what is impossible, and limits are 429."""
    assert status_of(ErrorCode.REQUEST_MALFORMED) == 400
    assert status_of(ErrorCode.MOVE_ILLEGAL) == 422
    assert {status_of(code) for code in ErrorCode if code.value.startswith("too_many_")} == {429}
    assert all(400 <= status_of(code) < 600 for code in ErrorCode)
