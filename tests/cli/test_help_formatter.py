"""How help is laid out."""

from __future__ import annotations

import argparse

import pytest

from parlour.cli.help_formatter import HelpFormatter

TEXT = """\
A paragraph that is
written on two lines, and is rather long for a narrow terminal.

  key       a second column that does not fit
  a-very-long-first-column  the second one

examples:
  parlour play --server https://play.example.org --plain
        with a remark that is too long for one line
  parlour play --plain
                        whose remark is below it
"""

NARROW = """\
A paragraph that is written on two
lines, and is rather long for a narrow
terminal.

  key       a second column that does
            not fit
  a-very-long-first-column
          the second one

examples:
  parlour play --server \\
      https://play.example.org \\
      --plain
        with a remark that is too long
        for one line
  parlour play --plain
          whose remark is below it"""


def test_text_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paragraphs flow, columns and indents stay, and commands continue as a shell reads them."""
    monkeypatch.setenv("COLUMNS", "40")
    parser = argparse.ArgumentParser(prog="x", description=TEXT, add_help=False, formatter_class=HelpFormatter)
    assert parser.format_help().partition("\n\n")[2].rstrip() == NARROW


def test_options_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word with dashes stays whole."""
    monkeypatch.setenv("COLUMNS", "50")
    parser = argparse.ArgumentParser(prog="x", formatter_class=HelpFormatter)
    parser.add_argument("--one", help="see also the options --trusted-proxies and --public-url")
    assert "--trusted-proxies" in parser.format_help()
