"""The arguments of commands in which levels of the computer play each other."""

from __future__ import annotations

import argparse

import pytest

from parlour.cli.selfplay_arguments import add_arguments, scale


def test_the_defaults() -> None:
    """The first seed, all of the thinking time, and a process for each processor."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    arguments = parser.parse_args([])
    assert (arguments.seed, arguments.scale) == (1, 1.0)
    assert arguments.processes >= 1


@pytest.mark.parametrize("text", ["0", "-1", "101", "nan"])
def test_impossible_factors_are_refused(text: str) -> None:
    """A level needs some time to think, and no match takes more than a hundred times as long."""
    with pytest.raises(argparse.ArgumentTypeError):
        scale(text)
