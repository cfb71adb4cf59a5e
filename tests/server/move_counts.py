"""Counts what a node does for one piece of work: Python calls, encodings, and writes to clients.

Unlike times, these numbers are the same on every machine.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

import parlour.protocol
import parlour.server

SERVER = str(Path(parlour.server.__file__).parent)
PROTOCOL = str(Path(parlour.protocol.__file__).parent)
ENCODERS = (msgspec.msgpack.Encoder, msgspec.json.Encoder)


class Piece:
    """Work that the event loop started by calling one function of the server."""

    def __init__(self, started_by: str) -> None:
        self.started_by = started_by
        self.called: Counter[str] = Counter()  # functions of the server and of the protocol
        self.encoded = 0  # values turned into MessagePack or JSON
        self.writes = 0  # to sockets of clients


class Counts:
    """All pieces of work, in order."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self._depth = 0  # of server frames on the stack

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        file = frame.f_code.co_filename
        if event == "c_call" and self._depth:
            if arg is os.write:
                self.pieces[-1].writes += 1
            elif isinstance(getattr(arg, "__self__", None), ENCODERS):
                self.pieces[-1].encoded += 1
        elif event == "call":
            is_server = file.startswith(SERVER)
            if is_server and self._depth == 0:
                self.pieces.append(Piece(frame.f_code.co_qualname))
            self._depth += is_server
            if is_server or (self._depth and file.startswith(PROTOCOL)):
                self.pieces[-1].called[frame.f_code.co_qualname] += 1
        elif event == "return" and file.startswith(SERVER):
            self._depth = max(0, self._depth - 1)

    def of(self, started_by: str, through: str) -> Piece:
        """Return the only piece of work that started with one function and called another."""
        (found,) = [piece for piece in self.pieces if piece.started_by == started_by and through in piece.called]
        return found


@contextmanager
def counted() -> Iterator[Counts]:
    """Count what happens on this thread meanwhile."""
    counts = Counts()
    sys.setprofile(counts.profile)
    try:
        yield counts
    finally:
        sys.setprofile(None)
