"""The command `parlour` as a whole."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from parlour.cli import full_parser
from parlour.cli.commands import COMMANDS

TOP = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments], capture_output=True, encoding="utf-8", check=False
    )


@cache
def commands() -> list[str]:
    """Return all commands, as listed in the error for an unknown one."""
    listed = re.search(r"choose from (.*)\)", run("nonsense").stderr)
    assert listed
    return re.findall(r"[\w-]+", listed[1])


def test_the_basic_commands_exist() -> None:
    """There are commands to play, to query the rules, to count moves and to print a game."""
    assert {"play", "rules", "perft", "transcript"} <= set(commands())


def test_the_help_has_commands_and_examples() -> None:
    """It says what Parlour is, describes every command, and has examples."""
    done = run("--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Parlour plays abstract board games for two" in done.stdout
    for command in commands():
        assert re.search(rf"^  {command}\s+\w+", done.stdout, re.MULTILINE), command
    for option in ("--version", "--games DIR", "PARLOUR_GAMES"):
        assert option in done.stdout
    assert "examples:\n  parlour serve " in done.stdout
    bare = run()
    assert (bare.returncode, bare.stdout, bare.stderr) == (0, done.stdout, "")


def test_the_overview_and_the_commands_agree() -> None:
    """The summary of a command in the overview is the one that its own module has."""
    full = full_parser()
    (subparsers,) = (action for action in full._actions if isinstance(action, argparse._SubParsersAction))
    summaries = {action.dest: action.help for action in subparsers._get_subactions()}
    assert summaries == {command.name: command.summary for command in COMMANDS.values()}


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_help_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No line of any help is wider than the terminal, unless it is a single word, so none is broken inside a word."""
    monkeypatch.setenv("COLUMNS", str(columns))
    parsers = [full_parser()]
    for parser in parsers:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
        wide = [line for line in parser.format_help().splitlines() if len(line) > columns and " " in line.strip()]
        # argparse never breaks inside the brackets of an option.
        assert [line for line in wide if not re.fullmatch(r"\s*\[--[^]]+\]", line)] == [], parser.prog
    assert len(parsers) > len(COMMANDS)


def test_every_command_has_help() -> None:
    """`parlour COMMAND --help` starts with the usage and says more than the overview."""
    for command in commands():
        done = run(command, "--help")

        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"usage: parlour {command} ")
        assert len(done.stdout.splitlines()) > 8


def test_the_examples_work() -> None:
    """The examples in the help that need no input run without errors."""
    examples = re.findall(
        r"^  (parlour perft .*?|echo .*? \| parlour rules)(?:  |$)", run("--help").stdout, re.MULTILINE
    )

    assert len(examples) == 2
    for example in examples:
        typed = example.replace("parlour", f"'{sys.executable}' -m parlour.cli")
        done = subprocess.run(typed, shell=True, capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, done.stderr) == (0, ""), example
        assert done.stdout


def test_the_version() -> None:
    """--version prints the version of the project."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert run("--version").stdout == f"parlour {project['version']}\n"


def test_the_script_is_the_module() -> None:
    """The installed script `parlour` is the same as `python -m parlour.cli`."""
    script = Path(sys.executable).with_name("parlour")
    done = subprocess.run([script, "--version"], capture_output=True, encoding="utf-8", check=False)

    assert done.stdout == run("--version").stdout


@pytest.mark.parametrize("arguments", [("nonsense",), ("--nonsense",), ("",), ("perft replica 1",), ("--games",)])
def test_unknown_commands(arguments: tuple[str, ...]) -> None:
    """They are refused with exit code 2 and the usage, without a traceback."""
    done = run(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: parlour [-h]")
    assert "Traceback" not in done.stderr


def test_a_refusal_is_a_sentence() -> None:
    """A refusal inside a command is one line with its code, and exit code 2."""
    done = run("perft", "chess", "1")

    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"parlour: .*\. \[game_unknown\]\n", done.stderr)


@pytest.mark.parametrize("arguments", [("perft", b"\xff", "1"), ("perft", "replica", "1", "--position", b"\xff\xfe w")])
def test_arguments_that_are_not_text(arguments: tuple[str | bytes, ...]) -> None:
    """Bytes that are not UTF-8 are refused like any other unknown name."""
    done = subprocess.run([sys.executable, "-m", "parlour.cli", *arguments], capture_output=True, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith(b"parlour: ")
    assert b"Traceback" not in done.stderr


def test_an_interrupted_command_exits_quietly() -> None:
    """Ctrl-C during a long count gives exit code 130 and no traceback."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "parlour.cli", "perft", "replica", "5", "--divide"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        # The first line shows that it is counting, with most of the work still to do.
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()

    assert first.startswith("e7-d6: ")
    assert process.returncode == 130
    assert errors.strip() == ""


def test_a_closed_output() -> None:
    """If the reader of the output has exited, as `| head` does, the command exits without a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "parlour.cli", "perft", "isaac", "1", "--divide"]
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        _, errors = process.communicate()

    assert errors == b""
    assert process.returncode == 141
