"""Progress is shown where somebody looks at it."""

from __future__ import annotations

from io import StringIO

from parlour.cli.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_goes_away() -> None:
    """The bar fills, and its line is empty in the end."""
    sink = Terminal()
    with Progress(2, sink) as progress:
        progress.step("one")
        progress.step("two")

    assert "1/2" in sink.getvalue()
    assert "2/2 two" in sink.getvalue()
    assert sink.getvalue().endswith("\r\x1b[K")


def test_a_file_is_not_filled_with_bars() -> None:
    """Something short says nothing where nobody looks."""
    sink = StringIO()
    with Progress(2, sink) as progress:
        progress.step()
        progress.step()

    assert sink.getvalue() == ""
