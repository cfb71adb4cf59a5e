"""`parlour bots`: what it needs to be told. What it does is in tests/e2e/test_computer.py."""

from __future__ import annotations

import pytest

from parlour.cli import main


def test_it_needs_the_redis_of_the_nodes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one it says which option is missing."""
    monkeypatch.delenv("PARLOUR_REDIS", raising=False)

    assert main(["bots"]) == 2
    assert "--redis" in capsys.readouterr().err


def test_it_needs_something_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    """No workers are none too few."""
    assert main(["bots", "--redis", "redis://localhost", "--bot-workers", "0"]) == 2
    assert "nothing to do" in capsys.readouterr().err


def test_a_redis_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with a sentence, not with a traceback."""
    assert main(["bots", "--redis", "unix:///nowhere/at/all"]) == 1
    assert "no such socket" in capsys.readouterr().err
