"""A table: the board, the players, and the turn being picked with the keyboard, with the mouse or as text."""

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
from parlour.client.table import Event, OfferKind
from parlour.client.terminal.board_cursor import BoardCursor, is_own_side_on_top
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.page import MIN_HEIGHT, MIN_WIDTH, Page
from parlour.client.terminal.paint import Lines
from parlour.client.terminal.sidebar import sidebar_lines
from parlour.client.text.table import (
    absence_line,
    assessment_line,
    event_line,
    offer_line,
    outcome_line,
    status_line,
)
from parlour.client.text.terms import terms_line
from parlour.client.ui.table_view import TableView, completions
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Presence, RoomEvent

TICK = 0.1  # seconds between updates of the clocks

KEYS = "Arrows move  Tab next pick  Enter choose  Bksp back  : type  ? help  q leave"
KEYS_WAITING = "C chat  V replay  F rotate  D draw  T take back  Q resign  ? help  q leave"
KEYS_OVER = "R rematch  N new game  V replay  C chat  ? help  q leave"
KEYS_OFFER = "Y accept  N decline  ? help  q leave"
KEYS_FIRST = "1 I move first  2 opponent moves first  ? help  q leave"
KEYS_WATCHING = "V replay  F rotate  C chat  ? help  q leave"


class TableScreen(Page):
    """One table. A rematch replaces it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "next_pick(1)", show=False),
        Binding("shift+tab", "next_pick(-1)", show=False),
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
    #sidebar { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    #input { display: none; height: 1; border: none; padding: 0 1; background: #2b2621; }
    #input.open { display: block; }
    #small { display: none; height: 1fr; padding: 1 2; }
    """

    def __init__(self, view: TableView) -> None:
        super().__init__()
        self.view = view
        self.cursor = BoardCursor(view.board)
        self.flipped = False
        self.notice = ""  # shown until the next key
        self.input_purpose = ""  # move or chat
        self._confirming = ""  # the action that the same key confirms
        self._presence_since = 0.0  # when the last `Presence` arrived
        self._keys: dict[str, Callable[[], None]] = {
            "colon": lambda: self._open_input("move"), "slash": lambda: self._open_input("move"),
            "C": lambda: self._open_input("chat"), "F": self._flip, "V": self._show_replay, "H": self._hint,
            "D": lambda: self._offer("draw"), "T": lambda: self._offer("takeback"), "R": self._rematch,
            "Y": lambda: self._answer(True), "N": self._decline_or_new, "Q": lambda: self._confirm("resign"),
            "A": lambda: self._confirm("abort"), "W": lambda: self.attempt(self.view.table.claim),
            "L": self._rules, "question_mark": self._help, "q": self._leave,
        }  # fmt: skip

    def body(self) -> ComposeResult:
        with Horizontal(id="table"):
            yield Lines(id="board")
            yield Lines(id="sidebar")
        yield Static("", id="small", markup=False)
        yield Input(id="input", compact=True)

    def on_mount(self) -> None:
        self.show(self.view)
        self.set_interval(TICK, self._tick)

    def show(self, view: TableView) -> None:
        """Switch to a table."""
        self.view = view
        view.on_change = self._next_step
        self.cursor = BoardCursor(view.board)
        self.title_text = terms_line(view.table.terms, view.card)
        if self.parlour_app.settings.own_side_below:
            self.flipped = is_own_side_on_top(view.board, view.seat)
        self.attempt(self._follow, group="follow")
        self.show_title()
        self._next_step()

    async def _follow(self) -> None:
        await self.view.follow(self._handle_event)

    def _handle_event(self, event: Event) -> None:
        if isinstance(event, Presence):
            self._presence_since = monotonic()
        if isinstance(event, RoomEvent):
            if event.kind in ("declined", "withdrawn", "taken_back", "excused"):
                self.notice = event_line(self.view, event)
            if event.next is not None and self.view.is_player:
                self.attempt(self._open_rematch)
        if self.view.refresh():
            if self.view.turn is not None and not self.view.is_hotseat and self.parlour_app.settings.bell:
                self.app.bell()
            self._next_step()
        else:
            self.redraw()

    async def _open_rematch(self) -> None:
        rematch = await self.view.join_rematch()
        if rematch is not None:
            await self.view.leave()
            self.notice = "The rematch starts. You have switched sides."
            self.show(rematch)

    # -- drawing

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        table = self.view.table
        if not self.is_current:
            return
        if table.replica.running is not None:
            self._draw_sidebar()
        if table.presence is not None and table.presence.claim_in:
            self.say(self._status())

    def _next_step(self) -> None:
        self.cursor.begin(self.view.legal_picks)
        self.redraw()

    def redraw(self) -> None:
        if not self.is_open:
            return
        wide, high = self.size
        fits = wide >= MIN_WIDTH and high >= min(MIN_HEIGHT, size_of(self.view.board)[1] + 3)
        self.query_one("#table").display = fits
        small = self.query_one("#small", Static)
        small.display = not fits
        if not fits:
            words = f"This window has {wide} x {high} characters, but the board needs {MIN_WIDTH} x {MIN_HEIGHT}."
            small.update(f"{words} Enlarge the window, or press : to type moves.")
        picks, focus = self.view.legal_picks, self.cursor.place
        shown = draw(
            self.view.board, self.view.scene, style=self.style_, picks=picks, focus=focus, flipped=self.flipped
        )
        self.query_one("#board", Lines).show(shown)
        self._draw_sidebar()
        self.say(self._status())
        self.show_keys(self._key_hints())

    def _draw_sidebar(self) -> None:
        width = max(24, self.size.width - size_of(self.view.board)[0] - 2)
        height = max(5, self.size.height - 3)
        shown = sidebar_lines(
            self.view, self.view.scene, style=self.style_, width=width, height=height,
            picks=self.view.legal_picks, focus=self.cursor.place,
        )  # fmt: skip
        self.query_one("#sidebar", Lines).show(shown)

    def _status(self) -> str:
        view = self.view
        if self.notice:
            return self.notice
        if view.table.result is not None:
            return outcome_line(view)
        if view.offers:
            return offer_line(view, view.offers[0], 1 - (view.table.seat or 0))
        if away := absence_line(view, int((monotonic() - self._presence_since) * 1000)):
            return f"{away} {status_line(view)}"
        pick = next((pick for pick in view.legal_picks if pick.place == self.cursor.place), None)
        if pick is not None and len(pick.label) > 3:
            return f"{status_line(view)} {view.board.place_name(pick.place)}: {pick.label}."
        return status_line(view)

    def _key_hints(self) -> str:
        view = self.view
        if view.table.result is not None:
            return KEYS_OVER
        if view.offers:
            return KEYS_OFFER
        if view.chooser is not None:
            return KEYS_FIRST
        if view.turn is not None:
            return KEYS
        return KEYS_WAITING if view.is_player else KEYS_WATCHING

    def refused(self, sentence: str) -> None:
        self.notice = sentence
        self._next_step()

    # -- keys and mouse

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self._close_input()
                event.stop()
            return
        self.notice = ""
        if event.key not in ("Q", "A"):
            self._confirming = ""
        act = self._keys.get(event.character or "") or self._keys.get(event.key)
        if act is not None:
            event.stop()
            act()
        elif self.view.chooser is not None and event.key in ("1", "2"):
            self.attempt(partial(self.view.choose_first, event.key == "1"))
        elif event.character and self.cursor.type(event.character, self.view.legal_picks):
            event.stop()
        self.redraw()

    def action_next_pick(self, step: int) -> None:
        self._clear_notice()
        self.cursor.next_pick(step, self.view.legal_picks)
        self.redraw()

    def action_go(self, right: int, up: int) -> None:
        self._clear_notice()
        if self.flipped:
            right, up = -right, -up
        self.cursor.move(right, up, self.view.legal_picks)
        self.redraw()

    def action_choose(self) -> None:
        self._clear_notice()
        if self.view.turn is not None and self.view.turn.complete:
            self.attempt(self.view.send)
        elif self.cursor.place is not None:
            self._pick(self.cursor.place)
        self.redraw()

    def action_back(self) -> None:
        self._clear_notice()
        if self.view.back():
            self._next_step()

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        self._clear_notice()
        self.cursor.place = event.place
        self._pick(event.place)
        self.redraw()

    def _clear_notice(self) -> None:
        self.notice = self._confirming = ""

    def _pick(self, place: int) -> None:
        turn = self.view.turn
        legal_picks = [pick.place for pick in self.view.legal_picks]
        if place in legal_picks:
            self.attempt(partial(self.view.pick, place, confirm=self.parlour_app.settings.confirm))
        elif turn is not None and place in turn.picks and not self.view.sending:
            self.view.turn = turn.back(turn.picks.index(place))
            self._next_step()

    # -- the input line

    def _open_input(self, what: str) -> None:
        self.input_purpose = what
        field = self.query_one("#input", Input)
        field.value = ""
        field.placeholder = (
            "A move in the game's notation, or picks: " + " ".join(completions(self.view)[:12])
            if what == "move"
            else "A message to the table; Esc to cancel"
        )
        field.suggester = SuggestFromList(completions(self.view), case_sensitive=False) if what == "move" else None
        field.add_class("open")
        field.focus()

    def _close_input(self) -> None:
        field = self.query_one("#input", Input)
        field.remove_class("open")
        self.set_focus(None)
        self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._close_input()
        if not text:
            return
        if self.input_purpose == "chat":
            self.attempt(partial(self.view.table.say, text))
        else:
            self.attempt(partial(self.view.play_text, text, confirm=self.parlour_app.settings.confirm))

    # -- offers, resigning, hints

    def _flip(self) -> None:
        self.flipped = not self.flipped

    def _offer(self, kind: OfferKind) -> None:
        self.attempt(partial(self._send_offer, kind))

    async def _send_offer(self, kind: OfferKind) -> None:
        await self.view.offer(kind)
        if not self.view.is_hotseat and kind == "draw":
            self.notice = "You offer a draw."
        self.redraw()

    def _rematch(self) -> None:
        if self.view.table.result is None:
            self.notice = "You can offer a rematch once the game is over."
        else:
            self.notice = "" if self.view.is_hotseat else "You offer a rematch."
            self._offer("rematch")

    def _answer(self, yes: bool) -> None:
        if self.view.offers:
            self.attempt(partial(self.view.answer, self.view.offers[0], yes))

    def _decline_or_new(self) -> None:
        if self.view.offers:
            self._answer(False)
        elif self.view.table.result is not None:
            self.parlour_app.show_new_table(self.view.table.terms)

    def _confirm(self, action: str) -> None:
        """Resign or abort, but only when the key is pressed twice."""
        if not self.view.is_player or self.view.table.result is not None:
            return
        if self._confirming != action:
            self._confirming = action
            self.notice = f"Press {'Q' if action == 'resign' else 'A'} again to {action}."
            return
        self._confirming = ""
        self.attempt(self.view.resign if action == "resign" else self.view.table.abort)

    def _hint(self) -> None:
        self.attempt(self._show_hint)
        self.notice = "The computer is thinking."

    async def _show_hint(self) -> None:
        table = self.view.table
        if table.scene.to_move is None:
            raise Refusal(ErrorCode.HINT_REFUSED, "The game is over.")
        found = await table.hint()
        if found.ply == table.ply:
            self.notice = assessment_line(tuple(seat.name for seat in self.view.board.seats), found)
            if found.picks:
                self.cursor.place = found.picks[0]
            self.redraw()

    def _show_replay(self) -> None:
        self.parlour_app.show_replay(self.view.table.room)

    def _help(self) -> None:
        self.app.push_screen(HelpScreen())

    def _rules(self) -> None:
        self.parlour_app.show_rules(self.view.table.terms.game)

    def _leave(self) -> None:
        self.attempt(partial(self.parlour_app.leave_table, self))
