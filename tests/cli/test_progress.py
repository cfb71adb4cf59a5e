"""Progress: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from io import StringIO

from parlour.cli.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar() -> None:
    """The bar fills up, and is erased at the end."""
    sink = Terminal()
    with Progress(2, sink) as progress:
        progress.step("one")
        progress.step("two")

    assert "1/2" in sink.getvalue()
    assert "2/2 two" in sink.getvalue()
    assert sink.getvalue().endswith("\r\x1b[K")


def test_a_file_gets_no_bar() -> None:
    """A short computation writes nothing to a file."""
    sink = StringIO()
    with Progress(2, sink) as progress:
        progress.step()
        progress.step()

    assert sink.getvalue() == ""
