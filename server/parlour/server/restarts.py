"""When to restart a process that has exited by itself."""

from __future__ import annotations

import random
import signal

# Seconds between attempts: none before the first one, then doubled each time, with jitter.
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
STABLE_AFTER = 30.0  # seconds; a process that exits earlier is restarted only after a pause

SIGNALS = {number.value: number.name for number in signal.Signals}  # without the real-time ones, which have no names


class Restarts:
    """The pauses before the restarts of one process, none of them longer than `longest` seconds."""

    def __init__(self, rng: random.Random | None = None, *, longest: float = LONGEST_PAUSE) -> None:
        self._rng = rng or random.Random()
        self._longest = longest
        self._pause = 0.0

    def pause(self, ran: float) -> float:
        """Return the seconds to wait before the process is restarted, given how long it ran."""
        if ran > STABLE_AFTER:
            self._pause = 0.0
        chosen = self._pause * self._rng.uniform(0.5, 1.0)
        self._pause = min(max(2 * self._pause, FIRST_PAUSE), self._longest)
        return chosen


def how_it_ended(code: int) -> str:
    """Return what an exit code means, as a verb: "was killed by SIGKILL"."""
    return f"was killed by {SIGNALS.get(-code, f'signal {-code}')}" if code < 0 else f"exited with code {code}"
