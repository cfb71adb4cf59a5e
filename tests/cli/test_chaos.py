"""The arguments of `parlour chaos`. `tests/chaos/test_command.py` has what it does with them."""

from __future__ import annotations

import pytest

from parlour.chaos.faults import KINDS
from parlour.cli import main


@pytest.mark.parametrize(
    "options",
    [
        ("--nodes", "1"),
        ("--games", "0"),
        ("--minutes", "0"),
        ("--minutes", "46"),
        ("--minutes", "soon"),
        ("--faults", "earthquake"),
        ("--faults", ","),
        ("--seed", "-1"),
    ],
)
def test_invalid_options(options: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused before anything is started."""
    with pytest.raises(SystemExit, match="2"):
        main(["chaos", *options])
    assert options[0] in capsys.readouterr().err


def test_the_help_lists_the_faults(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with what it does."""
    with pytest.raises(SystemExit, match="0"):
        main(["chaos", "--help"])
    text = capsys.readouterr().out
    assert [name for name in KINDS if f"  {name} " not in text] == []
