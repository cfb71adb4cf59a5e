"""The frame of every screen: a title with the state of the connection, a status sentence, and a line of keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.css.query import NoMatches
from textual.messages import Prune
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from parlour.protocol.errors import Refusal
from parlour.terminal.drawing import Style
from parlour.terminal.full_screen.key_map import fit
from parlour.terminal.full_screen.line_editor import LineEditor

if TYPE_CHECKING:
    from parlour.client.client import Client
    from parlour.terminal.full_screen.app import ParlourApp
    from parlour.terminal.ui.player_session import PlayerSession

STATES = {
    "connecting": "connecting",
    "connected": "connected",
    "reconnecting": "connection lost, reconnecting",
    "ended": "connection ended",
}

Action = Callable[[], Awaitable[object]]


class Page(Screen[None]):
    """A screen. Subclasses implement `body`, set `title_text` and `keys`, and show sentences with `say`.

    A line of text is typed in the place of the keys. While it is open, `handles_line` takes every key.
    """

    AUTO_FOCUS = ""  # each screen focuses what it needs
    title_text = ""
    keys = ""  # with two spaces between the keys; the last two stay where not all fit
    exit_keys: tuple[str, ...] = ()  # keys that close the screen

    DEFAULT_CSS = """
    Page { layout: vertical; background: $background; color: $foreground; }
    Page > #title { height: 1; width: 1fr; background: $surface; padding: 0 1; }
    Page > #notice { display: none; height: auto; max-height: 2; width: 1fr; padding: 0 1; color: $warning; }
    Page > #sentence { height: auto; max-height: 2; width: 1fr; padding: 0 1; color: $accent; text-style: bold; }
    Page > #keys { height: 1; width: 1fr; padding: 0 1; color: $secondary; }
    Page > #keys.line { background: $surface; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._removed = False  # its widgets are removed, or about to be
        self._busy = False  # an action that must not be started twice is under way
        self._line: LineEditor | None = None
        self._on_submit: Callable[[str], None] = lambda _: None
        self._hints: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield from self.body()
        yield Static(id="notice", markup=False)
        yield Static(id="sentence", markup=False)
        yield Static(id="keys", markup=False)

    def body(self) -> ComposeResult:
        yield from ()

    @property
    def parlour_app(self) -> ParlourApp:
        from parlour.terminal.full_screen.app import ParlourApp  # noqa: PLC0415  # the modules import each other

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
        self.show_keys()

    def on_screen_resume(self) -> None:
        self.set_class(not self.style_.unicode, "ascii")
        self.show_title()
        self.parlour_app.show_terminal_title()

    def on_resize(self) -> None:
        self.show_title()
        self.show_keys(self._hints)

    # -- what the frame shows

    def show_title(self) -> None:
        """Show the title, with the state of the connection on the right."""
        state = self.client.state
        sign = ("●" if self.style_.unicode else "o") if state == "connected" else ("○" if self.style_.unicode else ".")
        bar = "│" if self.style_.unicode else "|"
        width = max(0, self.size.width - 2)
        left = self.style_.legible(f"Parlour {bar} {self.title_text}")
        sentence, stop, _ = self.style_.legible(self.client.problem).partition(". ")  # no room for the remedy
        problem = f"{sentence}{stop.rstrip()}"
        place = self.parlour_app.server_label(STATES[state])
        if len(left) + len(place) + 4 > width:
            place = place.partition(" to ")[0]  # the title is more important than the name of the server
        right = f"{sign} {problem or place}"[:width]
        room = max(0, width - len(right) - 1)
        left = left if len(left) <= room else f"{left[: max(0, room - 1)]}~"
        self._set("#title", f"{left:{room}} {right}")

    def say(self, sentence: str) -> None:
        """Show a status sentence."""
        self._set("#sentence", self.style_.legible(sentence))

    def show_keys(self, hints: Sequence[str] = (), always: int = 2) -> None:
        """Show as many keys as there is room for, or the line that is being typed."""
        self._hints = hints or self.keys.split("  ")
        line = self.open_line
        for keys in self.query("#keys").results(Static):
            keys.set_class(line is not None, "line")
        if line is None:
            self._set("#keys", fit(self._hints, self.size.width - 2, always))
        else:
            self._show_line(line)

    def _show_line(self, line: LineEditor) -> None:
        title = f"{line.title}: "
        before, at, after, completion = line.window(self.size.width - 2 - len(title))
        shown = Text.assemble((title, "bold"), before, (at, "reverse"), after, (completion, "dim"))
        if not line.text:
            shown.append(f" {line.hint}", "dim")
        shown.truncate(max(1, self.size.width - 2))
        self._set("#keys", Content.from_rich_text(shown))

    def _set(self, selector: str, text: str | Content) -> None:
        try:
            self.query_one(selector, Static).update(text if isinstance(text, Content) else Content(text))
        except NoMatches:
            return  # not mounted yet, or already removed

    # -- a line of text

    @property
    def open_line(self) -> LineEditor | None:
        """The line that is being typed, if there is one."""
        return self._line

    def ask_line(self, line: LineEditor, submit: Callable[[str], None]) -> None:
        """Open a line. From this moment on it takes every key, until Enter passes its text on or Esc closes it."""
        self._line, self._on_submit = line, submit
        self.show_keys(self._hints)

    def handles_line(self, event: events.Key) -> bool:
        """Let the open line handle a key. Return False if there is none."""
        line = self._line
        if line is None:
            return False
        event.stop()
        event.prevent_default()
        if event.key in ("escape", "enter"):
            self._line = None
        else:
            line.press(event.key, event.character)
        self.show_keys(self._hints)
        if event.key == "enter":
            self._on_submit(line.text.strip())
        return True

    def on_paste(self, event: events.Paste) -> None:
        if self._line is not None:
            self._line.insert(event.text)
            self.show_keys(self._hints)

    # -- actions

    @property
    def is_on_top(self) -> bool:
        """Whether this is the screen that takes keys. Textual's `is_current` is also true for the one below it."""
        return bool(self.app.screen_stack) and self.app.screen is self

    async def on_event(self, event: events.Event) -> None:
        """Drop keys that were already on their way here when another screen took its place.

        A screen that was closed before it was mounted is not mounted: its widgets are gone.
        """
        if isinstance(event, events.Key) and not self.is_on_top:
            event.stop()
            return
        if isinstance(event, events.Mount) and self not in self.app.screen_stack:
            return
        await super().on_event(event)

    def attempt(self, action: Action, *, group: str = "") -> None:
        """Run an action that the server may refuse, and show its refusal. Closing the screen cancels the action.

        A new action of the same `group` cancels the previous one.
        """
        if not self._removed:
            work = partial(self._attempt, action)
            _: Worker[None] = self.run_worker(work, group=group or "default", exclusive=bool(group))

    def attempt_once(self, action: Action, meanwhile: str) -> None:
        """Run an action like `attempt`, but not while another one is under way: impatient keys do nothing more.

        `meanwhile`: what to say until the server has answered.
        """
        if not self._busy and self.is_on_top:
            self._busy = True
            self.say(meanwhile)
            self.attempt(partial(self._attempt_once, action))

    async def _attempt_once(self, action: Action) -> None:
        try:
            await action()
        finally:
            self._busy = False

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
