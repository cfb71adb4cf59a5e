"""The keys of a table."""

from __future__ import annotations

from parlour.terminal.full_screen.key_map import TABLE_KEYS, KeyMap, fit
from parlour.terminal.ui.table_action import TableAction


def test_every_action_has_a_key() -> None:
    """Actions that can be possible at the same time have different keys."""
    assert set(TABLE_KEYS) == set(TableAction)
    shared = {TableAction.DECLINE, TableAction.WITHDRAW, TableAction.NEW_GAME}
    keys = [key for action, each in TABLE_KEYS.items() if action not in shared for key in each.keys]
    assert len(keys) == len(set(keys))


def test_a_user_may_choose_other_keys() -> None:
    """The chosen keys take the place of the usual ones, by character or by name; unknown actions are ignored."""
    keys = KeyMap({"resign": "X ctrl+r", "chat": "", "dance": "d"})
    assert keys.actions("X", "X") == [TableAction.RESIGN]
    assert keys.actions("ctrl+r", "\x12") == [TableAction.RESIGN]
    assert keys.actions("Q", "Q") == []
    assert keys.actions("C", "C") == [TableAction.CHAT]
    assert keys.shown(TableAction.RESIGN) == "X"
    assert KeyMap({"resign": "ctrl+r"}).shown(TableAction.RESIGN) == "Ctrl+r"
    assert keys.hints([TableAction.CHOOSE, TableAction.RESIGN], {TableAction.RESIGN: "give up"}) == [
        "Enter choose",
        "X give up",
    ]


def test_a_key_line_is_never_clipped() -> None:
    """What does not fit is left out as a whole, the least important first; the last hints stay."""
    hints = ["C chat", "V replay", "F rotate", "? keys", "q leave"]
    assert fit(hints, 80, 2) == "C chat  V replay  F rotate  ? keys  q leave"
    assert fit(hints, 42, 2) == "C chat  V replay  ? keys  q leave"
    assert fit(hints, 20, 2) == "? keys  q leave"
