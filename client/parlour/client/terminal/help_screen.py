"""All keys, on `?`."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from parlour.client.terminal.page import Page

HELP = """\
At the table
  arrows, Home, End, PgUp, PgDn   move over the board
  e 5                             go to that cell; digits alone choose a number or a bar
  Tab, Shift+Tab                  next and previous thing that may be chosen
  Enter, Space, mouse             choose; the last choice of a turn plays it
  Backspace, Esc                  take the last choice back, step by step
  : or /                          type a whole turn, or several choices: e7-d6, or e7 d6
  V    look back at the game      F    turn the board
  H    hint (casual games)        C    say something
  D    offer a draw               T    ask to take your last turn back
  R    rematch, when it is over   Y N  accept or decline what was offered
  Q Q  resign                     A A  call the game off, before both have moved
  W    claim the win, if the opponent is gone for long
  L    the rules of this game     q    leave; your seat is kept

What the board shows
  ( ) light pieces   < > dark pieces   [ ] may be chosen   { } chosen
  ^^^ may be chosen  === chosen        --- last move       ~~~ turned over

Looking back
  Left, Right   one move     Home, End   first, last     digits, Enter   go to a move
  Space         play by itself           A   what the computer thinks   S   save

Everywhere
  q   back to where you came from, and at last out     ?   this page
"""


class HelpScreen(Page):
    """Keys in words. Any key leaves it."""

    title_words = "Keys"
    keys = "q back"
    ways_out = ("q", "escape", "question_mark", "enter")

    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(HELP, markup=False, id="help")
