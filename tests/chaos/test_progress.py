"""How a run is going."""

from __future__ import annotations

import io

import pytest

from parlour.chaos.progress import Display, Status

STATUS = Status(elapsed=83.4, phase="node-kill on node 2", running=8, finished=31, commands=900, reconnects=12)
TEXT = "1:23  8 games, 31 finished, 900 commands, 12 reconnects, 0 violations  node-kill on node 2"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_status_as_text() -> None:
    """One line says everything."""
    assert str(STATUS) == TEXT


def test_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is rewritten, and removed at the end."""
    monkeypatch.setenv("COLUMNS", "120")
    sink = Terminal()
    display = Display(sink)
    display.show(STATUS)
    display.show(STATUS)
    display.clear()
    assert sink.getvalue() == f"\r\x1b[K{TEXT}\r\x1b[K{TEXT}\r\x1b[K"


def test_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is shortened, because one that wraps could not be rewritten."""
    monkeypatch.setenv("COLUMNS", "40")
    sink = Terminal()
    Display(sink).show(STATUS)
    assert sink.getvalue() == f"\r\x1b[K{TEXT[:39]}"


def test_no_terminal() -> None:
    """A line is printed every few seconds."""
    sink = io.StringIO()
    display = Display(sink)
    for elapsed in (0.0, 1.0, 4.9, 5.0, 6.0):
        display.show(Status(elapsed, "checking"))
    display.clear()
    assert [line[:4] for line in sink.getvalue().splitlines()] == ["0:00", "0:05"]


def test_standard_error_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output is for the report."""
    Display().show(STATUS)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"{TEXT}\n")
