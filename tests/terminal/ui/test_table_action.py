"""What can be done at a table."""

from __future__ import annotations

from parlour.terminal.ui.table_action import TableAction


def test_names_are_fit_for_the_settings_file() -> None:
    """Every action has a lower-case name of its own, which users write to bind a key."""
    names = [action.value for action in TableAction]

    assert all(name.replace("_", "").isalpha() and name.islower() for name in names)
    assert len(set(names)) == len(names)
