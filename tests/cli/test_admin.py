"""`parlour admin`: its arguments. `tests/e2e/test_operators.py` uses it on real servers."""

from __future__ import annotations

import re

import pytest

from parlour.cli import main
from parlour.cli.admin import _after, _date

ACTIONS = (
    "overview", "nodes", "rooms", "players", "find", "warn", "mute", "unmute", "suspend", "ban", "unban", "rename",
    "reset-password", "remove-rating", "adjudicate", "abort", "close", "announce", "drain", "resume", "delete", "audit",
    "token", "addresses", "ban-address", "unban-address", "tournaments", "cancel-tournament",
)  # fmt: skip


def test_the_help_lists_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence for each."""
    with pytest.raises(SystemExit):
        main(["admin", "--help"])
    printed = capsys.readouterr().out
    for action in ACTIONS:
        assert re.search(rf"^ +{action}\b", printed, re.MULTILINE), action


def test_a_token_fits_into_the_file_of_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the name of the operator and enough random characters; a name with a space is refused."""
    assert main(["admin", "token", "nora"]) == 0
    assert re.fullmatch(r"nora [\w-]{43}\n", capsys.readouterr().out)
    assert main(["admin", "token", "nora smith"]) == 2


def test_a_token_is_needed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says where it is read from."""
    monkeypatch.delenv("PARLOUR_ADMIN_TOKEN", raising=False)
    assert main(["admin", "nodes"]) == 2
    assert "PARLOUR_ADMIN_TOKEN" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["mute", "Sedge", "--reason", "x"], ["mute", "Sedge", "--for", "soon", "--reason", "x"], ["ban", "Sedge"]],
)
def test_what_is_missing_is_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A mute needs an end, and every action a reason."""
    with pytest.raises(SystemExit) as ended:
        main(["admin", *arguments])
    assert ended.value.code == 2
    assert "--" in capsys.readouterr().err


def test_times() -> None:
    """An end is given as a duration or as a date, in UTC without an offset."""
    assert _date("2027-01-31") == 1_801_353_600_000
    assert _date("2027-01-31T01:00+01:00") == 1_801_353_600_000
    assert _after("2h") - _after("1h") == pytest.approx(3_600_000, abs=60_000)
