"""Games of installed packages are found, and a package that cannot be used harms nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from parlour import games
from tests.games.installed_packages import install, install_noughts, with_packages

SHIPPED = " ".join(games.keys())


def told(folder: Path, *lines: str) -> list[str]:
    """Return what these lines of Python print in a process for which the packages in `folder` are installed."""
    code = "\n".join(("from pathlib import Path", "from parlour import games", *lines))
    done = subprocess.run(
        [sys.executable, "-c", code], env=with_packages(folder), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_an_installed_game_joins_the_others(tmp_path: Path) -> None:
    """It is listed and found like any other, and its rules and its lesson come from its package."""
    install_noughts(tmp_path)

    assert told(
        tmp_path,
        "from parlour.games.lessons import find_lesson",
        "from parlour.games.rulebook import rulebook",
        "print(*games.keys())",
        "print(games.find('noughts').info.name, games.supports('noughts', 1))",
        "print(find_lesson('noughts').content.title)",
        "print(rulebook('noughts').text.splitlines()[2])",
        "print(*games.faults())",
    ) == [
        "isaac mapello mitsudomoe noughts replica",
        "Noughts and crosses True",
        "Learn noughts and crosses",
        "Three in a row.",
        "",
    ]


@pytest.mark.parametrize(
    ("code", "error_code", "sentence"),
    [
        ("import nothing_like_this", "game_broken", "ModuleNotFoundError: No module named 'nothing_like_this'."),
        ("raise SystemExit(3)", "game_broken", "SystemExit: 3."),
        ("API_VERSION = 1", "game_broken", "parlour_bad.GAME is not a game."),
        ("API_VERSION = 1\nGAME = 'bad'", "game_broken", "parlour_bad.GAME is not a game."),
        ("API_VERSION = 1\nfrom parlour.games.replica import GAME", "game_broken", "the key of its game is “replica”."),
        (
            "API_VERSION = 1\nfrom parlour_noughts.rules import Noughts, replace\n"
            "class Bad(Noughts):\n info = replace(Noughts.info, key='bad')\n"
            " def initial(self, options):\n  return 1 / 0\n"
            "GAME = Bad()",
            "game_broken",
            "ZeroDivisionError: division by zero.",
        ),
        (
            "GAME = None",
            "game_api_unsupported",
            "its API_VERSION does not say, and this Parlour supports 1.",
        ),
        ("API_VERSION = 2", "game_api_unsupported", "its API_VERSION says 2, and this Parlour supports 1."),
    ],
)  # fmt: skip
def test_a_package_that_cannot_be_used(tmp_path: Path, code: str, error_code: str, sentence: str) -> None:
    """Its game is refused with a code and the reason, and the other games stay."""
    install_noughts(tmp_path)
    install(tmp_path, "parlour-bad", "bad", "parlour_bad", code)
    keys, refused, reason = told(
        tmp_path,
        "print(*games.keys())",
        "try: games.find('bad')",
        "except games.Refusal as refusal: print(refusal.code, refusal.sentence, sep='\\n')",
    )

    assert keys == "isaac mapello mitsudomoe noughts replica"
    assert refused == error_code
    assert reason.startswith(f"The game “bad” of parlour-bad cannot be used: {sentence}")


def test_a_broken_lesson_is_found_at_once(tmp_path: Path) -> None:
    """A server would fail to list the game."""
    install_noughts(tmp_path)
    (tmp_path / "parlour_noughts" / "lesson.json").write_text("{}", encoding="utf-8")

    assert told(tmp_path, "print(*games.keys())", "print(games.faults()['noughts'].code)") == [SHIPPED, "game_broken"]


def test_two_packages_with_one_game(tmp_path: Path) -> None:
    """Neither is used, because it would depend on chance which."""
    install_noughts(tmp_path)
    install(tmp_path, "other-noughts", "noughts", "other_noughts", "")

    assert told(
        tmp_path,
        "fault = games.faults()['noughts']",
        "print(*games.keys())",
        "print(fault.code)",
        "print(fault.sentence)",
    ) == [
        SHIPPED,
        "game_conflict",
        "The game “noughts” cannot be used, because other-noughts and parlour-noughts both have one."
        " Uninstall all but one of these packages.",
    ]


def test_a_package_cannot_replace_a_game(tmp_path: Path) -> None:
    """A game that ships with Parlour, or is in a folder that was added, stays; the package is reported."""
    install_noughts(tmp_path)
    install(tmp_path, "other-replica", "replica", "other_replica", "")
    (tmp_path / "games" / "noughts").mkdir(parents=True)
    (tmp_path / "games" / "noughts" / "__init__.py").write_text("GAME = __name__\n", encoding="utf-8")

    assert told(
        tmp_path,
        "print(games.find('replica').info.name, games.faults()['replica'].code)",
        f"games.add_folder(Path({str(tmp_path / 'games')!r}))",
        "print(games.find('noughts'), games.faults()['noughts'].code)",
    ) == ["Replica game_conflict", "parlour.games.noughts game_conflict"]


def test_the_command_line_knows_an_installed_game(tmp_path: Path) -> None:
    """Without any option; a mistake is answered with the code of the fault."""
    install_noughts(tmp_path)
    install(tmp_path, "parlour-bad", "bad", "parlour_bad", "API_VERSION = 2")

    def parlour(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "parlour.cli", *arguments]
        return subprocess.run(
            command, env=with_packages(tmp_path), capture_output=True, encoding="utf-8", check=False
        )  # fmt: skip

    assert parlour("perft", "noughts", "3").stdout.startswith("504 after 3 moves")
    refused = parlour("perft", "bad", "1")
    assert (refused.returncode, refused.stderr.rstrip()[-22:]) == (2, "[game_api_unsupported]")
