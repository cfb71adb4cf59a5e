"""Answers lines: one JSON object in, one out, until the input ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal

LONGEST_LINE = 1 << 20

R = TypeVar("R")

_encode = msgspec.json.Encoder().encode


def serve(source: BinaryIO, sink: BinaryIO, request: type[R], answer: Callable[[R], Any]) -> None:
    """Answer every line of `source`. What is wrong with a line is said in its answer, and the next one is served."""
    while line := source.readline(LONGEST_LINE):
        if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            while (rest := source.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            line = b""
        sink.write(answer_line(line, request, answer) + b"\n")
        sink.flush()


def answer_line(line: bytes, request: type[R], answer: Callable[[R], Any]) -> bytes:
    """The answer to one line, whatever it holds."""
    try:
        return _encode(answer(_request(line, request)))
    except Refusal as refusal:
        return _encode({"error": {"code": refusal.code, "message": refusal.sentence}})


def _request(line: bytes, request: type[R]) -> R:
    try:
        return msgspec.json.decode(line, type=request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        sentence = f"A line must be one JSON object of at most {LONGEST_LINE >> 20} MiB with a game: {fault}."
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from fault
