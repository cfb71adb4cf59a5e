"""The meaning of keys at a table. Pure: the time of a key is an argument, and nothing is sent or drawn here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from parlour.terminal.full_screen.key_map import KeyMap
from parlour.terminal.full_screen.line_editor import LineEditor
from parlour.terminal.full_screen.question import Question
from parlour.terminal.ui.table_action import TableAction

Purpose = Literal["move", "chat"]


class Act(NamedTuple):
    """An action to execute. It was confirmed, if it needs to be."""

    action: TableAction


class Submit(NamedTuple):
    """A line was typed."""

    purpose: Purpose
    text: str


class Steer(NamedTuple):
    """Move the cursor by cells, or to the previous pick."""

    right: int
    up: int


class Scroll(NamedTuple):
    """Scroll the chat back, or forward if negative."""

    lines: int


class Typed(NamedTuple):
    """A character that may name a place."""

    character: str


class Unavailable(NamedTuple):
    """The key of an action that is not possible now."""

    action: TableAction


PREVIOUS_PICK = Steer(0, 0)
_STEERING = {
    "up": Steer(0, 1), "down": Steer(0, -1), "left": Steer(-1, 0), "right": Steer(1, 0),
    "home": Steer(-99, 0), "end": Steer(99, 0), "pageup": Steer(0, 99), "pagedown": Steer(0, -99),
    "shift+tab": PREVIOUS_PICK,
}  # fmt: skip

_SCROLLING = {"up": Scroll(1), "down": Scroll(-1), "pageup": Scroll(10), "pagedown": Scroll(-10)}

Intent = Act | Submit | Steer | Scroll | Typed | Unavailable


class TableInput:
    """The open line and the open question. While one of them is open, it takes every key."""

    def __init__(self, keys: KeyMap, completions: Callable[[], Sequence[str]] = tuple) -> None:
        self.keys = keys
        self.line: LineEditor | None = None
        self.question: Question | None = None
        self._asked_about = TableAction.LEAVE
        self._purpose: Purpose = "move"
        self._completions = completions

    def press(
        self,
        key: str,
        character: str | None,
        *,
        typed: float,
        now: float,
        actions: Sequence[TableAction],
        ask: Callable[[TableAction], str],
    ) -> Intent | None:
        """Handle a key and return what it means, or None if nothing is to be done.

        `typed`: when the terminal sent the key. `actions`: what is possible now. `ask`: the question that has to be
        confirmed before an action, or nothing.
        """
        if self.line is not None:
            return self._press_in_line(self.line, key, character)
        if self.question is not None:
            return self._answer(self.question, key, character, typed)
        found = self.keys.actions(key, character)
        action = next((action for action in actions if action in found), None)
        if action is None:
            if key in _STEERING:
                return _STEERING[key]
            if character is not None and character.isascii() and character.isalnum() and not character.isupper():
                return Typed(character)
            return Unavailable(found[0]) if found else None
        return self._begin(action, now, ask(action))

    def begin(self, action: TableAction, now: float, question: str) -> Intent | None:
        """Start an action that was chosen in another way than by its key."""
        self.line = self.question = None
        return self._begin(action, now, question)

    def paste(self, text: str) -> None:
        """Insert pasted text into the open line. Anywhere else it is ignored."""
        if self.line is not None:
            self.line.insert(text)

    def close(self) -> None:
        """Close the question, because the game went on."""
        self.question = None

    def _begin(self, action: TableAction, now: float, question: str) -> Intent | None:
        if action is TableAction.TYPE:
            self._purpose = "move"
            self.line = LineEditor("Move", "e7-d6, or choices e7 d6. Enter plays, Esc cancels", self._completions())
        elif action is TableAction.CHAT:
            self._purpose = "chat"
            self.line = LineEditor("Chat", "Enter sends, Esc cancels")
        elif question:
            self.question, self._asked_about = Question(question, now), action
        else:
            return Act(action)
        return None

    @property
    def is_writing(self) -> bool:
        """Whether a chat message is being written."""
        return self.line is not None and self._purpose == "chat"

    def _press_in_line(self, line: LineEditor, key: str, character: str | None) -> Submit | Scroll | None:
        if key in _SCROLLING and self.is_writing:
            return _SCROLLING[key]
        if key == "escape":
            self.line = None
        elif key == "enter":
            self.line = None
            text = line.text.strip()
            return Submit(self._purpose, text) if text else None
        else:
            line.press(key, character)
        return None

    def _answer(self, question: Question, key: str, character: str | None, typed: float) -> Act | None:
        answer = question.answer(key, character, typed)
        if answer is not None:
            self.question = None
        return Act(self._asked_about) if answer else None
