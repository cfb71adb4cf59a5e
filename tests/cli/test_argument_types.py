"""Command-line arguments that are checked like settings."""

from __future__ import annotations

import argparse

import pytest

from parlour.cli.argument_types import checked
from parlour.server.configuration.setting_types import duration, whole_number


def test_an_argument_is_converted() -> None:
    """The argument has the value that the setting type parses."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=checked(whole_number(1, 16)))
    parser.add_argument("--timeout", type=checked(duration(0, 60)))

    arguments = parser.parse_args(["--nodes", "3", "--timeout", "500ms"])

    assert (arguments.nodes, arguments.timeout) == (3, 0.5)


@pytest.mark.parametrize("text", ["0", "17", "x", "", "٣", "1.5"])
def test_an_error_names_the_argument_and_what_is_allowed(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """argparse prints the description of the setting type, and exits with 2."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--nodes", type=checked(whole_number(1, 16)))

    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(["--nodes", text])

    assert capsys.readouterr().err.endswith("argument --nodes: it must be a whole number from 1 to 16\n")
