"""The keys, shown with `?`."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour.terminal.full_screen.key_map import TABLE_KEYS, KeyMap
from parlour.terminal.full_screen.page import Page

WIDTH = 55  # columns: what 60 leave beside the margin and the scroll bar

ON_THE_BOARD = """\
On the board
  arrows  move; so do Home, End, PgUp and PgDn
  e 5     go to e5
  3       a number or a bar to choose
  mouse   choose; wheel: scroll the chat
"""
MORE = """\
What the board shows
  ( ) light pieces     < > dark pieces
  [ ] can be chosen    { } chosen
  ^^^ can be chosen    === chosen
  --- last move        ~~~ flipped

Replay
  Left, Right    one move
  Up, Down       ten moves
  Home, End      first and last
  digits, Enter  go to a move
  Space          play by itself
  A, R           assess this position, review all moves
  F              rotate the board
  S              save

Lesson
  H              hint, then move
  N, P           next, previous step

Everywhere
  q              back; on the start screen: quit
  Ctrl+P         find a command by name
  Ctrl+Z         suspend; fg brings it back
  ?              this page

The setting "keys" in the settings file gives an action
at the table other keys:
{"resign": "X", "chat": "ctrl+t"}
"""


def help_text(keys: KeyMap) -> str:
    """Return the page. It has no line longer than `WIDTH`."""
    rows = [f"  {keys.shown(action):5} {key.help}" for action, key in TABLE_KEYS.items()]
    return "\n".join((ON_THE_BOARD, "At the table", *rows, "", MORE))


class HelpScreen(Page):
    """A page of text."""

    title_text = "Keys"
    keys = "Up/Down PgUp/PgDn read  q back"
    exit_keys = ("q", "escape", "question_mark", "enter")
    CSS = "#help { margin: 0 2; }"

    def __init__(self, keys: KeyMap | None = None) -> None:
        super().__init__()
        self._keys = keys

    def body(self) -> ComposeResult:
        keys = self._keys or KeyMap(self.parlour_app.settings.keys)
        with VerticalScroll(id="scroll"):
            yield Static(help_text(keys), markup=False, id="help")

    def on_mount(self) -> None:
        self.query_one("#scroll").focus()
