"""A form with one line per field: up and down select a field, left and right change it, and text can be typed."""

from __future__ import annotations

from msgspec import Struct
from textual import events
from textual.message import Message

from parlour.protocol.types import OptionValue
from parlour.terminal.drawing import Ink, Line, Span
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.ui.options import Choice

TITLE_WIDTH = 18

_MOVES = {"up": -1, "down": 1, "tab": 1, "shift+tab": -1}
_CHANGES = {"left": -1, "right": 1}


class Field(Struct):
    """One line: a choice if it has `choices`, a button if `is_button`, otherwise a text field."""

    key: str
    title: str
    value: OptionValue = ""
    choices: tuple[Choice, ...] = ()
    help: str = ""
    is_button: bool = False
    secret: bool = False
    digits: bool = False

    @property
    def shown(self) -> str:
        if self.choices:
            return next((choice.title for choice in self.choices if choice.value == self.value), str(self.value))
        return "*" * len(str(self.value)) if self.secret else str(self.value)


class Form(Lines, can_focus=True):
    """Posts `Moved` when another field is selected, `Changed` when a value changes, `Pressed` for a button."""

    class Changed(Message):
        """The value of a field has changed."""

        def __init__(self, field: Field) -> None:
            self.field = field
            super().__init__()

    class Moved(Message):
        """Another field is selected."""

        def __init__(self, field: Field) -> None:
            self.field = field
            super().__init__()

    class Pressed(Message):
        """A button was pressed."""

        def __init__(self, key: str) -> None:
            self.key = key
            super().__init__()

    def __init__(self, fields: list[Field], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.fields = fields
        self.index = 0
        self.redraw()

    @property
    def values(self) -> dict[str, OptionValue]:
        return {field.key: field.value for field in self.fields if not field.is_button}

    def set_fields(self, fields: list[Field]) -> None:
        """Replace the fields. The same field stays selected if it still exists."""
        here = self.fields[self.index].key if self.fields else ""
        self.fields = fields
        self.index = next((number for number, field in enumerate(fields) if field.key == here), 0)
        self.redraw()

    def go(self, key: str) -> None:
        self.index = next(number for number, field in enumerate(self.fields) if field.key == key)
        self.redraw()

    @property
    def current(self) -> Field:
        return self.fields[self.index]

    def redraw(self) -> None:
        lines = []
        for number, field in enumerate(self.fields):
            here = number == self.index
            ink = Ink.PICK if here else Ink.TEXT
            pointer = "> " if here else "  "
            spans: tuple[Span, ...]
            if field.is_button:
                spans = (Span(pointer, Ink.PICK), Span(f"[ {field.title} ]", ink, place=number, focus=here))
            else:
                shown = field.shown
                value = f"< {shown} >" if field.choices else f"{shown}{'_' if here else ''}"
                spans = (
                    Span(pointer, Ink.PICK),
                    Span(f"{field.title:{TITLE_WIDTH}}", Ink.FAINT, place=number),
                    Span(value or " ", ink, place=number),
                )
            lines.append(Line(spans))
        self.show(lines)

    def move(self, step: int) -> None:
        self.index = (self.index + step) % len(self.fields)
        self.redraw()
        self.post_message(self.Moved(self.current))

    def change(self, step: int) -> None:
        field = self.current
        if field.choices:
            values = [choice.value for choice in field.choices]
            at = values.index(field.value) if field.value in values else -1
            field.value = values[(at + step) % len(values)]
            self.redraw()
            self.post_message(self.Changed(field))

    def enter(self) -> None:
        if self.current.is_button:
            self.post_message(self.Pressed(self.current.key))
        elif self.current.choices:
            self.change(1)
        else:
            self.move(1)

    def on_key(self, event: events.Key) -> None:
        # Not as bindings: the app would run them only after it has passed on the keys that follow, such as Ctrl+S.
        if self._press(event.key, event.character):
            event.stop()
            event.prevent_default()

    def _press(self, key: str, character: str | None) -> bool:
        """Handle a key. Return False if it means nothing here."""
        field = self.current
        if key in _MOVES:
            self.move(_MOVES[key])
        elif key in _CHANGES:
            self.change(_CHANGES[key])
        elif key == "enter":
            self.enter()
        elif field.choices or field.is_button:
            return False
        elif key == "backspace":
            self._type(str(field.value)[:-1])
        elif character and character.isprintable() and (character.isdigit() or not field.digits):
            self._type(str(field.value) + character)
        else:
            return False
        return True

    def _type(self, text: str) -> None:
        self.current.value = text
        self.redraw()
        self.post_message(self.Changed(self.current))

    def on_paste(self, event: events.Paste) -> None:
        field = self.current
        if not field.choices and not field.is_button:
            self._type(str(field.value) + "".join(event.text.split("\n")))
        event.stop()

    def on_lines_pressed(self, event: Lines.Pressed) -> None:
        event.stop()
        was_here, self.index = self.index == event.place, event.place
        self.redraw()
        self.focus()
        if self.current.is_button:
            self.enter()
        elif was_here:
            self.change(1)
        self.post_message(self.Moved(self.current))
