"""`parlour worker`: the settings it needs. What it does is tested in tests/e2e/test_computer.py."""

from __future__ import annotations

import pytest

from parlour.cli import main


def test_it_needs_the_redis_of_the_nodes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a Redis it names the missing option."""
    monkeypatch.delenv("PARLOUR_REDIS", raising=False)

    assert main(["worker"]) == 2
    assert "--redis" in capsys.readouterr().err


def test_it_needs_processes(capsys: pytest.CaptureFixture[str]) -> None:
    """Zero processes are refused."""
    assert main(["worker", "--redis", "redis://localhost", "--bot-workers", "0"]) == 2
    assert "nothing to do" in capsys.readouterr().err


def test_an_unreachable_redis(capsys: pytest.CaptureFixture[str]) -> None:
    """It exits with a sentence, without a traceback."""
    assert main(["worker", "--redis", "unix:///nowhere/at/all"]) == 1
    assert "no such socket" in capsys.readouterr().err
