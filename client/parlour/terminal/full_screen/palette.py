"""The command palette."""

from __future__ import annotations

from textual import events, on
from textual.command import CommandList, CommandPalette
from textual.messages import Prune
from textual.timer import Timer, TimerCallback


class Palette(CommandPalette):
    """Textual's palette, without faults that end the program.

    Textual's own may go on searching, or say "No matches found", after it was closed, and its list takes keys before
    it is laid out.
    """

    def set_timer(
        self, delay: float, callback: TimerCallback | None = None, *, name: str | None = None, pause: bool = False
    ) -> Timer:
        def run_while_open() -> object:
            return callback() if callback is not None and self in self.app.screen_stack else None

        return super().set_timer(delay, run_while_open, name=name, pause=pause)

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)

    async def on_event(self, event: events.Event) -> None:
        """Do not mount a palette that was closed before: its list is gone, and the search would miss it."""
        if not isinstance(event, events.Mount) or self in self.app.screen_stack:
            await super().on_event(event)

    @on(Prune)
    def _stop_searching(self) -> None:
        # Textual cancels workers only after it has removed the widgets that they write to.
        self.workers.cancel_node(self)
