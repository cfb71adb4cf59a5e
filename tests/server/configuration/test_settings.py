"""The declarations of the settings."""

from __future__ import annotations

from parlour.server.configuration.settings import SECTIONS, SETTINGS


def test_names_follow_from_the_declaration() -> None:
    """A setting has an option and a variable of the same name, and a sentence of help without a full stop."""
    setting = SETTINGS["push_key_file"]

    assert (setting.option, setting.variable) == ("--push-key-file", "PARLOUR_PUSH_KEY_FILE")
    assert all(each.help and not each.help.endswith(".") for each in SETTINGS.values())


def test_sections_begin_with_a_setting() -> None:
    """Every section is named by its first setting, and the first setting of all begins one."""
    assert set(SECTIONS) <= set(SETTINGS)
    assert next(iter(SETTINGS)) in SECTIONS
