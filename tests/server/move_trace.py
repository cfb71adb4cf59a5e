"""Records which files of the server a piece of work enters."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import parlour.server

SERVER = Path(parlour.server.__file__).parent


class Trace:
    """The work that the event loop started, each piece as the files it entered, in the order of the first entry."""

    def __init__(self) -> None:
        self.work: list[list[str]] = []
        self._depth = 0  # of server frames on the stack

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if not file.startswith(str(SERVER)):
            return
        if event == "call":
            if self._depth == 0:
                self.work.append([])
            self._depth += 1
            name = Path(file).relative_to(SERVER).as_posix()
            if name not in self.work[-1]:
                self.work[-1].append(name)
        elif event == "return":
            self._depth = max(0, self._depth - 1)

    def started_in(self, file: str, through: str) -> list[str]:
        """Return the files of the only piece of work that started in one file and went through another."""
        (found,) = [files for files in self.work if files[0] == file and through in files]
        return found


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    sys.setprofile(trace.profile)
    try:
        yield trace
    finally:
        sys.setprofile(None)
