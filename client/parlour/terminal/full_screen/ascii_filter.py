"""Characters for terminals without Unicode, also in what Textual draws by itself: the palette, scroll bars, borders."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import get_character_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS = {
    **dict.fromkeys("─━▁▔", "-"),
    **dict.fromkeys("│┃▏▕", "|"),
    **dict.fromkeys("▂▃▄▅▆▇█▌▐▊▋▍▎", " "),  # parts of a scroll bar, which has a colour of its own
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("‘’", "'"),
    "–": "-",
    "…": ".",
    "🔎": "/ ",
}


class AsciiFilter(LineFilter):
    """Replaces every character that is not ASCII by as many others as it takes columns."""

    def apply(self, segments: Sequence[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control or segment.text.isascii() else Segment(_ascii(segment.text), segment.style)
            for segment in segments
        ]


def _ascii(text: str) -> str:
    return "".join(char if char.isascii() else _SIGNS.get(char, "?" * get_character_cell_size(char)) for char in text)
