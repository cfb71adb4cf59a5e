"""`parlour transcript`, as a process."""

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


def transcript(*arguments: str) -> list[str]:
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_header() -> None:
    """It has the game, its rules version, all options and the seed, which is enough to reproduce the transcript."""
    assert transcript("replica", "--seed", "4", "--options", '{"size": 12}')[:3] == [
        "game:     Replica (replica), rules version 2",
        'options:  {"blocked_by":"enemies","kings":"unlimited","sight":"all","size":12}',
        "seed:     4",
    ]


def test_the_same_seed_gives_the_same_transcript() -> None:
    """Another seed gives another one, and 0 is the default."""
    assert transcript("mapello") == transcript("mapello", "--seed", "0")
    assert transcript("mapello") != transcript("mapello", "--seed", "1")


def test_one_ply() -> None:
    """A ply has the position, the side to move, the legal moves, picks, move and marks."""
    lines = transcript("mapello", "--seed", "0")

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


def test_long_lists_are_truncated() -> None:
    """Only forty legal moves are listed, and no line of moves is wider than 100 columns."""
    lines = transcript("isaac")
    first = lines.index("legal:    600")
    moves = lines[first + 1 : lines.index(next(line for line in lines if line.startswith("picks:")))]

    assert len(moves) > 1
    assert moves[-1].endswith(" … and 560 more")
    assert sum(len(line.split("  ")) for line in (line.strip() for line in moves)) == 41
    assert max(map(len, moves)) <= 100
    assert all(line.startswith("          ") for line in moves)


@pytest.mark.parametrize("key", games.keys())
def test_the_end(key: str) -> None:
    """The last lines have the winner, the reason, the scores and the hash of the last scene."""
    lines = transcript(key, "--seed", "1")
    end = lines[-7:]

    assert [line.partition(":")[0] for line in end[1:]] == [
        "position", "to move", "winner", "reason", "scores", "scene",
    ]  # fmt: skip
    assert end[0] == f"end after {sum(line.startswith('played:') for line in lines)} plies"
    assert end[2] == "to move:  none"


def test_a_skipped_turn_is_noted() -> None:
    """The note that players see is part of the transcript."""
    assert "note:     White had no move." in transcript("mapello", "--seed", "0")


def test_the_first_position_can_be_given() -> None:
    """--position starts there; a finished position gives no plies."""
    game = games.find("replica")
    won = "......../......../...w..../......../...w..../..bb..../......../W......b -"

    assert transcript("replica", "--position", won)[3:] == [
        "",
        "end after 0 plies",
        f"position: {won}",
        "to move:  none",
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
        (("replica", "--seed", "-1"), "argument --seed: it must be a whole number from 0 to"),
        (("replica", "--seed", "1.5"), "argument --seed: it must be a whole number from 0 to"),
        (("replica", "--seed", "٣"), "argument --seed: it must be a whole number from 0 to"),
        (("replica", "--seed", "9" * 5000), "argument --seed: it must be a whole number from 0 to"),
        ((), "required: GAME"),
    ],
)
def test_invalid_arguments(arguments: tuple[str, ...], words: str) -> None:
    """They are refused with exit code 2 and a sentence."""
    done = run(*arguments)

    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
