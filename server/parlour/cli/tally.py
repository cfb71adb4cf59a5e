"""Progress of work whose amount is not known in advance: an occasional line, and a summary."""

from __future__ import annotations

import sys
from collections import Counter
from time import monotonic
from typing import TextIO

LINE_INTERVAL = 5.0  # seconds

NOUNS = {"rating_history": "rating changes"}  # for kinds whose name is not a plural


class Tally:
    """Counts things by kind. Call it with the kind of each."""

    def __init__(self, verb: str = "", sink: TextIO | None = None, interval: float = LINE_INTERVAL) -> None:
        """`verb` says what was done, such as “written”; without it, the kinds do.

        `interval` is in seconds.
        """
        self._verb = verb
        self._sink = sys.stderr if sink is None else sink
        self._interval = interval
        self._last_line = monotonic()
        self.counts: Counter[str] = Counter()

    def __call__(self, kind: str) -> None:
        self.counts[kind] += 1
        if monotonic() - self._last_line >= self._interval:
            self._last_line = monotonic()
            self._print(f"{self}…")

    def finish(self, sentence: str = "") -> None:
        """Print the summary, followed by a sentence."""
        self._print(f"{self}. {sentence}".rstrip())

    def __str__(self) -> str:
        parts = (f"{count} {_noun(kind, count)}" for kind, count in self.counts.items())
        return f"{', '.join(parts) or 'nothing'} {self._verb}".rstrip()

    def _print(self, line: str) -> None:
        print(f"parlour: {line}", file=self._sink, flush=True)


def _noun(kind: str, count: int) -> str:
    plural = NOUNS.get(kind, kind.replace("_", " "))
    return plural.removesuffix("s") if count == 1 else plural
