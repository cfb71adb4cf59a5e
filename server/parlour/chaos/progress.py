"""How a run is going: one line that is rewritten on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from msgspec import Struct

LINE_EVERY = 5.0  # seconds between lines where there is no terminal


class Status(Struct, frozen=True):
    """How far a run is."""

    elapsed: float  # seconds
    phase: str  # the current faults, or what is being done
    running: int = 0  # games
    finished: int = 0  # games
    commands: int = 0  # acknowledged
    reconnects: int = 0
    violations: int = 0  # those that are known already

    def __str__(self) -> str:
        minutes, seconds = divmod(int(self.elapsed), 60)
        return (
            f"{minutes}:{seconds:02}  {self.running} games, {self.finished} finished, {self.commands} commands, "
            f"{self.reconnects} reconnects, {self.violations} violations  {self.phase}"
        )


class Display:
    """Shows the status of a run."""

    def __init__(self, sink: TextIO | None = None) -> None:
        """`sink` is standard error by default."""
        self._sink = sys.stderr if sink is None else sink
        self._is_terminal = self._sink.isatty()
        self._next_line = 0.0

    def show(self, status: Status) -> None:
        """Show the status, if it is time to."""
        if self._is_terminal:
            width = shutil.get_terminal_size().columns - 1  # a line that wraps could not be rewritten
            self._sink.write(f"\r\x1b[K{str(status)[:width]}")
            self._sink.flush()
        elif status.elapsed >= self._next_line:
            self._next_line = status.elapsed + LINE_EVERY
            self._sink.write(f"{status}\n")
            self._sink.flush()

    def clear(self) -> None:
        """Remove the line, for what is printed next."""
        if self._is_terminal:
            self._sink.write("\r\x1b[K")
            self._sink.flush()
