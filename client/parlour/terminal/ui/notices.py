"""Transient notices: sentences about something that just happened, which disappear by themselves."""

from __future__ import annotations

from msgspec import Struct

LIFETIME = 8.0  # seconds


class Notices(Struct):
    """The latest notice. It is shown beside the status of the table and never replaces it."""

    text: str = ""
    _until: float = 0.0

    def add(self, text: str, now: float) -> None:
        """Show a sentence from now on, in place of an earlier one. An empty sentence changes nothing."""
        if text:
            self.text, self._until = text, now + LIFETIME

    def current(self, now: float) -> str:
        """Return the notice that is still to be shown, or nothing."""
        if now >= self._until:
            self.text = ""
        return self.text

    def clear(self) -> None:
        self.text = ""
