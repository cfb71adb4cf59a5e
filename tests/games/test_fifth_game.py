"""A fifth game is one folder and nothing else: no other file mentions it, and everything works with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

FIFTH = Path(__file__).parent / "fifth_game"

# Run in another process, so that the registry of this one does not change.
LAWS = """
import sys
from pathlib import Path
from random import Random
from parlour import games
from parlour.games import laws

games.add_folder(Path(sys.argv[1]))
game = games.find("noughts")
for variant in (*laws.variants(game), {"board": "--#/-x-/o-#"}):
    ends = set()
    for seed in range(100):
        match = laws.check_match(game, game.options(variant), Random(seed), positions=10)
        ends.add(match.outcome.winner)
    print(dict(variant), sorted(map(str, ends)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder outside the source tree that holds the game."""
    shutil.copytree(FIFTH / "noughts", tmp_path / "noughts", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(
    *arguments: str, stdin: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, **(environment or {})},
    )


def parlour(folder: Path, *arguments: str, stdin: str = "") -> str:
    """Return what the command prints, given the folder."""
    done = run("-m", "parlour.cli", "--games", str(folder), *arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_it_keeps_every_law(folder: Path) -> None:
    """A hundred random matches of each variant, a custom layout included, break no law and end in every way."""
    done = run("-c", LAWS, str(folder))

    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "{} ['0', '1', 'None']",
        "{'misere': True} ['0', '1', 'None']",
        "{'board': '--#/-x-/o-#'} ['0', '1', 'None']",
    ]


def test_it_is_counted(folder: Path) -> None:
    """There are 127,872 games of nine moves, a well-known number."""
    assert parlour(folder, "perft", "noughts", "3").startswith("504 after 3 moves")
    assert parlour(folder, "perft", "noughts", "9").startswith("127,872 after 9 moves")


def test_its_rules_are_served(folder: Path) -> None:
    """`parlour rules` answers about it as about any other game."""
    stdin = '{"game": "noughts", "position": "x../.o./..x o", "play": "a1"}\n{"game": "noughts", "play": "b2"}\n'
    after, first = (msgspec.json.decode(line) for line in parlour(folder, "rules", stdin=stdin).splitlines())

    assert after == {
        "position": "x../.o./..x o", "to_move": "o", "legal": ["a1", "a2", "b1", "b3", "c2", "c3"],
        "after": "x../.o./o.x x", "winner": None, "reason": None, "score": None,
    }  # fmt: skip
    assert first["after"] == ".../.x./... o"


@pytest.mark.parametrize(("options", "winner"), [({}, "x"), ({"misere": True}, "o")])
def test_a_program_plays_it_to_the_end(folder: Path, options: dict[str, bool], winner: str) -> None:
    """One process answers move after move, each from the position of the last answer, and observes the option."""
    answer = {"after": ".../.../... x", "winner": None}
    with subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", "--games", str(folder), "rules"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        for play in ("b2", "a1", "c3", "b1", "c1", "a3", "c2"):
            assert answer["winner"] is None
            request = {"game": "noughts", "options": options, "position": answer["after"], "play": play}
            process.stdin.write(msgspec.json.encode(request) + b"\n")
            process.stdin.flush()
            answer = msgspec.json.decode(process.stdout.readline())

    assert (answer["after"], answer["winner"], answer["reason"]) == ("o.x/.xx/oox -", winner, "three")
    assert process.returncode == 0


def test_people_play_it_at_the_terminal(folder: Path) -> None:
    """`parlour play` draws its board, asks in its words, and names the winner with its reason."""
    arguments = ("--games", str(folder), "play", "noughts", "--local", "--ascii")
    home = str(folder.with_name("home"))
    done = run(
        "-m", "parlour.cli", *arguments,
        stdin="b2\na1\nc3\nb1\nc1\na3\nc2\n",
        environment={"XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home},
    )  # fmt: skip
    shown = done.stdout

    assert (done.returncode, done.stderr) == (0, "")
    assert "(O): Choose a free cell." in shown
    assert "X played c2." in shown
    assert shown.endswith("X wins: three in a row.\nGoodbye.\n")


def test_its_refusals_are_like_any_other(folder: Path) -> None:
    """A taken cell, a text that is no move, and an impossible board are refused with codes."""
    stdin = "".join(
        f"{line}\n"
        for line in (
            '{"game": "noughts", "position": ".../.x./... o", "play": "b2"}',
            '{"game": "noughts", "play": "d4"}',
            '{"game": "noughts", "position": "xxx/.../... o"}',
            '{"game": "noughts", "options": {"size": 4}}',
            '{"game": "noughts", "options": {"board": "x--/---/---"}}',
        )
    )
    answers = [msgspec.json.decode(line) for line in parlour(folder, "rules", stdin=stdin).splitlines()]

    assert [answer["error"]["code"] for answer in answers] == [
        "move_illegal", "move_malformed", "position_impossible", "option_unknown", "layout_invalid",
    ]  # fmt: skip


def test_it_has_a_transcript(folder: Path) -> None:
    """The transcript of a seeded random match is like those of the games that ship with Parlour."""
    expected = (FIFTH / "transcript.txt").read_text(encoding="utf-8")

    assert parlour(folder, "transcript", "noughts", "--seed", "2") == expected


def test_the_environment_can_name_the_folder(folder: Path) -> None:
    """PARLOUR_GAMES does the same as --games, and may name several folders."""
    folders = os.pathsep.join((str(folder / "nothing"), str(folder)))
    done = run("-m", "parlour.cli", "perft", "noughts", "1", environment={"PARLOUR_GAMES": folders})

    assert done.stdout.startswith("9 after 1 moves")


def test_it_is_listed_in_refusals(folder: Path) -> None:
    """A refusal for an unknown game lists it among the others."""
    done = run("-m", "parlour.cli", "--games", str(folder), "perft", "chess", "1")

    assert done.returncode == 2
    assert "Games here: isaac, mapello, mitsudomoe, noughts, replica." in done.stderr


def test_without_the_folder_it_is_unknown() -> None:
    """The game is nowhere but in its folder."""
    done = run("-m", "parlour.cli", "perft", "noughts", "1", environment={"PARLOUR_GAMES": ""})

    assert done.returncode == 2
    assert "There is no game “noughts”." in done.stderr
