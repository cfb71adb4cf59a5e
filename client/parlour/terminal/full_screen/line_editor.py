"""A line of text being typed.

Textual's `Input` is not used here: it gets its keys through a queue of its own once it has the focus, and keys that
were typed before that would act as commands of the screen. This editor is part of the screen, so that a key that opens
it and the keys after it are handled in order, however fast they arrive.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

MAX_LENGTH = 280  # characters of a chat message


class LineEditor:
    """The text, the cursor, and what could complete the last word."""

    def __init__(self, title: str, hint: str = "", suggestions: Sequence[str] = ()) -> None:
        self.title = title
        self.hint = hint  # shown while the line is empty
        self.text = ""
        self.cursor = 0
        self._suggestions = suggestions

    def insert(self, text: str) -> None:
        """Insert printable characters at the cursor. Line breaks become spaces."""
        words = "".join(char if char.isprintable() else " " if char.isspace() else "" for char in text)
        words = words[: MAX_LENGTH - len(self.text)]
        self.text = self.text[: self.cursor] + words + self.text[self.cursor :]
        self.cursor += len(words)

    def press(self, key: str, character: str | None) -> None:
        """Handle a key. Keys that mean nothing here are ignored."""
        match key:
            case "backspace" | "ctrl+h":
                self._delete(self.cursor - 1, self.cursor)
            case "delete":
                self._delete(self.cursor, self.cursor + 1)
            case "ctrl+w":
                start = self.text.rstrip()[: self.cursor].rfind(" ") + 1
                self._delete(start, self.cursor)
            case "ctrl+u":
                self._delete(0, self.cursor)
            case "left":
                self.cursor = max(0, self.cursor - 1)
            case "right" if self.cursor < len(self.text):
                self.cursor += 1
            case "home" | "ctrl+a":
                self.cursor = 0
            case "end" | "ctrl+e":
                self.cursor = len(self.text)
            case "tab" | "right":
                self.insert(self.completion)
            case _:
                if character is not None and character.isprintable():
                    self.insert(character)

    @property
    def completion(self) -> str:
        """What is missing from the last word to the first suggestion that begins with it."""
        word = self.text.rpartition(" ")[2].lower()
        if not word or self.cursor < len(self.text):
            return ""
        found = (each for each in self._suggestions if each.lower().startswith(word))
        return next(found, "")[len(word) :]

    def window(self, width: int) -> tuple[str, str, str, str]:
        """Return the text before the cursor, at it and after it, then the completion; cut to `width` columns."""
        at, after = self.text[self.cursor : self.cursor + 1] or " ", self.text[self.cursor + 1 :]
        before, completion = self.text[: self.cursor], self.completion
        while before and cell_len(before) + cell_len(at) > width:
            before = before[1:]
        room = width - cell_len(before) - cell_len(at)
        while after and cell_len(after) > room:
            after = after[:-1]
        return before, at, after, completion[: max(0, room - cell_len(after))]

    def _delete(self, start: int, end: int) -> None:
        start = max(0, start)
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start
