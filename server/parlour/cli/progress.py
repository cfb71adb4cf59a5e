"""Progress of a long computation: a bar on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Self, TextIO

WIDTH = 30
LINE_INTERVAL = 15.0  # seconds between lines where there is no terminal


class Progress:
    """A context manager; call `step` after each of `total` steps."""

    def __init__(self, total: int, sink: TextIO | None = None) -> None:
        self._total = total
        self._sink = sink = sink or sys.stderr
        self._done = 0
        self._is_terminal = sink.isatty()
        self._started = self._last_line = monotonic()

    def __enter__(self) -> Self:
        self._show("")
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._sink.write("\r\x1b[K")
            self._sink.flush()

    def step(self, note: str = "") -> None:
        """Count one more step."""
        self._done += 1
        self._show(note)

    def _show(self, note: str) -> None:
        now = monotonic()
        if self._is_terminal:
            filled = WIDTH * self._done // max(1, self._total)
            bar = "█" * filled + "·" * (WIDTH - filled)
            self._sink.write(f"\r\x1b[K{bar} {self._done}/{self._total}{self._remaining(now)} {note}")
            self._sink.flush()
        elif now - self._last_line >= LINE_INTERVAL:
            self._last_line = now
            self._sink.write(f"{self._done} of {self._total} done{self._remaining(now)} {note}\n")
            self._sink.flush()

    def _remaining(self, now: float) -> str:
        if not self._done or self._done >= self._total:
            return ""
        seconds = (now - self._started) / self._done * (self._total - self._done)
        return f", {seconds / 60:.0f} min left" if seconds >= 90 else f", {seconds:.0f} s left"
