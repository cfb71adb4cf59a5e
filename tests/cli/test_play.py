"""A game at the terminal, played by a person, by two, or by the computer alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from parlour import games


def play(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", "play", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )


def test_the_computer_plays_itself_to_the_end() -> None:
    """A whole match needs nobody at the keyboard."""
    ending = "......../......../....W.../......../......../......../b......./B....... w"
    done = play("replica", "--computer", "both", "--seed", "1", "--position", ending)

    assert done.returncode == 0
    assert done.stdout.rstrip().splitlines()[-1].startswith(("White wins: ", "Black wins: "))


def test_two_people_play_by_text_and_by_picks() -> None:
    """A turn can be typed whole or cell by cell, and both are shown as played."""
    done = play("replica", typed="e7-d6\na4\nb5\nquit\n")

    assert "White played e7-d6." in done.stdout
    assert "Black played a4-b5." in done.stdout
    assert done.returncode == 0


def test_a_bar_can_be_called_by_its_length() -> None:
    """Slots beside the board answer to the end of their name."""
    done = play("isaac", typed="5\na1\ne1\nquit\n")

    assert "Dark played a1-e1." in done.stdout


def test_what_cannot_be_played_is_explained() -> None:
    """A wrong turn costs a sentence, nothing else."""
    done = play("replica", typed="e7-a1\nhello\nquit\n")

    assert "cannot be chosen" in done.stdout
    assert "A Replica move is written like" in done.stdout
    assert "Traceback" not in done.stderr


def test_back_takes_a_pick_and_then_a_turn() -> None:
    """A half-chosen turn is stepped back first, then whole turns."""
    done = play("mapello", "--ascii", typed="d5\nback\nf7\nquit\n")

    assert "Black played d5." in done.stdout
    assert "Black played f7." in done.stdout


def test_resigning_ends_the_match() -> None:
    """The other side wins, in words."""
    done = play("mapello", typed="resign\n")

    assert "White wins: the other side resigned." in done.stdout


def test_without_a_game_it_asks() -> None:
    """The choice lists every game, and takes a number or a name."""
    done = play(typed="9\nreplica\nmoves\nquit\n")

    for key in games.keys():
        assert games.find(key).info.name in done.stdout
    assert "e7-d6" in done.stdout


@pytest.mark.parametrize("key", games.keys())
def test_ascii_output_is_ascii(key: str) -> None:
    """--ascii draws every game without a single character beyond ASCII on the board."""
    done = play(key, "--ascii", typed="quit\n")
    board = done.stdout.split("(help for help)")[0]

    assert board.isascii()


def test_a_wrong_seat_is_refused() -> None:
    """The sentence lists the seats of this game."""
    done = play("isaac", "--computer", "green")

    assert done.returncode == 2
    assert done.stderr == "parlour: --computer must be dark, light, first, second or both. [option_invalid]\n"
