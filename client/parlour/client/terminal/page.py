"""The frame of every screen: a title with the state of the connection, a status sentence, and a line of keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.css.query import NoMatches
from textual.messages import Prune
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from parlour.client.drawing import Style
from parlour.protocol.errors import Refusal

if TYPE_CHECKING:
    from parlour.client.client import Client
    from parlour.client.terminal.app import ParlourApp
    from parlour.client.ui.player_session import PlayerSession

STATES = {
    "connecting": "connecting",
    "connected": "connected",
    "reconnecting": "connection lost, reconnecting",
    "ended": "connection ended",
}
MIN_WIDTH, MIN_HEIGHT = 80, 24

Action = Callable[[], Awaitable[object]]


class Page(Screen[None]):
    """A screen. Subclasses implement `body`, set `title_text` and `keys`, and show sentences with `say`."""

    AUTO_FOCUS = ""  # each screen focuses what it needs
    title_text = ""
    keys = ""
    exit_keys: tuple[str, ...] = ()  # keys that close the screen

    DEFAULT_CSS = """
    Page { layout: vertical; background: #171513; color: #f1eadd; }
    Page > #title { height: 1; width: 1fr; background: #2b2621; color: #f1eadd; padding: 0 1; }
    Page > #sentence { height: auto; max-height: 2; width: 1fr; padding: 0 1; color: #7fe3cb; }
    Page > #keys { height: 1; width: 1fr; padding: 0 1; color: #b9ae9c; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._removed = False  # its widgets are removed, or about to be

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield from self.body()
        yield Static(id="sentence", markup=False)
        yield Static(self.keys, id="keys", markup=False)

    def body(self) -> ComposeResult:
        yield from ()

    @property
    def parlour_app(self) -> ParlourApp:
        from parlour.client.terminal.app import ParlourApp  # noqa: PLC0415  # the modules import each other

        assert isinstance(self.app, ParlourApp)
        return self.app

    @property
    def session(self) -> PlayerSession:
        return self.parlour_app.session

    @property
    def client(self) -> Client:
        return self.session.client

    @property
    def style_(self) -> Style:
        return self.parlour_app.drawing

    def on_mount(self) -> None:
        self.set_class(not self.style_.unicode, "ascii")
        self.show_title()

    def on_screen_resume(self) -> None:
        self.show_title()

    def on_resize(self) -> None:
        self.show_title()

    def show_title(self) -> None:
        """Show the title, with the state of the connection on the right."""
        state = self.client.state
        sign = ("●" if self.style_.unicode else "o") if state == "connected" else ("○" if self.style_.unicode else ".")
        bar = "│" if self.style_.unicode else "|"
        width = max(0, self.size.width - 2)
        right = f"{sign} {self.style_.legible(self.client.problem) or STATES[state]}"[:width]
        left = self.style_.legible(f"Parlour {bar} {self.title_text}")
        room = max(0, width - len(right) - 1)
        self._set("#title", f"{left[:room]:{room}} {right}")

    def say(self, sentence: str) -> None:
        """Show a status sentence. A long one takes the line of keys as well."""
        words = self.style_.legible(sentence)
        self._set("#sentence", words)
        for keys in self.query("#keys"):
            keys.display = len(words) <= self.size.width - 2

    def show_keys(self, keys: str) -> None:
        self._set("#keys", keys)

    def _set(self, selector: str, text: str) -> None:
        try:
            self.query_one(selector, Static).update(Content(text))
        except NoMatches:
            return  # not mounted yet, or already removed

    def attempt(self, action: Action, *, group: str = "") -> None:
        """Run an action that the server may refuse, and show its refusal. Closing the screen cancels the action.

        A new action of the same `group` cancels the previous one.
        """
        if not self._removed:
            work = partial(self._attempt, action)
            _: Worker[None] = self.run_worker(work, group=group or "default", exclusive=bool(group))

    async def _attempt(self, action: Action) -> None:
        try:
            await action()
        except (Refusal, ConnectionError) as refused:
            self.refused(str(refused))

    def refused(self, sentence: str) -> None:
        self.say(sentence)

    # -- closing

    def on_key(self, event: events.Key) -> None:
        if event.key in self.exit_keys:
            event.stop()
            self.dismiss()

    @property
    def is_open(self) -> bool:
        """Whether the widgets exist: the screen is mounted and not being closed."""
        return self.is_mounted and not self._removed

    @on(Prune)
    def _cancel_actions(self) -> None:
        # Textual cancels workers only after it has removed the widgets that they write to.
        self._removed = True
        self.workers.cancel_node(self)
