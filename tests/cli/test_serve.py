"""`parlour serve` as far as it goes without a node: its help, its settings, its refusals."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

import pytest

from parlour.cli import serve
from parlour.server.config import SETTINGS


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file or variable of whoever runs the tests has a say."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    for setting in SETTINGS.values():
        monkeypatch.delenv(setting.variable, raising=False)


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser(prog="parlour")
    serve.add_to(parser.add_subparsers())
    parsed = parser.parse_args(["serve", *arguments])
    code: int = parsed.run(parsed)
    return code


def test_help_tells_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """Each setting is there with its option, its default and its variable; only what is for developers is hidden."""
    with pytest.raises(SystemExit) as ended:
        run("--help")

    told = capsys.readouterr().out
    assert ended.value.code == 0
    shown = [setting for setting in SETTINGS.values() if not setting.hidden]
    assert len(shown) == len(SETTINGS) - 1
    for setting in shown:
        (line,) = (line for line in told.splitlines() if line.endswith(f"; {setting.variable})"))
        assert f"{setting.help} (default: " in line
        assert f"  {setting.option} {setting.kind.metavar}" in told
    assert "PARLOUR_STATIC" not in told
    assert "(default: 8765; PARLOUR_PORT)" in told


def test_help_is_read_on_any_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """It is ASCII, so that no locale can break it."""
    with pytest.raises(SystemExit):
        run("--help")

    assert capsys.readouterr().out.isascii()


def test_check_prints_the_settings(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """--check tells values and sources as TOML, and starts nothing."""
    monkeypatch.setenv("PARLOUR_CHAT_RATE", "3")
    Path("parlour.toml").write_text("fsync = 'always'", "utf-8")

    code = run("--check", "--port", "0", "--nodes", "ws://a/ws", "--nodes", "ws://b/ws")

    told = capsys.readouterr().out
    assert code == 0
    assert tomllib.loads(told) == {
        "port": 0, "nodes": ["ws://a/ws", "ws://b/ws"], "chat_rate": 3, "fsync": "always",
    }  # fmt: skip
    sources = {line.split(" = ")[0]: line.split("  # ")[-1] for line in told.splitlines() if " = " in line}
    assert sources["port"] == "--port"
    assert sources["chat_rate"] == "PARLOUR_CHAT_RATE"
    assert sources["fsync"] == str(Path("parlour.toml").absolute())
    assert sources["# host"] == "default"


def test_a_bad_setting_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2, and standard error has one line that says what would be right."""
    assert run("--port", "http") == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "parlour: --port is “http”: it must be a whole number from 0 to 65535.\n"


def test_options_are_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    """A shortened option would change its meaning when a new one is added."""
    with pytest.raises(SystemExit) as ended:
        run("--max-conn", "5")

    assert ended.value.code == 2
    assert "--max-conn" in capsys.readouterr().err
