"""A JSON Lines service: for each line of input, one request, write one line of output, the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal

MAX_LINE = 1 << 20

R = TypeVar("R")

_encode = msgspec.json.Encoder().encode


def serve(source: BinaryIO, sink: BinaryIO, request: type[R], answer: Callable[[R], Any]) -> None:
    """Answer every line of `source`. An invalid line is answered with an error, and does not stop the service."""
    while line := source.readline(MAX_LINE):
        if not line.endswith(b"\n") and len(line) == MAX_LINE:
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            line = b""
        sink.write(answer_line(line, request, answer) + b"\n")
        sink.flush()


def answer_line(line: bytes, request: type[R], answer: Callable[[R], Any]) -> bytes:
    """Return the answer to one line, which may contain anything."""
    try:
        return _encode(answer(_request(line, request)))
    except Refusal as refusal:
        return _encode({"error": {"code": refusal.code, "message": refusal.sentence}})


def _request(line: bytes, request: type[R]) -> R:
    try:
        return msgspec.json.decode(line, type=request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        sentence = f"A line must be one JSON object of at most {MAX_LINE >> 20} MiB with a game: {error}."
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from error
