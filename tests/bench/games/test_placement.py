"""The game of the load benchmark is a game like any other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GAMES = Path(__file__).parents[3] / "bench" / "games"

# Run in a separate process, so that the registry of the test process stays as it is.
LAWS = """
import sys
from pathlib import Path
from random import Random
from parlour import games
from parlour.games import laws

games.add_folder(Path(sys.argv[1]))
game = games.find("placement")
for rounds, seeds in ((1, 10), (2, 5), (100, 1)):
    for seed in range(seeds):
        match = laws.check_match(game, game.options({"rounds": rounds}), Random(seed), positions=10)
    print(len(match.moves), match.outcome.winner, match.outcome.reason)
"""

REFUSALS = """
import sys
from pathlib import Path
from parlour import games
from parlour.protocol.errors import Refusal

games.add_folder(Path(sys.argv[1]))
game = games.find("placement")
options = game.options({"rounds": 2})
empty = "/".join(["." * 10] * 10)
full = "/".join(["bw" * 5] * 6 + ["." * 10] * 4)
for text in (
    "", f"{empty} b", f"{empty} b 3", f"{empty} b 01", f"{empty} b ²", f"{empty[1:]} b 1", f"{empty}  b 1",
    f"{empty} w 1", f"w{empty[1:]} b 1", f"{full} b 1", f"{full} - 1",
):
    try:
        print("accepted", game.print(game.parse(text, options)))
    except Refusal as refusal:
        print(refusal.code)
for text in (f"{empty} b 2", f"b{empty[1:]} w 1", f"{full} - 2"):
    print(game.print(game.parse(text, options)) == text)
"""


def run(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code, str(GAMES)], capture_output=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_it_obeys_every_law() -> None:
    """Random matches of one round and of many obey the laws; all end with the sixtieth stone of the last round."""
    assert run(LAWS) == ["60 None placed", "120 None placed", "6000 None placed"]


def test_it_refuses_invalid_positions() -> None:
    """A text that is not canonical is malformed, one that no game leads to is impossible, and all others are read."""
    malformed, impossible = ["position_malformed"] * 7, ["position_impossible"] * 4

    assert run(REFUSALS) == [*malformed, *impossible, "True", "True", "True"]


def test_it_is_not_among_the_games_of_a_server() -> None:
    """A server only has the game if it is given the benchmark's folder."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", "perft", "placement", "1"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 2
    assert "There is no game “placement”." in done.stderr
