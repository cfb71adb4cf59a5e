"""A question that has to be answered before anything else is done."""

from __future__ import annotations

from typing import NamedTuple

# A question is confirmed only by a key that was typed this long after it appeared, and so not by keys that were already
# on their way: pasted text, or what a slow connection delivers all at once.
PAUSE = 0.4  # seconds

YES = ("y", "Y")


class Question(NamedTuple):
    """While it is open, it takes every key."""

    text: str
    asked: float  # when it appeared

    def is_ready(self, now: float) -> bool:
        """Whether a key typed now can confirm it."""
        return now >= self.asked + PAUSE

    def answer(self, key: str, character: str | None, typed: float) -> bool | None:
        """Return what a key means: yes, no, or None if it is no answer.

        Only a deliberate yes confirms. Enter does nothing, and every other key means no.
        """
        if key == "enter" or (character in YES and not self.is_ready(typed)):
            return None
        return character in YES

    def hints(self, now: float) -> list[str]:
        """Return the keys that answer it."""
        return ["y yes" if self.is_ready(now) else "...", "n no"]
