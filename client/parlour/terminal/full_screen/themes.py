"""The colours of the screens around the board, in the same themes as the board."""

from __future__ import annotations

from textual.theme import Theme as ScreenTheme

from parlour.terminal.drawing import Colours, Ground, Ink, Style, Theme
from parlour.terminal.ui.settings import Settings

_BARS = {Theme.DARK: "#2b2621", Theme.LIGHT: "#e2d8c5", Theme.CONTRAST: "#303030"}  # title, open lines, selected rows
_FEW_COLOURS = "textual-ansi"  # Textual's own theme, which leaves the colours to the terminal


def _theme(theme: Theme) -> ScreenTheme:
    def colour(role: Ink | Ground) -> str:
        return f"#{role.colour(theme):06x}"

    return ScreenTheme(
        name=f"parlour-{theme.name.lower()}",
        primary=colour(Ink.PICK),
        secondary=colour(Ink.FAINT),
        accent=colour(Ink.PICK),
        warning=colour(Ink.GOLD),
        foreground=colour(Ink.TEXT),
        background=colour(Ground.PAGE),
        surface=_BARS[theme],
        panel=_BARS[theme],
        dark=theme is not Theme.LIGHT,
    )


SCREEN_THEMES = tuple(_theme(theme) for theme in Theme)


def screen_theme(style: Style) -> str:
    """Return the name of the theme that goes with a style."""
    if style.colours in (Colours.NONE, Colours.SIXTEEN):
        return _FEW_COLOURS
    return f"parlour-{style.theme.name.lower()}"


def chosen_style(settings: Settings, terminal: Style) -> Style:
    """Return the style of the terminal, with the user's changes."""
    unicode = {"auto": terminal.unicode, "unicode": True, "ascii": False}[settings.characters]
    themes = {"auto": terminal.theme, "dark": Theme.DARK, "light": Theme.LIGHT, "contrast": Theme.CONTRAST}
    return Style(unicode, terminal.colours, themes[settings.theme])
