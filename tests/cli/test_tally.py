"""The progress of work of unknown length."""

from __future__ import annotations

from io import StringIO

from parlour.cli.tally import Tally


def test_the_summary_counts_by_kind() -> None:
    """Names of tables are words, in the singular for one thing."""
    sink = StringIO()
    tally = Tally("written", sink)
    for kind in ("keys", "keys", "player_games", "rating_history"):
        tally(kind)
    tally.finish("Done.")

    assert sink.getvalue() == "parlour: 2 keys, 1 player game, 1 rating change written. Done.\n"


def test_the_summary_counts_outcomes() -> None:
    """Without a verb, the kinds are what was done."""
    tally = Tally(sink=StringIO())
    for kind in ("imported", "imported", "refused"):
        tally(kind)

    assert str(tally) == "2 imported, 1 refused"


def test_lines_come_now_and_then() -> None:
    """Without an interval, each thing has a line."""
    sink = StringIO()
    tally = Tally("read", sink, interval=0)
    tally("keys")
    tally("keys")

    assert sink.getvalue() == "parlour: 1 key read…\nparlour: 2 keys read…\n"


def test_nothing() -> None:
    """There may be nothing to count."""
    sink = StringIO()
    Tally("read", sink).finish()

    assert sink.getvalue() == "parlour: nothing read.\n"
