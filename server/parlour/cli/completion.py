"""`parlour completion`: print a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse

from parlour.cli.commands import add_command

SHELLS = ("bash", "zsh", "fish")

DESCRIPTION = """\
Print a script that completes the commands and options of parlour in your shell. Load it in the file that your shell
reads when it starts.
"""

EPILOG = """\
examples:
  eval "$(parlour completion bash)"             in ~/.bashrc
  eval "$(parlour completion zsh)"              in ~/.zshrc
  parlour completion fish | source              in ~/.config/fish/config.fish
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "completion",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import shtab  # noqa: PLC0415  # only needed here

    from parlour.cli import full_parser  # noqa: PLC0415  # which imports this module

    print(shtab.complete(full_parser(), arguments.shell))
    return 0
