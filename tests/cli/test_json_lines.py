"""JSON Lines in and out: no invalid line stops the service."""

from __future__ import annotations

from io import BytesIO

import msgspec
from msgspec import Struct

from parlour.cli.json_lines import MAX_LINE, serve
from parlour.protocol.errors import ErrorCode, Refusal


class Sum(Struct):
    game: str
    numbers: list[int]


def add(request: Sum) -> dict[str, int]:
    if not request.numbers:
        raise Refusal(ErrorCode.OPTION_INVALID, "Give some numbers.")
    return {"sum": sum(request.numbers)}


def served(*lines: bytes) -> list[dict[str, object]]:
    sink = BytesIO()
    serve(BytesIO(b"".join(line + b"\n" for line in lines)), sink, Sum, add)
    return [msgspec.json.decode(line) for line in sink.getvalue().splitlines()]


def test_every_line_is_answered_in_order() -> None:
    """Refused and malformed lines are answered in their place."""
    first, refused, broken, last = served(
        b'{"game": "x", "numbers": [1, 2]}', b'{"game": "x", "numbers": []}', b"{", b'{"game": "x", "numbers": [7]}'
    )

    assert first == {"sum": 3}
    assert refused == {"error": {"code": "option_invalid", "message": "Give some numbers."}}
    assert isinstance(broken["error"], dict)
    assert broken["error"]["code"] == "request_malformed"
    assert last == {"sum": 7}


def test_a_line_that_is_too_long() -> None:
    """It is refused once, and the next line is answered."""
    long, last = served(b" " * (MAX_LINE + 10), b'{"game": "x", "numbers": [1]}')

    assert "error" in long
    assert last == {"sum": 1}
