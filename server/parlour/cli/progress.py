"""How far something long has come: a bar in a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from typing import Self, TextIO

WIDTH = 30
EVERY = 15.0  # seconds between two lines where there is no terminal


class Progress:
    """Use it as a context manager; call `step` after each piece."""

    def __init__(self, total: int, sink: TextIO = sys.stderr) -> None:
        self._total = total
        self._sink = sink
        self._done = 0
        self._is_terminal = sink.isatty()
        self._began = self._told = monotonic()

    def __enter__(self) -> Self:
        self._show("")
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal:
            self._sink.write("\r\x1b[K")
            self._sink.flush()

    def step(self, note: str = "") -> None:
        """One piece more is done."""
        self._done += 1
        self._show(note)

    def _show(self, note: str) -> None:
        now = monotonic()
        if self._is_terminal:
            filled = WIDTH * self._done // max(1, self._total)
            bar = "█" * filled + "·" * (WIDTH - filled)
            self._sink.write(f"\r\x1b[K{bar} {self._done}/{self._total}{self._left(now)} {note}")
            self._sink.flush()
        elif now - self._told >= EVERY:
            self._told = now
            self._sink.write(f"{self._done} of {self._total} done{self._left(now)} {note}\n")
            self._sink.flush()

    def _left(self, now: float) -> str:
        if not self._done or self._done >= self._total:
            return ""
        seconds = (now - self._began) / self._done * (self._total - self._done)
        return f", {seconds / 60:.0f} min left" if seconds >= 90 else f", {seconds:.0f} s left"
