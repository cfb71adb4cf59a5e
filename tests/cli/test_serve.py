"""`parlour serve` without starting a node: its help, --check and errors."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.server.configuration.settings import SETTINGS


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore settings in the environment of the tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)


def run(*arguments: str) -> int:
    return main(["serve", *arguments])


def test_help_lists_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """The help has each setting with its option, metavar, default and variable."""
    with pytest.raises(SystemExit) as ended:
        run("--help")

    output = capsys.readouterr().out
    assert ended.value.code == 0
    for setting in SETTINGS.values():
        (line,) = (line for line in output.splitlines() if line.endswith(f"; {setting.variable})"))
        assert f"{setting.help} (default: " in line
        assert f"  {setting.option} {setting.type.metavar}" in output
    assert "(default: 8765; PARLOUR_PORT)" in output


def test_help_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    """The help prints in any locale."""
    with pytest.raises(SystemExit):
        run("--help")

    assert capsys.readouterr().out.isascii()


def test_check_prints_the_settings(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """--check prints values and sources as TOML, and starts nothing."""
    monkeypatch.setenv("PARLOUR_CHAT_RATE", "3")
    Path("parlour.toml").write_text("fsync = 'always'", "utf-8")

    code = run("--check", "--port", "0", "--nodes", "ws://a/ws", "--nodes", "ws://b/ws")

    output = capsys.readouterr().out
    assert code == 0
    assert tomllib.loads(output) == {
        "port": 0, "nodes": ["ws://a/ws", "ws://b/ws"], "chat_rate": 3, "fsync": "always",
    }  # fmt: skip
    sources = {line.split(" = ")[0]: line.split("  # ")[-1] for line in output.splitlines() if " = " in line}
    assert sources["port"] == "--port"
    assert sources["chat_rate"] == "PARLOUR_CHAT_RATE"
    assert sources["fsync"] == str(Path("parlour.toml").absolute())
    assert sources["# host"] == "default"


def test_a_bad_setting_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2, and standard error has one line that says what is allowed."""
    assert run("--port", "http") == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == "parlour: --port is “http”: it must be a whole number from 0 to 65535.\n"


def test_options_are_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    """An abbreviated option could change its meaning when another one is added."""
    with pytest.raises(SystemExit) as ended:
        run("--max-conn", "5")

    assert ended.value.code == 2
    assert "--max-conn" in capsys.readouterr().err
