"""A console at a terminal, with line editing, a history, and completion with the Tab key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.patch_stdout import patch_stdout

from parlour.terminal.plain.console import WIDTH, Complete
from parlour.terminal.text.line_wrap import wrap_line

PROMPT = "> "


class PromptConsole:
    """What is printed appears above the line that is being edited."""

    def __init__(self, history: Path) -> None:
        """`history`: the file that keeps what was typed."""
        self.is_broken = False
        self._session: PromptSession[str] = PromptSession(history=_history(history))
        self.completer: Completer | None = None
        self._stack = ExitStack()

    @property
    def width(self) -> int:
        return min(WIDTH, self._columns)

    @property
    def _columns(self) -> int:
        return self._session.output.get_size().columns

    def start(self, complete: Complete) -> None:
        self.completer = _Completer(complete)
        self._stack.enter_context(patch_stdout())

    def close(self) -> None:
        self._stack.close()

    async def read(self) -> str | None:
        """Return the next line. Ctrl-C clears it, and Ctrl-D ends the input."""
        while True:
            try:
                return await self._session.prompt_async(
                    PROMPT, completer=self.completer, complete_while_typing=False, is_password=False
                )
            except KeyboardInterrupt:
                self.print("Press Ctrl-D to exit.")
            except EOFError:
                return None

    async def read_secret(self, prompt: str) -> str:
        secret: PromptSession[str] = PromptSession()  # without a history
        try:
            return await secret.prompt_async(prompt, is_password=True)
        except (EOFError, KeyboardInterrupt):
            return ""

    def print(self, *lines: str) -> None:
        for line in lines:
            for row in wrap_line(line, self._columns):
                print(row)


class _Completer(Completer):
    """Completes the last word."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        word = text.rpartition(" ")[2]
        for choice in self._complete(text):
            yield Completion(choice, start_position=-len(word))


def _history(file: Path) -> History:
    """Return a history in a file that only its owner can read, or in memory if there can be no such file."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(file))
