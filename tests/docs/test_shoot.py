"""Screenshots of the terminal client."""

from __future__ import annotations

import pytest
from docs.shoot import PICTURES, SHOTS, slim

from parlour import games

SCREENSHOT = """\
<svg class="rich-terminal" viewBox="0 0 994 635.5999" xmlns="http://www.w3.org/2000/svg">
    <!-- Generated -->
    <style>
    @font-face { font-family: "Fira"; src: url("https://example.org/fira.woff"); }
    .terminal-12345-r1 { fill: #c5c8c6; font-family: Fira Code, monospace; }
    </style>
    <defs><clipPath id="terminal-12345-clip"><rect width="10"/></clipPath></defs>
    <g clip-path="url(#terminal-12345-clip)"><text class="terminal-12345-r1">a&#160;b</text></g>
</svg>
"""


def test_every_game_has_a_screenshot() -> None:
    """Each position can be read by the rules of its game."""
    assert set(SHOTS) == set(games.keys())
    for key, (position, _, _) in SHOTS.items():
        game = games.find(key)
        assert game.print(game.parse(position, game.options({}))) == position


def test_a_slim_screenshot_fetches_nothing() -> None:
    """Fonts and clip paths are dropped, numbers are rounded, and the same screen always has the same text."""
    assert slim(SCREENSHOT, "Replica in a terminal") == (
        '<svg class="rich-terminal" viewBox="0 0 994 635.59" xmlns="http://www.w3.org/2000/svg">'
        "<title>Replica in a terminal</title>\n"
        "<style>\n"
        ".terminal-r1 { fill: #c5c8c6; font-family: monospace; }\n"
        "</style>\n"
        "<defs></defs>\n"
        '<g><text class="terminal-r1">a\u00a0b</text></g>\n'
        "</svg>\n"
    )


@pytest.mark.parametrize("key", games.keys())
def test_the_screenshots_are_slim(key: str) -> None:
    """The committed files are as `slim` leaves them."""
    text = (PICTURES / f"terminal-{key}.svg").read_text("utf-8")
    assert slim(text, "").replace("<title></title>", "", 1) == text
