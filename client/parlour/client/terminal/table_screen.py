"""A table: the board, the players, and the turn that is being chosen, by keys, mouse or typing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from parlour.client.drawing import draw, size_of
from parlour.client.table import Event, What
from parlour.client.terminal.cursor import Cursor, lies_above
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.page import LOWEST, NARROWEST, Page
from parlour.client.terminal.paint import Lines
from parlour.client.terminal.pane import pane
from parlour.client.visit.sitting import Sitting, completions
from parlour.client.words.table import (
    absence_words,
    assessment_words,
    event_words,
    guidance,
    offer_words,
    result_words,
)
from parlour.client.words.terms import terms_line
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Happened, Presence

TICK = 0.1  # seconds between two looks at the clocks

KEYS = "Arrows move  Tab next pick  Enter choose  Bksp back  : type  ? help  q leave"
KEYS_WAITING = "C chat  V look back  F turn board  D draw  T take back  Q resign  ? help  q leave"
KEYS_OVER = "R rematch  N new game  V look at the game  C chat  ? help  q leave"
KEYS_OFFER = "Y accept  N decline  ? help  q leave"
KEYS_FIRST = "1 I move first  2 They move first  ? help  q leave"
KEYS_WATCHING = "V look back  F turn board  C chat  ? help  q leave"


class TableScreen(Page):
    """One table, until it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "walk(1)", show=False),
        Binding("shift+tab", "walk(-1)", show=False),
        Binding("up", "go(0, 1)", show=False),
        Binding("down", "go(0, -1)", show=False),
        Binding("left", "go(-1, 0)", show=False),
        Binding("right", "go(1, 0)", show=False),
        Binding("home", "go(-99, 0)", show=False),
        Binding("end", "go(99, 0)", show=False),
        Binding("pageup", "go(0, 99)", show=False),
        Binding("pagedown", "go(0, -99)", show=False),
        Binding("enter", "choose", show=False),
        Binding("space", "choose", show=False),
        Binding("backspace", "back", show=False),
        Binding("escape", "back", show=False),
    ]
    CSS = """
    #table { height: 1fr; }
    #board { width: auto; height: 1fr; padding: 0 0 0 0; }
    #pane { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    #line { display: none; height: 1; border: none; padding: 0 1; background: #2b2621; }
    #line.open { display: block; }
    #small { display: none; height: 1fr; padding: 1 2; }
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self.cursor = Cursor(sitting.board)
        self.flipped = False
        self.notice = ""  # said until the next act
        self.line_is_for = ""  # what is typed below: a move, or a word to the others
        self._asking = ""  # what is done if the same key comes again
        self._presence_since = 0.0  # when it was told who is here
        self._keys: dict[str, Callable[[], None]] = {
            "colon": lambda: self._open_line("move"), "slash": lambda: self._open_line("move"),
            "C": lambda: self._open_line("talk"), "F": self._flip, "V": self._look_back, "H": self._hint,
            "D": lambda: self._offer("draw"), "T": lambda: self._offer("takeback"), "R": self._rematch,
            "Y": lambda: self._answer(True), "N": self._decline_or_new, "Q": lambda: self._ask_first("resign"),
            "A": lambda: self._ask_first("abort"), "W": lambda: self.attempt(self.sitting.table.claim),
            "L": self._rules, "question_mark": self._help, "q": self._leave,
        }  # fmt: skip

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            yield Lines(id="board")
            yield Lines(id="pane")
        yield Static("", id="small", markup=False)
        yield Input(id="line", compact=True)

    def on_mount(self) -> None:
        self.take(self.sitting)
        self.set_interval(TICK, self._tick)

    def take(self, sitting: Sitting) -> None:
        """Show this table from now on."""
        self.sitting = sitting
        sitting.on_change = self._next_step
        self.cursor = Cursor(sitting.board)
        self.title_words = terms_line(sitting.table.terms, sitting.card)
        if self.parlour_app.settings.own_side_below:
            self.flipped = lies_above(sitting.board, sitting.seat)
        self.attempt(self._follow, group="follow")
        self.show_title()
        self._next_step()

    async def _follow(self) -> None:
        await self.sitting.listen(self._heard)

    def _heard(self, event: Event) -> None:
        if isinstance(event, Presence):
            self._presence_since = monotonic()
        if isinstance(event, Happened):
            if event.what in ("declined", "withdrawn", "taken_back", "excused"):
                self.notice = event_words(self.sitting, event)
            if event.next is not None and self.sitting.is_player:
                self.attempt(self._to_rematch)
        if self.sitting.settle():
            if self.sitting.turn is not None and not self.sitting.is_shared and self.parlour_app.settings.bell:
                self.app.bell()
            self._next_step()
        else:
            self.redraw()

    async def _to_rematch(self) -> None:
        following = await self.sitting.follow()
        if following is not None:
            await self.sitting.leave()
            self.notice = "Another game begins. The sides have changed."
            self.take(following)

    # -- what is shown

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        table = self.sitting.table
        if not self.is_current:
            return
        if table.mirror.running is not None:
            self._draw_pane()
        if table.presence is not None and table.presence.claim_in:
            self.say(self._sentence())

    def _next_step(self) -> None:
        self.cursor.begin(self.sitting.offered)
        self.redraw()

    def redraw(self) -> None:
        if not self.is_open:
            return
        wide, high = self.size
        fits = wide >= NARROWEST and high >= min(LOWEST, size_of(self.sitting.board)[1] + 3)
        self.query_one("#table").display = fits
        small = self.query_one("#small", Static)
        small.display = not fits
        if not fits:
            words = f"This window has {wide} x {high} characters. The board needs {NARROWEST} x {LOWEST}."
            small.update(f"{words} Make it larger, or type moves with the key :")
        picks, focus = self.sitting.offered, self.cursor.place
        shown = draw(
            self.sitting.board, self.sitting.scene, style=self.style_, picks=picks, focus=focus, flipped=self.flipped
        )
        self.query_one("#board", Lines).show(shown)
        self._draw_pane()
        self.say(self._sentence())
        self.show_keys(self._key_line())

    def _draw_pane(self) -> None:
        width = max(24, self.size.width - size_of(self.sitting.board)[0] - 2)
        height = max(5, self.size.height - 3)
        shown = pane(
            self.sitting, self.sitting.scene, style=self.style_, width=width, height=height,
            picks=self.sitting.offered, focus=self.cursor.place,
        )  # fmt: skip
        self.query_one("#pane", Lines).show(shown)

    def _sentence(self) -> str:
        sitting = self.sitting
        if self.notice:
            return self.notice
        if sitting.table.result is not None:
            return result_words(sitting)
        if sitting.offers:
            return offer_words(sitting, sitting.offers[0], 1 - (sitting.table.seat or 0))
        if away := absence_words(sitting, int((monotonic() - self._presence_since) * 1000)):
            return f"{away} {guidance(sitting)}"
        pick = next((pick for pick in sitting.offered if pick.place == self.cursor.place), None)
        if pick is not None and len(pick.label) > 3:
            return f"{guidance(sitting)} {sitting.board.place_name(pick.place)}: {pick.label}."
        return guidance(sitting)

    def _key_line(self) -> str:
        sitting = self.sitting
        if sitting.table.result is not None:
            return KEYS_OVER
        if sitting.offers:
            return KEYS_OFFER
        if sitting.chooser is not None:
            return KEYS_FIRST
        if sitting.turn is not None:
            return KEYS
        return KEYS_WAITING if sitting.is_player else KEYS_WATCHING

    def refused(self, sentence: str) -> None:
        self.notice = sentence
        self._next_step()

    # -- keys and mouse

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self._close_line()
                event.stop()
            return
        self.notice = ""
        if event.key not in ("Q", "A"):
            self._asking = ""
        act = self._keys.get(event.character or "") or self._keys.get(event.key)
        if act is not None:
            event.stop()
            act()
        elif self.sitting.chooser is not None and event.key in ("1", "2"):
            self.attempt(partial(self.sitting.choose_first, event.key == "1"))
        elif event.character and self.cursor.type(event.character, self.sitting.offered):
            event.stop()
        self.redraw()

    def action_walk(self, step: int) -> None:
        self._touch()
        self.cursor.walk(step, self.sitting.offered)
        self.redraw()

    def action_go(self, right: int, up: int) -> None:
        self._touch()
        if self.flipped:
            right, up = -right, -up
        self.cursor.move(right, up, self.sitting.offered)
        self.redraw()

    def action_choose(self) -> None:
        self._touch()
        if self.sitting.turn is not None and self.sitting.turn.complete:
            self.attempt(self.sitting.send)
        elif self.cursor.place is not None:
            self._pick(self.cursor.place)
        self.redraw()

    def action_back(self) -> None:
        self._touch()
        if self.sitting.back():
            self._next_step()

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        self._touch()
        self.cursor.place = event.place
        self._pick(event.place)
        self.redraw()

    def _touch(self) -> None:
        self.notice = self._asking = ""

    def _pick(self, place: int) -> None:
        turn = self.sitting.turn
        offered = [pick.place for pick in self.sitting.offered]
        if place in offered:
            self.attempt(partial(self.sitting.pick, place, confirm=self.parlour_app.settings.confirm))
        elif turn is not None and place in turn.picks and not self.sitting.sending:
            self.sitting.turn = turn.back(turn.picks.index(place))
            self._next_step()

    # -- the line below

    def _open_line(self, what: str) -> None:
        self.line_is_for = what
        line = self.query_one("#line", Input)
        line.value = ""
        line.placeholder = (
            "A move as the game writes it, or picks: " + " ".join(completions(self.sitting)[:12])
            if what == "move"
            else "Say something to everybody here; Esc for nothing"
        )
        line.suggester = SuggestFromList(completions(self.sitting), case_sensitive=False) if what == "move" else None
        line.add_class("open")
        line.focus()

    def _close_line(self) -> None:
        line = self.query_one("#line", Input)
        line.remove_class("open")
        self.set_focus(None)
        self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._close_line()
        if not text:
            return
        if self.line_is_for == "talk":
            self.attempt(partial(self.sitting.table.say, text))
        else:
            self.attempt(partial(self.sitting.typed, text, confirm=self.parlour_app.settings.confirm))

    # -- around the board

    def _flip(self) -> None:
        self.flipped = not self.flipped

    def _offer(self, what: What) -> None:
        self.attempt(partial(self._offered, what))

    async def _offered(self, what: What) -> None:
        await self.sitting.offer(what)
        if not self.sitting.is_shared and what == "draw":
            self.notice = "You offer a draw."
        self.redraw()

    def _rematch(self) -> None:
        if self.sitting.table.result is None:
            self.notice = "Another game can be offered when this one is over."
        else:
            self.notice = "" if self.sitting.is_shared else "You would like another game."
            self._offer("rematch")

    def _answer(self, yes: bool) -> None:
        if self.sitting.offers:
            self.attempt(partial(self.sitting.answer, self.sitting.offers[0], yes))

    def _decline_or_new(self) -> None:
        if self.sitting.offers:
            self._answer(False)
        elif self.sitting.table.result is not None:
            self.parlour_app.new_table(self.sitting.table.terms)

    def _ask_first(self, what: str) -> None:
        """Done only if the key comes twice."""
        if not self.sitting.is_player or self.sitting.table.result is not None:
            return
        if self._asking != what:
            self._asking = what
            words = "give the game up" if what == "resign" else "call the game off"
            self.notice = f"Press {'Q' if what == 'resign' else 'A'} again to {words}."
            return
        self._asking = ""
        self.attempt(self.sitting.resign if what == "resign" else self.sitting.table.abort)

    def _hint(self) -> None:
        self.attempt(self._hinted)
        self.notice = "The computer is thinking."

    async def _hinted(self) -> None:
        table = self.sitting.table
        if table.scene.to_move is None:
            raise Refusal(ErrorCode.HINT_REFUSED, "There is nothing to think about any more.")
        found = await table.hint()
        if found.ply == table.ply:
            self.notice = assessment_words(tuple(seat.name for seat in self.sitting.board.seats), found)
            if found.picks:
                self.cursor.place = found.picks[0]
            self.redraw()

    def _look_back(self) -> None:
        self.parlour_app.replay(self.sitting.table.room)

    def _help(self) -> None:
        self.app.push_screen(HelpScreen())

    def _rules(self) -> None:
        self.parlour_app.rules(self.sitting.table.terms.game)

    def _leave(self) -> None:
        self.attempt(partial(self.parlour_app.leave, self))
