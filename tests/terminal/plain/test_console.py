"""Reading and printing lines."""

from __future__ import annotations

import io
import os
from contextlib import suppress

from parlour.terminal.plain.console import PipeConsole


def no_completions(text: str) -> list[str]:
    """Complete nothing."""
    return []


async def test_lines_are_read_until_the_input_ends() -> None:
    """After the last line every read returns None."""
    console = PipeConsole(io.StringIO("one\ntwo"), io.StringIO())
    console.start(no_completions)

    assert [await console.read() for _ in range(4)] == ["one\n", "two", None, None]
    assert console.ended


async def test_a_closed_input_ends_the_thread_quietly() -> None:
    """Nothing is read from a closed file, and nothing is raised."""
    source = io.StringIO("one\n")
    console = PipeConsole(source, io.StringIO())
    source.close()
    console.start(no_completions)

    assert not console.ended


def test_lines_are_printed() -> None:
    """Each argument is a line of its own."""
    sink = io.StringIO()
    PipeConsole(io.StringIO(), sink).print("one", "two")

    assert sink.getvalue() == "one\ntwo\n"


async def test_a_reader_that_has_exited() -> None:
    """A broken pipe is noted, nothing more is printed, and a client that waits for input is told to end."""
    reading, writing = os.pipe()
    os.close(reading)
    sink = os.fdopen(writing, "w")
    console = PipeConsole(io.StringIO(), sink)
    console.print("lost")
    console.print("lost, too")
    assert console.is_broken
    assert await console.read() is None
    with suppress(BrokenPipeError):
        sink.close()
