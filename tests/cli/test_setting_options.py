"""Options that are derived from the settings of a node."""

from __future__ import annotations

import argparse
from ipaddress import ip_network
from pathlib import Path

import pytest

from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.server.configuration.setting_sources import SettingError
from parlour.server.configuration.settings import SECTIONS, SETTINGS


@pytest.fixture(autouse=True)
def _no_other_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore settings in the environment of the tests."""
    monkeypatch.chdir(tmp_path)
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)


def parser(*names: str) -> argparse.ArgumentParser:
    found = argparse.ArgumentParser()
    add_setting_options(found, names or SETTINGS)
    return found


def test_options_become_settings() -> None:
    """Options are parsed like any other source; a list option can be repeated."""
    arguments = parser().parse_args(["--port", "0", "--trusted-proxies", "::1", "--trusted-proxies", "10.0.0.0/8"])
    loaded = load_settings(arguments)

    assert loaded.settings.port == 0
    assert loaded.settings.trusted_proxies == (ip_network("::1"), ip_network("10.0.0.0/8"))
    assert loaded.sources["port"] == "--port"
    assert loaded.sources["host"] == "default"


def test_other_sources_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The environment and the file given by --config apply too."""
    (tmp_path / "a.toml").write_text("chat_rate = 3", "utf-8")
    monkeypatch.setenv("PARLOUR_MESSAGE_RATE", "4")
    settings = load_settings(parser().parse_args(["--config", "a.toml"])).settings

    assert (settings.chat_rate, settings.message_rate) == (3, 4)


def test_an_invalid_option_raises() -> None:
    """The error is that of the settings, so that all sources have the same wording."""
    with pytest.raises(SettingError, match=r"^--port is “x”: it must be a whole number from 0 to 65535\.$"):
        load_settings(parser().parse_args(["--port", "x"]))


def test_a_command_can_offer_some_settings(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the chosen settings are options, in their sections; empty sections do not show."""
    some = parser("redis", "log_level")

    with pytest.raises(SystemExit, match="0"):
        some.parse_args(["--help"])
    output = capsys.readouterr().out
    assert "--redis URL" in output
    assert "--port" not in output
    assert {section for section in SECTIONS.values() if f"\n{section}:\n" in output} == {"storage", "monitoring"}
    with pytest.raises(SystemExit, match="2"):
        some.parse_args(["--port", "1"])
