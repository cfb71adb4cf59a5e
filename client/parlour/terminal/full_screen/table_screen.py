"""A table: the board, the players, and the turn being picked with the keyboard, with the mouse or as text."""

from __future__ import annotations

from functools import partial
from time import monotonic

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from parlour.client.table import Event, OfferKind
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Moved, Presence, RoomEvent, Said
from parlour.terminal.drawing import draw
from parlour.terminal.full_screen.board_cursor import BoardCursor, is_own_side_on_top, top_seat
from parlour.terminal.full_screen.chat_lines import chat_height
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.key_map import KeyMap
from parlour.terminal.full_screen.line_editor import LineEditor
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.full_screen.sidebar import Sidebar, above_lines, seat_block, sidebar_lines
from parlour.terminal.full_screen.table_input import (
    PREVIOUS_PICK,
    Act,
    Intent,
    Scroll,
    Steer,
    Submit,
    TableInput,
    Typed,
    Unavailable,
)
from parlour.terminal.full_screen.table_layout import TableLayout, table_layout
from parlour.terminal.full_screen.wrapping import shorten
from parlour.terminal.text.questions import question, unavailable
from parlour.terminal.text.result import unrated_line
from parlour.terminal.text.table import assessment_line, event_line
from parlour.terminal.text.table_status import TableStatus, table_status
from parlour.terminal.text.terms import terms_line
from parlour.terminal.ui.notices import Notices
from parlour.terminal.ui.table_action import TableAction
from parlour.terminal.ui.table_view import OFFER_KINDS, TableView, completions

TICK = 0.1  # seconds between updates of the clocks
NOTICE_LINES = 2
WHEEL = 3  # lines of chat for a turn of the mouse wheel

_OFFERS: dict[TableAction, OfferKind] = {
    TableAction.DRAW: "draw",
    TableAction.TAKEBACK: "takeback",
    TableAction.REMATCH: "rematch",
}
_ANSWERS = (TableAction.ACCEPT, TableAction.DECLINE)


class TableScreen(Page):
    """One table. A rematch replaces it.

    No widget of this screen has the focus, so that every key arrives here, in order: see `TableInput`.
    """

    CSS = """
    #table { height: 1fr; layout: horizontal; }
    #table.stacked { layout: vertical; }
    #above { display: none; width: 1fr; height: auto; padding: 0 1; }
    #table.stacked #above { display: block; }
    #board { width: auto; height: auto; }
    #sidebar { width: 1fr; height: 1fr; border-left: solid $secondary; padding: 0 0 0 1; }
    #table.stacked #sidebar { border-left: none; padding: 0 1; }
    #small { display: none; height: 1fr; padding: 1 2; }
    """

    def __init__(self, view: TableView) -> None:
        super().__init__()
        self.view = view
        self.cursor = BoardCursor(view.board)
        self.flipped = False
        self.notices = Notices()
        self.input = TableInput(KeyMap())
        self._chat_back = 0
        self._presence_since = 0.0  # when the last `Presence` arrived
        self._mover: int | None = None  # the seat that is to move, as long as no event says otherwise
        self._last_move = ""
        self._lines_lost = 0  # of the board and the sidebar, to a notice or a long sentence
        self._is_stale = False  # the screen has to be drawn again
        self._shown: tuple[object, ...] = ()  # what the status shows, to notice when time changes it

    def body(self) -> ComposeResult:
        with Container(id="table"):
            yield Lines(id="above")
            yield Lines(id="board")
            yield Lines(id="sidebar")
        yield Static("", id="small", markup=False)

    def on_mount(self) -> None:
        self.input = TableInput(KeyMap(self.parlour_app.settings.keys), lambda: completions(self.view))
        self.show(self.view)
        self.set_interval(TICK, self._tick)

    def show(self, view: TableView) -> None:
        """Switch to a table."""
        self.view = view
        view.on_change = self._next_step
        self.cursor = BoardCursor(view.board)
        self._mover, self._last_move, self._chat_back = view.table.scene.to_move, "", 0
        self.title_text = terms_line(view.table.terms, view.card)
        if self.parlour_app.settings.own_side_below:
            self.flipped = is_own_side_on_top(view.board, view.seat)
        self.attempt(self._follow, group="follow")
        self.show_title()
        if view.table.unrated and view.table.result is None:
            self.notices.add(unrated_line(view.table.unrated), monotonic())
        self._next_step()

    async def _follow(self) -> None:
        await self.view.follow(self._handle_event)

    def _handle_event(self, event: Event) -> None:
        mover, self._mover = self._mover, self.view.table.scene.to_move
        if isinstance(event, Presence):
            self._presence_since = monotonic()
        elif isinstance(event, Moved):
            self._last_move = event_line(self.view, event, mover)
            self.attempt(self._describe, group="describe")
        elif isinstance(event, Said):
            self._heard(event)
        elif isinstance(event, RoomEvent):
            self._tell(event)
        turn_changed = self.view.refresh()
        if turn_changed:
            if self.view.turn is not None and not self.view.is_hotseat:
                self.parlour_app.ring()
            self._next_step()
        else:
            self.redraw()

    async def _describe(self) -> None:
        """Put the last move into the game's own words, once the server has sent them."""
        if words := await self.view.last_move():  # until then the move in notation is good enough
            self._last_move = words
            self.redraw()

    def _heard(self, said: Said) -> None:
        self._chat_back = 0
        if said.seat is None or said.seat != self.view.seat:
            self.notice(f"{said.name} wrote: {said.text}")
            self.parlour_app.ring()
        elif self._layout().is_stacked:  # there may be no room for the chat
            self.notice(f"You wrote: {said.text}")

    def _tell(self, event: RoomEvent) -> None:
        if event.kind == "ended":
            self.input.close()
            self.parlour_app.ring()
        elif event.kind == "taken_back":
            self._last_move = ""
        if event.kind not in ("ended", "started", "offered", "rematch"):
            self.notice(event_line(self.view, event))
        elif event.kind == "offered" and event.seat != self.view.seat and not self.view.is_hotseat:
            self.parlour_app.ring()
        if event.next is not None:
            if self.view.is_player:
                self.attempt(self._open_rematch)
            else:
                self.notice(f"The rematch starts. {self.input.keys.shown(TableAction.REMATCH)} watches it.")

    async def _open_rematch(self) -> None:
        rematch = await self.view.join_rematch()
        if rematch is not None:
            await self.view.leave()
            if rematch.is_player:
                self.notice("The rematch starts. You have switched sides.")
            self.show(rematch)

    def notice(self, sentence: str) -> None:
        """Show a sentence for a while, beside the status."""
        self.notices.add(sentence, monotonic())
        self.redraw()

    def refused(self, sentence: str) -> None:
        self.notices.add(sentence, monotonic())
        self._next_step()

    # -- drawing

    def on_resize(self) -> None:
        self.redraw()

    def _tick(self) -> None:
        if not self.is_current:
            return
        if self.view.table.replica.running is not None:
            self._draw_sidebars(self._layout())
        if self._shown != self._status_parts():
            self.redraw()

    def _next_step(self) -> None:
        self.cursor.begin(self.view.legal_picks)
        self.parlour_app.show_terminal_title()
        self.redraw()

    def redraw(self) -> None:
        """Draw the table once everything that has already arrived is handled: a burst of keys is drawn once."""
        if not self._is_stale:
            self._is_stale = True
            self.call_later(self._draw)

    def _draw(self) -> None:
        self._is_stale = False
        if not self.is_open:
            return
        layout = self._layout()
        table, small = self.query_one("#table"), self.query_one("#small", Static)
        table.display, small.display = layout.scale is not None, layout.scale is None
        table.set_class(layout.is_stacked, "stacked")
        if layout.scale is None:
            words = f"This window has {self.size.width} x {self.size.height} characters, too few for the board."
            key = self.input.keys.shown(TableAction.TYPE)
            small.update(f"{words} Enlarge the window, or press {key} to type moves.")
        else:
            shown = draw(
                self.view.board, self.view.scene, style=self.style_, picks=self.view.legal_picks,
                focus=self.cursor.place, flipped=self.flipped, scale=layout.scale,
            )  # fmt: skip
            self.query_one("#board", Lines).show(shown)
        self._draw_status(layout)
        self._draw_sidebars(layout)

    def _layout(self) -> TableLayout:
        panels = sum(len(seat_block(self.view, seat, self.view.scene, self._sidebar(40, 0))) for seat in (0, 1))
        return table_layout(self.view.board, self.size.width, self.size.height, panels)

    def _sidebar(self, width: int, height: int) -> Sidebar:
        return Sidebar(
            self.style_, width, height, self.view.legal_picks, self.cursor.place,
            top_seat=top_seat(self.view.board, self.view.seat, self.flipped),
            result=self.status.result, last_move=self._last_move,
            is_writing=self.input.is_writing, chat_back=self._chat_back,
        )  # fmt: skip

    def _draw_sidebars(self, layout: TableLayout) -> None:
        height = layout.sidebar_height - self._lines_lost
        shown = self._sidebar(layout.sidebar_width, height)
        scene = self.view.scene
        if layout.is_stacked:
            above = above_lines(self.view, scene, shown)
            self.query_one("#above", Lines).show(above)
            shown = self._sidebar(layout.sidebar_width, height - len(above))
        lines = sidebar_lines(self.view, scene, shown, is_stacked=layout.is_stacked)
        self.query_one("#sidebar", Lines).show(lines)

    @property
    def status(self) -> TableStatus:
        return table_status(self.view, int((monotonic() - self._presence_since) * 1000))

    def _sentence(self, status: TableStatus) -> str:
        if self.input.question is not None:
            return self.input.question.text
        pick = next((pick for pick in self.view.legal_picks if pick.place == self.cursor.place), None)
        if pick is not None and len(pick.label) > 3 and status.headline == status.prompt:
            return f"{status.prompt} {self.view.board.place_name(pick.place)}: {pick.label}."
        return status.headline

    def _key_hints(self, status: TableStatus) -> list[str]:
        keys = self.input.keys
        if self.input.question is not None:
            return self.input.question.hints(monotonic())
        labels = {action: f"{action} {self.view.offers[0]}" for action in _ANSWERS} if self.view.offers else {}
        if not self.view.is_player:
            labels[TableAction.REMATCH] = "watch rematch"
        return keys.hints(status.actions, labels)

    def _status_parts(self) -> tuple[object, ...]:
        status = self.status
        return self._sentence(status), tuple(self._key_hints(status)), self.notices.current(monotonic())

    def _draw_status(self, layout: TableLayout) -> None:
        self._shown = self._status_parts()
        sentence, hints, notice = self._sentence(self.status), self._key_hints(self.status), self._shown[2]
        self.say(sentence)
        self.show_keys(hints, always=2)
        shown = self.query_one("#notice", Static)
        width = self.size.width - 2
        shown.update(Content(shorten(self.style_.legible(str(notice), wide=True), width, NOTICE_LINES)))
        shown.display = bool(notice)
        # Where there is no line to spare, the title makes room: it says nothing new.
        self._lines_lost = (len(sentence) > width) + (0 if not notice else 1 if cell_len(str(notice)) <= width else 2)
        self.query_one("#title").display = has_title = not (layout.is_tight and self._lines_lost)
        self._lines_lost -= not has_title

    # -- keys and mouse

    @property
    def open_line(self) -> LineEditor | None:
        return self.input.line

    def on_key(self, event: events.Key) -> None:
        if event.key.startswith("ctrl+") and self.input.line is None and not self.input.keys.actions(event.key, None):
            return  # of the app
        event.stop()
        event.prevent_default()
        status = self.status
        intent = self.input.press(
            event.key, event.character, typed=event.time, now=monotonic(),
            actions=status.actions, ask=partial(question, self.view),
        )  # fmt: skip
        self._carry_out(intent)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.input.paste(event.text)
        self.redraw()

    def start(self, action: TableAction) -> None:
        """Start an action that was chosen from the command palette."""
        if action in self.status.actions:
            self._carry_out(self.input.begin(action, monotonic(), question(self.view, action)))

    def _carry_out(self, intent: Intent | None) -> None:
        match intent:
            case Act():
                self._act(intent.action)
            case Submit(purpose="chat"):
                self.attempt(partial(self.view.table.say, intent.text))
            case Submit():
                self.attempt(partial(self.view.play_text, intent.text, confirm=self.parlour_app.settings.confirm))
            case Steer():
                self._steer(intent)
            case Scroll():
                self._scroll(intent.lines)
            case Typed():
                self.cursor.type(intent.character, self.view.legal_picks)
            case Unavailable():
                self.notices.add(unavailable(self.view, intent.action), monotonic())
            case None:
                pass
        self.redraw()

    def _scroll(self, lines: int) -> None:
        width = self._layout().sidebar_width
        most = chat_height(self.view.table.chat, style=self.style_, width=width)
        self._chat_back = min(max(0, self._chat_back + lines), most)

    def _steer(self, steer: Steer) -> None:
        if steer is PREVIOUS_PICK:
            self.cursor.next_pick(-1, self.view.legal_picks)
            return
        right, up = (-steer.right, -steer.up) if self.flipped else (steer.right, steer.up)
        self.cursor.move(right, up, self.view.legal_picks)

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        if self.input.line is None and self.input.question is None:
            self.cursor.place = event.place
            self._pick(event.place)
            self.redraw()

    def on_mouse_scroll_up(self) -> None:
        self._carry_out(Scroll(WHEEL))

    def on_mouse_scroll_down(self) -> None:
        self._carry_out(Scroll(-WHEEL))

    def _pick(self, place: int) -> None:
        turn, view = self.view.turn, self.view
        if place in [pick.place for pick in view.legal_picks]:
            view.add_pick(place)
            self.attempt(partial(view.continue_turn, confirm=self.parlour_app.settings.confirm))
        elif turn is not None and place in turn.picks and not view.sending:
            view.turn = turn.back(turn.picks.index(place))
            self._next_step()
        elif turn is not None and not view.sending:
            self.notices.add(f"You cannot choose {view.board.place_name(place)} now.", monotonic())
            self.attempt(partial(self._explain, place), group="explain")  # in the game's own words
        else:
            self.notices.add(unavailable(view, TableAction.CHOOSE), monotonic())

    async def _explain(self, place: int) -> None:
        self.notice(await self.view.why_not(place))

    # -- actions

    def _act(self, action: TableAction) -> None:
        view, app = self.view, self.parlour_app
        match action:
            case TableAction.CHOOSE:
                if view.turn is not None and view.turn.complete:
                    self.attempt(view.send)
                elif self.cursor.place is not None:
                    self._pick(self.cursor.place)
            case TableAction.NEXT_PICK:
                self.cursor.next_pick(1, view.legal_picks)
            case TableAction.BACK:
                if view.back():
                    self._next_step()
            case TableAction.MOVE_FIRST | TableAction.MOVE_SECOND:
                self.attempt(partial(view.choose_first, action is TableAction.MOVE_FIRST))
            case TableAction.ACCEPT | TableAction.DECLINE:
                if view.offers:
                    self.attempt(partial(view.answer, view.offers[0], action is TableAction.ACCEPT))
            case TableAction.WITHDRAW:
                self.attempt(self._withdraw)
            case TableAction.REMATCH if not view.is_player:
                self.attempt(self._open_rematch)
            case TableAction.DRAW | TableAction.TAKEBACK | TableAction.REMATCH:
                self.attempt(partial(view.offer, _OFFERS[action]))
            case TableAction.BERSERK:
                self.attempt(view.table.berserk)
            case TableAction.CLAIM:
                self.attempt(view.table.claim)
            case TableAction.HINT:
                self.notices.add("The computer is thinking.", monotonic())
                self.attempt(self._show_hint)
            case TableAction.RESIGN:
                self.attempt(view.resign)
            case TableAction.ABORT:
                self.attempt(view.table.abort)
            case TableAction.NEW_GAME:
                app.show_new_table(view.table.terms)
            case TableAction.REPLAY:
                app.show_replay(view.table.room)
            case TableAction.ROTATE:
                self.flipped = not self.flipped
            case TableAction.RULES:
                app.show_rules(view.table.terms.game)
            case TableAction.HELP:
                self.app.push_screen(HelpScreen(self.input.keys))
            case TableAction.LEAVE:
                self.attempt(partial(app.leave_table, self))

    async def _withdraw(self) -> None:
        for kind in OFFER_KINDS:
            if (self.view.seat, kind) in self.view.table.offers:
                await self.view.answer(kind, False)

    async def _show_hint(self) -> None:
        table = self.view.table
        if table.scene.to_move is None:
            raise Refusal(ErrorCode.HINT_REFUSED, "The game is over.")
        found = await table.hint()
        if found.ply == table.ply:
            if found.picks:
                self.cursor.place = found.picks[0]
            self.notice(assessment_line(tuple(seat.name for seat in self.view.board.seats), found))
