"""Error messages on standard error."""

from __future__ import annotations

import os
import sys

from parlour.terminal.text.line_wrap import wrapper


def print_error(sentence: str) -> None:
    """Print a sentence after the name of the program. In a terminal, no line is broken inside a word."""
    text = f"parlour: {sentence}"
    if sys.stderr.isatty():
        text = "\n".join(wrapper(os.get_terminal_size(sys.stderr.fileno()).columns).wrap(text))
    print(text, file=sys.stderr, flush=True)
