"""The settings file."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.ui.settings import Settings, SettingsFile


def test_settings_are_kept(tmp_path: Path) -> None:
    """What is written is read the next time, in folders that are made for it."""
    file = SettingsFile(tmp_path / "deep" / "terminal.json")

    assert file.read() == Settings()
    file.write(Settings(bell=False, pace="5+3"))
    assert SettingsFile(file.path).read() == Settings(bell=False, pace="5+3")


def test_a_broken_file_is_no_obstacle(tmp_path: Path) -> None:
    """It counts as empty, and a place that cannot be written to is done without."""
    path = tmp_path / "terminal.json"
    path.write_text('{"bell": "loud"}')
    assert SettingsFile(path).read() == Settings()
    SettingsFile(path / "below" / "a" / "file").write(Settings())
