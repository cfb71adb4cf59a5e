"""The name and the password of the account that a command signs in to."""

from __future__ import annotations

import argparse
import io
import sys

import pytest

from parlour.cli.account_argument import add_account_argument, credentials
from parlour.protocol.errors import ErrorCode, Refusal


def test_the_name_is_an_argument() -> None:
    """It may be left out."""
    parser = argparse.ArgumentParser()
    add_account_argument(parser)

    assert parser.parse_args(["--account", "Ann"]).account == "Ann"
    assert parser.parse_args([]).account is None


def test_the_password_is_read_from_the_environment_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it is the first line of standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("piped \r\nmore\n"))

    assert credentials("Ann", {"PARLOUR_PASSWORD": "set"}, new=False) == ("Ann", "set")
    assert credentials("Ann", {}, new=True) == ("Ann", "piped ")


def test_without_a_terminal_the_name_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is for the password then."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("secret\n"))

    with pytest.raises(Refusal) as caught:
        credentials(None, {}, new=False)

    assert caught.value.code == ErrorCode.OPTION_INVALID
    assert caught.value.sentence.startswith("--account is required")
