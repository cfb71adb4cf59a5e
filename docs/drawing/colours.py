"""The colours of the pictures, by day and by lamplight.

A picture names its colours and holds both sets, so that it suits light and dark pages alike.
"""

from __future__ import annotations

from collections.abc import Iterable

# By day, by lamplight.
_COLOURS = {
    "frame": ("#7d5b3e", "#34271d"),
    "frame-edge": ("#9a7452", "#4b392b"),
    "frame-ink": ("#fdf3e1", "#e9d9bf"),
    "birch": ("#efe3ca", "#5d5141"),
    "birch-alt": ("#eadcbf", "#564a3b"),
    "birch-line": ("#d6c5a1", "#73654f"),
    "felt": ("#c3cfbf", "#46524a"),
    "felt-alt": ("#b6c4b2", "#3c4840"),
    "felt-line": ("#a3b39f", "#5c6a60"),
    "chart": ("#dfe3cd", "#4c543f"),
    "chart-alt": ("#d8ddc4", "#464e3a"),
    "chart-line": ("#bfc7a8", "#626b50"),
    "clay": ("#e6d5c1", "#6a5546"),
    "clay-alt": ("#c9a98d", "#4e3d32"),
    "clay-line": ("#b4937a", "#7b6351"),
    "sea": ("#b7cbd0", "#2c4149"),
    "wave": ("#9db7bf", "#3c5660"),
    "dark-top": ("#2c3647", "#1d2531"),
    "dark-edge": ("#121822", "#06090d"),
    "dark-rim": ("#55667f", "#9db4d6"),
    "dark-mark": ("#b9cae2", "#b9cae2"),
    "dark-ball": ("#3b4960", "#2e3b4f"),
    "dark-tint": ("#7f9fc4", "#44648c"),
    "dark-text": ("#28527f", "#9cc1ee"),
    "dark-number": ("#f2f6fc", "#f2f6fc"),
    "light-top": ("#fcf7ea", "#f0e6cf"),
    "light-edge": ("#c9b58d", "#a8946c"),
    "light-rim": ("#7c5c24", "#8d7140"),
    "light-mark": ("#8a5d17", "#85500c"),
    "light-ball": ("#f7eed8", "#eee1c4"),
    "light-tint": ("#ebc986", "#8b6d33"),
    "light-text": ("#85500c", "#efbd6c"),
    "light-number": ("#221f1a", "#221f1a"),
    "stone-top": ("#a8a294", "#8a8478"),
    "stone-edge": ("#77715f", "#4d483f"),
    "stone-rim": ("#5c574a", "#3a362f"),
    "stone-mark": ("#3d392f", "#221f1a"),
    "gold": ("#d99a1c", "#e8b04a"),
    "gold-edge": ("#8a5b06", "#6b4706"),
    "gold-ink": ("#3a2500", "#2c1c00"),
    "pick": ("#0b665a", "#7fe3cb"),
    "halo": ("#ffffff", "#0d1a17"),
    "last": ("#5b2c96", "#c8a2ff"),
    "card": ("#fffcf6", "#221f1b"),
    "card-line": ("#d8cebb", "#3b352d"),
    "ink": ("#221f1a", "#f1eadd"),
    "ink-2": ("#5a5346", "#b9ae9c"),
}

_PROPERTIES = {"fill": "fill", "line": "stroke"}


def style(used: Iterable[str]) -> str:
    """The rules for the classes in use, such as `fill-frame` and `line-ink`."""
    day: list[str] = []
    lamp: list[str] = []
    for name in sorted(used):
        kind, _, colour = name.partition("-")
        for rules, value in zip((day, lamp), _COLOURS[colour], strict=True):
            rules.append(f".{name}{{{_PROPERTIES[kind]}:{value}}}")
    return f"{''.join(day)}@media(prefers-color-scheme:dark){{{''.join(lamp)}}}"
