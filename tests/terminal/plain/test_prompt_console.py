"""The console at a terminal, with the real line editor."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from parlour.terminal.plain.console import WIDTH
from parlour.terminal.plain.prompt_console import PromptConsole


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    """What is typed at the terminal."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        yield typed


def complete(text: str) -> list[str]:
    return [word for word in ("replica", "rules") if word.startswith(text.rpartition(" ")[2])]


async def test_lines_are_edited_and_remembered(keyboard: PipeInput, tmp_path: Path) -> None:
    """A line can be corrected; a later console recalls it from a file that only its owner can read."""
    history = tmp_path / "new" / "history"
    console = PromptConsole(history)
    console.start(complete)
    keyboard.send_text("quivk\x08\x08ck\r")
    assert await console.read() == "quick"
    console.close()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600

    again = PromptConsole(history)
    again.start(complete)
    keyboard.send_text("\x10\r")  # Ctrl-P, the previous line
    assert await again.read() == "quick"
    again.close()


async def test_the_end_and_secrets(keyboard: PipeInput, tmp_path: Path) -> None:
    """Ctrl-C clears the line, Ctrl-D ends the input, and a secret is not remembered."""
    history = tmp_path / "history"
    console = PromptConsole(history)
    console.start(complete)
    keyboard.send_text("secret\r")
    assert await console.read_secret("Password: ") == "secret"
    keyboard.send_text("\x04")
    assert await console.read() is None
    console.close()
    assert history.read_text() == ""


def test_a_history_that_cannot_be_written(keyboard: PipeInput, tmp_path: Path) -> None:
    """Without a folder for it, the history is kept in memory."""
    (tmp_path / "file").write_text("")
    PromptConsole(tmp_path / "file" / "history")


def test_the_last_word_is_completed(keyboard: PipeInput, tmp_path: Path) -> None:
    """A completion replaces the last word."""
    console = PromptConsole(tmp_path / "history")
    console.start(complete)
    completer = console.completer
    assert completer is not None
    (found,) = completer.get_completions(Document("here rep"), None)  # type: ignore[arg-type]  # not used
    assert (found.text, found.start_position) == ("replica", -3)
    console.close()


async def test_long_lines_are_broken_between_words(
    keyboard: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To fit the terminal, which is 80 columns wide here; prose is no wider than in a pipe."""
    console = PromptConsole(tmp_path / "history")
    console.print("word " * 15 + "and the rest", "short")
    assert capsys.readouterr().out == f"{'word ' * 15}and\nthe rest\nshort\n"
    assert console.width == WIDTH
