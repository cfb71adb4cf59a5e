"""All commands of `parlour`, by group. A module is only imported when its command is used, because that takes time."""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from parlour.cli.help_formatter import HelpFormatter


class Command(NamedTuple):
    """A subcommand: its module has `add_to`, which declares its arguments, and `run`."""

    name: str
    summary: str
    module: str = ""  # in this package; empty: the one of the same name

    @property
    def module_name(self) -> str:
        return f"parlour.cli.{self.module or self.name}"


GROUPS: dict[str, tuple[Command, ...]] = {
    "play": (
        Command("play", "play in the terminal, online or offline"),
        Command("bot", "play on a server with any program as the engine"),
        Command("token", "create a bot account and print its token"),
        Command("account", "export what a server has stored about you, or recover your account"),
    ),
    "host": (
        Command("serve", "start a server"),
        Command("cluster", "start several nodes on this machine"),
        Command("worker", "compute bot moves for the nodes of a cluster"),
        Command("admin", "act as an operator: players, games, nodes"),
        Command("backup", "write all data of a server to a file"),
        Command("restore", "fill an empty server with a backup"),
        Command("export", "write finished games or accounts to a file"),
        Command("import", "add games or accounts from a file", "imports"),
        Command("verify", "check game records"),
    ),
    "study the games": (
        Command("rules", "answer questions about the rules, as JSON Lines"),
        Command("think", "choose moves, as JSON Lines"),
        Command("match", "play two levels of the computer against each other"),
        Command("ladder", "rate every level of the computer"),
        Command("tournament", "organise tournaments, let the computer play some, and look at their logs"),
        Command("perft", "count move sequences of a given length"),
        Command("transcript", "print a game of random moves, ply by ply"),
    ),
    "develop": (
        Command("new-game", "write the package of a new game", "new_game"),
        Command("conform", "test a server or a client for conformance"),
        Command("chaos", "break a cluster while clients play on it, and check that nothing is lost"),
        Command("completion", "print a script that completes commands in your shell"),
    ),
}

COMMANDS = {command.name: command for group in GROUPS.values() for command in group}


def add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, **arguments: Any
) -> argparse.ArgumentParser:
    """Add and return the parser of a command, with its summary as its help."""
    return commands.add_parser(name, help=COMMANDS[name].summary, formatter_class=HelpFormatter, **arguments)


def overview() -> str:
    """Return the list of commands for the help."""
    width = max(map(len, COMMANDS)) + 2
    lines = []
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {command.name:<{width}}{command.summary}" for command in group)]
    return "\n".join(lines)
