"""The keys, shown with `?`."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour.client.terminal.page import Page

HELP = """\
At the table
  arrows, Home, End, PgUp, PgDn   move over the board
  e 5                             go to e5; digits select a number or a bar
  Tab, Shift+Tab                  next and previous legal choice
  Enter, Space, mouse             choose; the last choice of a turn plays it
  Backspace, Esc                  undo the last choice
  : or /                          type a move or choices: e7-d6 or e7 d6
  V    replay the game            F    rotate the board
  H    hint (casual games)        C    chat
  D    offer a draw               T    ask to take back your last move
  R    rematch, after the game    Y N  accept or decline an offer
  Q Q  resign                     A A  abort, before both sides have moved
  W    claim the win if the opponent has been offline for long
  L    the rules of this game     q    leave; you keep your seat

What the board shows
  ( ) light pieces   < > dark pieces   [ ] can be chosen   { } chosen
  ^^^ can be chosen  === chosen        --- last move       ~~~ flipped

Replay
  Left, Right   one move          Home, End   first and last position
  digits, Enter go to a move      Space       play automatically
  A             assessment        S           save

Everywhere
  q   back, and from the start screen: quit            ?   this page
"""


class HelpScreen(Page):
    """A page of text."""

    title_text = "Keys"
    keys = "q back"
    exit_keys = ("q", "escape", "question_mark", "enter")

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(HELP, markup=False, id="help")
