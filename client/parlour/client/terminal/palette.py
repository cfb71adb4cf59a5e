"""The command palette."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.timer import Timer, TimerCallback


class Palette(CommandPalette):
    """Textual's palette. Its own may say "No matches found" after it was closed, and the program then fails."""

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        def run_while_open() -> object:
            return callback() if callback is not None and self in self.app.screen_stack else None

        return super().set_timer(delay, run_while_open, name=name, pause=pause)
