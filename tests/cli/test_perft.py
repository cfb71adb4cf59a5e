"""`parlour perft`, as a process."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from parlour import games

NEAR_THE_END = "......../......../......../...B..../......../......../W......./........ w"
OVER = "......../......../......../...B..../......../......../......../W....... -"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", "perft", *arguments], capture_output=True, encoding="utf-8", check=False
    )


def lines(*arguments: str) -> list[str]:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def counted(*arguments: str) -> int:
    """Return the number in the last line."""
    last = re.fullmatch(
        r"([0-9,]+) after \d+ moves \(\d+\.\d\d s, (too few to time|[0-9,]+ positions per second)\)",
        lines(*arguments)[-1],
    )
    assert last
    return int(last[1].replace(",", ""))


@pytest.mark.parametrize(
    ("key", "depth", "count"),
    [("isaac", 1, 600), ("mitsudomoe", 3, 6287), ("mapello", 4, 198), ("replica", 2, 1849), ("replica", 0, 1)],
)
def test_counts(key: str, depth: int, count: int) -> None:
    """The counts agree with other implementations."""
    assert counted(key, str(depth)) == count


def test_it_prints_one_line() -> None:
    """Without --divide the output is only the count."""
    assert len(lines("replica", "1")) == 1
    assert lines("replica", "1")[0].startswith("43 after 1 moves (")


@pytest.mark.parametrize("key", games.keys())
def test_divide_adds_up(key: str) -> None:
    """--divide has a line for each first move, sorted by text, and their counts add up to the total."""
    game = games.find(key)
    state = game.initial(game.options({}))
    depth = "1" if key == "isaac" else "2"
    *parts, _ = lines(key, depth, "--divide")
    counts = dict(part.rsplit(": ", 1) for part in parts)

    assert list(counts) == sorted(game.write(state, move) for move in game.moves(state))
    assert sum(int(count.replace(",", "")) for count in counts.values()) == counted(key, depth)


def test_options_change_the_count() -> None:
    """--options takes a JSON object."""
    assert counted("replica", "2", "--options", '{"size": 16, "sight": "forward"}') == 1849
    assert counted("mitsudomoe", "1", "--options", '{"passive": false}') == 9


def test_a_position_to_start_from() -> None:
    """--position counts from that position."""
    assert lines("replica", "2", "--position", NEAR_THE_END, "--divide")[:-1] == ["a2-a1: 0"]
    assert counted("replica", "1", "--position", NEAR_THE_END) == 1


def test_a_finished_position() -> None:
    """Only the empty sequence starts at a finished position."""
    assert counted("replica", "0", "--position", OVER) == 1
    assert counted("replica", "3", "--position", OVER) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", "1"), "There is no game “chess”. Games here: isaac, mapello, mitsudomoe, replica. [game_unknown]"),
        (("replica", "1", "--position", "x"), "A Replica position is its rows and then w, b or -"),
        (("replica", "1", "--options", '{"size": 9}'), "size must be one of 8, 12, 16. [option_invalid]"),
        (("replica", "1", "--options", '{"sise": 8}'), "There is no option “sise”."),
        (("replica", "1", "--options", "size=8"), "--options must be a JSON object such as"),
    ],
)
def test_refusals(arguments: tuple[str, ...], words: str) -> None:
    """Input that the rules refuse gives one sentence with its code, and exit code 2."""
    done = run(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"parlour: {words}")


@pytest.mark.parametrize("depth", ["-1", "100", "x", "", "1.5", "1e1", "٣", "²", " 1", "9" * 5000])
def test_a_depth_is_a_small_number(depth: str) -> None:
    """Anything but 0 to 99 is refused with a sentence after the usage."""
    done = run("replica", depth)

    assert done.returncode == 2
    assert done.stderr.startswith("usage: parlour perft")
    assert done.stderr.endswith("argument DEPTH: it must be a whole number from 0 to 99\n")


@pytest.mark.parametrize("arguments", [(), ("replica",), ("replica", "1", "2"), ("replica", "1", "--colour")])
def test_missing_and_unknown_arguments(arguments: tuple[str, ...]) -> None:
    """They are refused with the usage."""
    done = run(*arguments)

    assert done.returncode == 2
    assert done.stderr.startswith("usage: parlour")
    assert "Traceback" not in done.stderr
