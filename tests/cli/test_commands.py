"""The list of commands."""

from __future__ import annotations

from importlib.util import find_spec

from parlour.cli.commands import COMMANDS, GROUPS, overview


def test_every_command_has_a_module() -> None:
    """Each command is listed once, and its module exists."""
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
    for command in COMMANDS.values():
        assert find_spec(command.module_name) is not None, command


def test_the_overview() -> None:
    """Commands are listed under the title of their group."""
    assert "\nhost:\n  serve       start a server\n" in overview()
