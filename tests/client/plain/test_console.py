"""Reading and printing lines."""

from __future__ import annotations

import io

from parlour.client.plain.console import Console


async def test_lines_are_read_until_the_input_ends() -> None:
    """After the last line every read returns None."""
    console = Console(io.StringIO("one\ntwo"), io.StringIO())
    console.start()

    assert [await console.read() for _ in range(4)] == ["one\n", "two", None, None]
    assert console.ended


async def test_a_closed_input_ends_the_thread_quietly() -> None:
    """Nothing is read from a closed file, and nothing is raised."""
    source = io.StringIO("one\n")
    console = Console(source, io.StringIO())
    source.close()
    console.start()

    assert not console.ended


def test_lines_are_printed() -> None:
    """Each argument is a line of its own."""
    sink = io.StringIO()
    Console(io.StringIO(), sink).print("one", "two")

    assert sink.getvalue() == "one\ntwo\n"
