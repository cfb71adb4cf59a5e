"""The command `parlour` as a whole."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", *arguments], capture_output=True, encoding="utf-8", check=False
    )


@cache
def commands() -> list[str]:
    """Every command there is, as a refusal lists them."""
    listed = re.search(r"choose from (.*)\)", run("nonsense").stderr)
    assert listed
    return re.findall(r"\w+", listed[1])


def test_the_first_commands_are_there() -> None:
    """Playing, asking the rules, counting and telling a match."""
    assert {"play", "rules", "perft", "transcript"} <= set(commands())


def test_the_help_teaches() -> None:
    """It says what Parlour is, lists every command with a few words, and has examples that can be typed."""
    done = run("--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert "Parlour plays abstract board games for two" in done.stdout
    for command in commands():
        assert re.search(rf"^    {command}\s+\w+", done.stdout, re.MULTILINE), command
    for option in ("--version", "--games DIR", "PARLOUR_GAMES"):
        assert option in done.stdout
    assert "examples:\n  parlour serve " in done.stdout


def test_every_command_has_help() -> None:
    """`parlour COMMAND --help` tells more, with its usage first."""
    for command in commands():
        done = run(command, "--help")

        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"usage: parlour {command} ")
        assert len(done.stdout.splitlines()) > 8


def test_the_examples_can_be_typed() -> None:
    """The examples of the help that end by themselves do what they say."""
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
    """--version is the version of the project."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert run("--version").stdout == f"parlour {project['version']}\n"


def test_the_script_is_the_module() -> None:
    """The installed `parlour` does the same as `python -m parlour.cli`."""
    script = Path(sys.executable).with_name("parlour")
    done = subprocess.run([script, "--version"], capture_output=True, encoding="utf-8", check=False)

    assert done.stdout == run("--version").stdout


@pytest.mark.parametrize("arguments", [("nonsense",), ("--nonsense",), (), ("",), ("perft replica 1",), ("--games",)])
def test_what_is_no_command(arguments: tuple[str, ...]) -> None:
    """It is refused with exit code 2 and the usage, never with a traceback."""
    done = run(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: parlour [-h]")
    assert "Traceback" not in done.stderr


def test_a_refusal_is_a_sentence() -> None:
    """What is refused inside a command is one line with its code, and exit code 2."""
    done = run("perft", "chess", "1")

    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"parlour: .*\. \[game_unknown\]\n", done.stderr)


@pytest.mark.parametrize("arguments", [("perft", b"\xff", "1"), ("perft", "replica", "1", "--position", b"\xff\xfe w")])
def test_arguments_that_are_no_text(arguments: tuple[str | bytes, ...]) -> None:
    """Bytes that are not UTF-8 are refused like any other wrong name."""
    done = subprocess.run([sys.executable, "-m", "parlour.cli", *arguments], capture_output=True, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith(b"parlour: ")
    assert b"Traceback" not in done.stderr


def test_an_interrupted_command_ends_quietly() -> None:
    """Ctrl-C in the middle of a long count exits with 130 and without a traceback."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "parlour.cli", "perft", "replica", "5", "--divide"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        # The first line shows that it is counting; more than forty times as much is left.
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()

    assert first.startswith("e7-d6: ")
    assert process.returncode == 130
    assert errors.strip() == ""


def test_a_reader_that_goes_away() -> None:
    """When nobody reads the output, as after `| head`, the command ends without a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "parlour.cli", "perft", "isaac", "1", "--divide"]
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        _, errors = process.communicate()

    assert errors == b""
    assert process.returncode == 141
