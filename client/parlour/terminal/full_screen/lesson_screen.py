"""The lesson of a game: one puzzle after the other on the real board, and then a first game."""

from __future__ import annotations

from functools import partial
from textwrap import wrap
from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.containers import Container

from parlour.terminal.drawing import Ink, Line, draw, seat_lines
from parlour.terminal.full_screen.board_cursor import BoardCursor, is_own_side_on_top
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.key_map import KeyMap
from parlour.terminal.full_screen.line_editor import LineEditor
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines, plain
from parlour.terminal.full_screen.table_input import PREVIOUS_PICK, Act, Intent, Steer, Submit, TableInput, Typed
from parlour.terminal.full_screen.table_layout import TableLayout, table_layout
from parlour.terminal.text.lesson import lesson_heading, lesson_lines, lesson_prompt
from parlour.terminal.ui.lesson_state import HINT_MOVE
from parlour.terminal.ui.lesson_view import LessonView
from parlour.terminal.ui.table_action import TableAction

REPLY_AFTER = 0.9  # seconds, so that learners first see their own move
NEXT_KEY, PREVIOUS_KEY = "N", "P"


class LessonScreen(Page):
    """One lesson. As at a table, no widget has the focus, so that every key arrives here, in order."""

    CSS = """
    #table { height: 1fr; layout: horizontal; }
    #table.stacked { layout: vertical; }
    #board { width: auto; height: auto; }
    #sidebar { width: 1fr; height: 1fr; border-left: solid $secondary; padding: 0 0 0 1; }
    #table.stacked #sidebar { border-left: none; padding: 0 1; }
    """

    def __init__(self, view: LessonView) -> None:
        super().__init__()
        self.view = view
        self.cursor = BoardCursor(view.state.lesson.board)
        self.flipped = False
        self.input = TableInput(KeyMap())
        self._remark = ""  # why the last key did nothing

    def body(self) -> ComposeResult:
        with Container(id="table"):
            yield Lines(id="board")
            yield Lines(id="sidebar")

    def on_mount(self) -> None:
        self.input = TableInput(KeyMap(self.parlour_app.settings.keys), self._completions)
        self.view.on_change = self._next_pick
        self._enter_step()

    def on_resize(self) -> None:
        self.redraw()

    def refused(self, sentence: str) -> None:
        if self.view.state.turn is not None:
            self.view.state.again()
        self._remark = sentence
        self._next_pick()

    # -- moving through the lesson

    def _go(self, index: int) -> None:
        self.view.state.go(index)
        self._enter_step()
        self.attempt(self.view.begin, group="step")

    def _enter_step(self) -> None:
        state = self.view.state
        self.cursor = BoardCursor(state.lesson.board)
        if not state.is_finished and self.parlour_app.settings.own_side_below:
            self.flipped = is_own_side_on_top(state.lesson.board, state.step.seat)
        self._next_pick()

    def _next_pick(self) -> None:
        state = self.view.state
        self.cursor.begin(state.legal_picks)
        if not state.is_finished and state.next_hint is not None:
            self.cursor.place = state.next_hint
        tried = state.tried
        if tried is not None and tried.reply is not None and not state.is_reply_shown:
            self.set_timer(REPLY_AFTER, partial(self._show_reply, tried))
        self.redraw()

    def _show_reply(self, tried: object) -> None:
        if self.view.state.tried is tried:  # and not a later move
            self.view.state.show_reply()
            self.redraw()

    async def _start_game(self) -> None:
        self.parlour_app.show_table(await self.session.view(await self.view.start_game()))

    # -- drawing

    def redraw(self) -> None:
        if not self.is_open:
            return
        state = self.view.state
        layout = self._layout()
        self.query_one("#table").set_class(layout.is_stacked, "stacked")
        board = self.query_one("#board", Lines)
        board.display = not state.is_finished and layout.scale is not None
        if board.display:
            board.show(
                draw(
                    state.lesson.board, state.scene, style=self.style_, picks=state.legal_picks,
                    focus=self.cursor.place, flipped=self.flipped, scale=layout.scale or 0, pointers=state.pointers,
                )
            )  # fmt: skip
        self.query_one("#sidebar", Lines).show(self._sidebar(layout.sidebar_width))
        title = lesson_heading(state).removeprefix("Step ")
        self.title_text = title if layout.is_stacked else f"{state.lesson.title}, {title}"
        self.show_title()
        self.say(self._remark or self._sentence())
        self.show_keys(self._key_hints())

    def _layout(self) -> TableLayout:
        """Give the text the room that it needs; where there is too little for both, the board goes."""
        width = self.size.width - 2
        needed = len(self._sidebar(width)) + (len(self._sentence()) > width)
        return table_layout(self.view.state.lesson.board, self.size.width, self.size.height, needed)

    def _sidebar(self, width: int) -> list[Line]:
        """Return the learner's pieces beside the board, and the text."""
        state = self.view.state
        width = max(20, width)
        lines: list[Line] = []
        beside = [pick for pick in state.legal_picks if pick.cell is None]  # numbers are drawn on the board
        if not state.is_finished:
            for seat in (state.step.seat, None):
                lines += seat_lines(
                    state.lesson.board, state.scene, seat, style=self.style_, picks=beside,
                    focus=self.cursor.place, width=width, pointers=state.pointers,
                )  # fmt: skip
        for number, paragraph in enumerate(lesson_lines(state)):
            ink = Ink.TEXT if number == 0 else Ink.PICK if state.tried is None else Ink.TEXT
            lines += [plain(row, ink) for row in wrap(self.style_.legible(paragraph), width, break_on_hyphens=False)]
        return lines

    def _sentence(self) -> str:
        state = self.view.state
        key = self.input.keys.shown(TableAction.CHOOSE)
        if state.is_finished:
            return f"{state.lesson.ready.button}: press {key}."
        if state.tried is not None:
            return f"{lesson_prompt(state)} Press {key} {'to go on' if state.tried.solved else 'to put it back'}."
        pick = next((pick for pick in state.legal_picks if pick.place == self.cursor.place), None)
        if pick is not None and len(pick.label) > 3:
            return f"{lesson_prompt(state)} {state.lesson.board.place_name(pick.place)}: {pick.label}."
        return lesson_prompt(state)

    # -- keys and mouse

    def _completions(self) -> list[str]:
        board = self.view.state.lesson.board
        return [pick.label or board.place_name(pick.place) for pick in self.view.state.legal_picks]

    @property
    def _actions(self) -> list[TableAction]:
        """What is possible now, the most important first."""
        state = self.view.state
        if state.is_finished:
            possible = [TableAction.CHOOSE]
        elif state.tried is not None:
            possible = [TableAction.CHOOSE, TableAction.ROTATE]
        else:
            possible = [TableAction.CHOOSE, TableAction.NEXT_PICK, TableAction.HINT, TableAction.TYPE]
            possible += [TableAction.BACK] if state.turn is not None and state.turn.picks else []
            possible += [TableAction.ROTATE]
        return [*possible, TableAction.HELP, TableAction.LEAVE]

    def _key_hints(self) -> list[str]:
        state, keys = self.view.state, self.input.keys
        labels = {TableAction.LEAVE: "back"}
        if state.is_finished:
            labels[TableAction.CHOOSE] = "play"
        elif state.tried is not None:
            labels[TableAction.CHOOSE] = "next step" if state.tried.solved else "try again"
        elif state.hint:
            labels[TableAction.HINT] = "show me"
        actions = [each for each in self._actions if each is not TableAction.HINT or state.hint < HINT_MOVE]
        hints = keys.hints(actions, labels)
        steps = [] if state.is_finished else [f"{NEXT_KEY} skip"] * (state.tried is None or not state.tried.solved)
        steps += [f"{PREVIOUS_KEY} previous"] if state.index else []
        at = min(len(hints) - 2, 3)
        return [*hints[:at], *steps, *hints[at:]]

    @property
    def open_line(self) -> LineEditor | None:
        return self.input.line

    def on_key(self, event: events.Key) -> None:
        if event.key.startswith("ctrl+") and self.input.line is None:
            return  # of the app
        event.stop()
        event.prevent_default()
        self._remark = ""
        state = self.view.state
        if self.input.line is None and event.character == NEXT_KEY and not state.is_finished:
            self._go(state.index + 1)
        elif self.input.line is None and event.character == PREVIOUS_KEY and state.index:
            self._go(state.index - 1)
        else:
            intent = self.input.press(
                event.key, event.character, typed=event.time, now=monotonic(), actions=self._actions, ask=lambda _: ""
            )
            self._carry_out(intent)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.input.paste(event.text)
        self.redraw()

    def _carry_out(self, intent: Intent | None) -> None:
        picks = self.view.state.legal_picks
        match intent:
            case Act():
                self._act(intent.action)
            case Submit():
                self.attempt(partial(self.view.play_text, intent.text), group="turn")
            case Steer():
                if intent is PREVIOUS_PICK:
                    self.cursor.next_pick(-1, picks)
                else:
                    sign = -1 if self.flipped else 1
                    self.cursor.move(sign * intent.right, sign * intent.up, picks)
            case Typed():
                self.cursor.type(intent.character, picks)
            case _:
                pass
        self.redraw()

    def _act(self, action: TableAction) -> None:
        state = self.view.state
        match action:
            case TableAction.CHOOSE:
                self._choose()
            case TableAction.NEXT_PICK:
                self.cursor.next_pick(1, state.legal_picks)
            case TableAction.BACK:
                state.back()
                self._next_pick()
            case TableAction.HINT:
                state.show_hint()
                self._next_pick()
            case TableAction.ROTATE:
                self.flipped = not self.flipped
            case TableAction.HELP:
                self.app.push_screen(HelpScreen(self.input.keys))
            case TableAction.LEAVE:
                self.dismiss()
            case _:
                pass

    def _choose(self) -> None:
        state = self.view.state
        if state.is_finished:
            self.attempt_once(self._start_game, "Starting the game.")
        elif state.tried is not None and state.tried.solved:
            self._go(state.index + 1)
        elif state.tried is not None:
            state.again()
            self._next_pick()
        elif self.cursor.place is not None:
            self._pick(self.cursor.place)

    def _pick(self, place: int) -> None:
        state = self.view.state
        if place in [pick.place for pick in state.legal_picks]:
            self.view.add_pick(place)
            self._next_pick()
            self.attempt(self.view.continue_turn, group="turn")
        elif state.turn is not None:
            name = state.lesson.board.place_name(place)
            self._remark = f"You cannot choose {name} now. {state.turn.prompt}"

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        if self.input.line is None and not self.view.state.is_finished:
            self._remark = ""
            self.cursor.place = event.place
            self._choose()
            self.redraw()
