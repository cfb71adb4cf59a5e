"""What all screens have in common: a title line with the state of the connection, a sentence, and a line of keys."""

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
    from parlour.client.terminal.app import ParlourApp
    from parlour.client.visit.visit import Visit

STATES = {
    "connecting": "connecting",
    "connected": "connected",
    "reconnecting": "connection lost, trying again",
    "ended": "connection ended",
}
NARROWEST, LOWEST = 80, 24

Act = Callable[[], Awaitable[object]]


class Page(Screen[None]):
    """A screen of the client. Subclasses give the `body`, set `title_words` and `keys`, and say things with `say`."""

    AUTO_FOCUS = ""  # each screen knows best
    title_words = ""
    keys = ""
    ways_out: tuple[str, ...] = ()  # keys that lead back to where one came from

    DEFAULT_CSS = """
    Page { layout: vertical; background: #171513; color: #f1eadd; }
    Page > #title { height: 1; width: 1fr; background: #2b2621; color: #f1eadd; padding: 0 1; }
    Page > #sentence { height: auto; max-height: 2; width: 1fr; padding: 0 1; color: #7fe3cb; }
    Page > #keys { height: 1; width: 1fr; padding: 0 1; color: #b9ae9c; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._left = False  # from when its widgets begin to go

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield from self.body()
        yield Static(id="sentence", markup=False)
        yield Static(self.keys, id="keys", markup=False)

    def body(self) -> ComposeResult:
        yield from ()

    @property
    def parlour_app(self) -> ParlourApp:
        from parlour.client.terminal.app import ParlourApp  # noqa: PLC0415  # each knows the other

        assert isinstance(self.app, ParlourApp)
        return self.app

    @property
    def visit(self) -> Visit:
        return self.parlour_app.visit

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
        """The title, with what the connection is like at the right."""
        state = self.visit.parlour.state
        sign = ("●" if self.style_.unicode else "o") if state == "connected" else ("○" if self.style_.unicode else ".")
        bar = "│" if self.style_.unicode else "|"
        right = f"{sign} {STATES[state]}"
        left = self.style_.legible(f"Parlour {bar} {self.title_words}")
        room = max(0, self.size.width - 2 - len(right) - 1)
        self._set("#title", f"{left[:room]:{room}} {right}")

    def say(self, sentence: str) -> None:
        """Tell something, at the place where the eye looks for it. A long sentence takes the line of keys as well."""
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
            return  # not there yet, or not any more

    def attempt(self, act: Act, *, group: str = "") -> None:
        """Do something that the server may refuse; its sentence is shown then. It ends when the screen is left.

        Of the acts of one `group` only the last goes on.
        """
        if not self._left:
            work = partial(self._attempt, act)
            _: Worker[None] = self.run_worker(work, group=group or "default", exclusive=bool(group))

    async def _attempt(self, act: Act) -> None:
        try:
            await act()
        except (Refusal, ConnectionError) as refused:
            self.refused(str(refused))

    def refused(self, sentence: str) -> None:
        self.say(sentence)

    # -- leaving

    def on_key(self, event: events.Key) -> None:
        if event.key in self.ways_out:
            event.stop()
            self.dismiss()

    @property
    def is_open(self) -> bool:
        """Whether its widgets are there: not before it is mounted, and not while it is being left."""
        return self.is_mounted and not self._left

    @on(Prune)
    def _stop_waiting(self) -> None:
        # Textual itself ends what a screen waits for only after the widgets are gone that the answer is written to.
        self._left = True
        self.workers.cancel_node(self)
