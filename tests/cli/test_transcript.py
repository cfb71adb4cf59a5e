"""`parlour transcript`, as somebody runs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour import games
from parlour.protocol.scene import scene_hash


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", "transcript", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def told(*arguments: str) -> list[str]:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_head_says_how_to_tell_it_again() -> None:
    """Game, rules version, all options with their values, and the seed."""
    assert told("replica", "--seed", "4", "--options", '{"size": 12}')[:3] == [
        "game:     Replica (replica), rules version 1",
        'options:  {"kings":"unlimited","sight":"all","size":12}',
        "seed:     4",
    ]


def test_the_same_seed_tells_the_same_match() -> None:
    """Another seed tells another one, and 0 is the default."""
    assert told("mapello") == told("mapello", "--seed", "0")
    assert told("mapello") != told("mapello", "--seed", "1")


def test_one_ply() -> None:
    """A ply shows position, side, legal moves, picks, move and marks."""
    lines = told("mapello", "--seed", "0")

    assert lines[3:12] == [
        "",
        "ply 1",
        "position: ####J#####/##.*..*.##/#.....#..#/J*#.....*J/J...XO...#/#...OX..*#/#*.....#.J/J..#.....#"
        "/##.*...*##/###J###J## b 0,0",
        "to move:  Black",
        "legal:    4",
        "          d5  e4  f7  g6",
        "picks:    g6 = 56",
        "played:   g6",
        "marks:    last g6; turned f6",
    ]


def test_long_lists_are_cut() -> None:
    """After forty moves the rest is a number, and no line of moves is wider than 100 columns."""
    lines = told("isaac")
    first = lines.index("legal:    600")
    moves = lines[first + 1 : lines.index(next(line for line in lines if line.startswith("picks:")))]

    assert len(moves) > 1
    assert moves[-1].endswith(" … and 560 more")
    assert sum(len(line.split("  ")) for line in (line.strip() for line in moves)) == 41
    assert max(map(len, moves)) <= 100
    assert all(line.startswith("          ") for line in moves)


@pytest.mark.parametrize("key", games.keys())
def test_the_end(key: str) -> None:
    """It says who won and why, the points where there are any, and a check of the last scene."""
    lines = told(key, "--seed", "1")
    end = lines[-7:]

    assert [line.partition(":")[0] for line in end[1:]] == [
        "position", "to move", "winner", "reason", "scores", "scene",
    ]  # fmt: skip
    assert end[0] == f"end after {sum(line.startswith('played:') for line in lines)} plies"
    assert end[2] == "to move:  nobody"


def test_a_skipped_turn_is_noted() -> None:
    """The note that players see is there."""
    assert "note:     White had no move." in told("mapello", "--seed", "0")


def test_a_match_may_begin_anywhere() -> None:
    """--position begins there; a finished one is told as it is."""
    game = games.find("replica")
    won = "......../......../...w..../......../...w..../..bb..../......../W......b -"

    assert told("replica", "--position", won)[3:] == [
        "",
        "end after 0 plies",
        f"position: {won}",
        "to move:  nobody",
        "winner:   white",
        "reason:   goal, a king reached the far corner",
        "scores:   none",
        f"scene:    {scene_hash(game.scene(game.parse(won, game.options({})))):08x}",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess",), "There is no game “chess”."),
        (("replica", "--options", '{"size": 9}'), "size must be one of 8, 12, 16."),
        (("replica", "--position", "x"), "A Replica position is"),
        (("replica", "--seed", "-1"), "N is a whole number from 0 to"),
        (("replica", "--seed", "1.5"), "N is a whole number from 0 to"),
        (("replica", "--seed", "٣"), "N is a whole number from 0 to"),
        (("replica", "--seed", "9" * 5000), "N is a whole number from 0 to"),
        ((), "required: GAME"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], words: str) -> None:
    """They are refused with exit code 2 and a sentence."""
    done = run(*arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
