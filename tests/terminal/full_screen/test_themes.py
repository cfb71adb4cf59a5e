"""The colours of the screens."""

from __future__ import annotations

import pytest

from parlour.terminal.drawing import Colours, Style, Theme
from parlour.terminal.full_screen.themes import SCREEN_THEMES, chosen_style, screen_theme
from parlour.terminal.ui.settings import Settings


def test_each_theme_of_the_board_has_one_of_the_screen() -> None:
    """With few colours or none, the terminal's own are used."""
    names = [screen_theme(Style(colours=Colours.TRUE, theme=theme)) for theme in Theme]
    assert names == [theme.name for theme in SCREEN_THEMES]
    assert {screen_theme(Style(colours=colours)) for colours in (Colours.NONE, Colours.SIXTEEN)} == {"textual-ansi"}


@pytest.mark.parametrize(
    ("theme", "shown"), [("auto", Theme.LIGHT), ("dark", Theme.DARK), ("contrast", Theme.CONTRAST)]
)
def test_the_user_has_the_last_word(theme: str, shown: Theme) -> None:
    """Theme and characters can be chosen; the number of colours is that of the terminal."""
    terminal = Style(True, Colours.MANY, Theme.LIGHT)
    settings = Settings(theme=theme, characters="ascii")  # type: ignore[arg-type]
    assert chosen_style(settings, terminal) == Style(False, Colours.MANY, shown)
    assert chosen_style(Settings(), terminal) == terminal
