"""How games are found."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal

# A package that has a GAME. What kind of thing it is does not matter for finding it.
STAND_IN = "GAME = __name__\n"


def make(folder: Path, name: str, text: str = STAND_IN) -> Path:
    """A package of that name in `folder`."""
    package = folder / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(text, encoding="utf-8")
    return folder


def told(*lines: str) -> list[str]:
    """Return what these lines of Python print in another process, with its own registry."""
    code = "\n".join(("from pathlib import Path", "from parlour import games", *lines))
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8")
    assert found.returncode == 0, found.stderr
    return found.stdout.splitlines()


def test_keys_are_sorted() -> None:
    """The names come in order, each once."""
    assert list(games.keys()) == sorted(set(games.keys()))


def test_a_game_is_made_once() -> None:
    """A game is created once."""
    for key in games.keys():
        assert games.find(key) is games.find(key)


@pytest.mark.parametrize(
    "key",
    ["", "chess", "Replica", "replica ", "api", "laws", "replica.rules", ".replica", "..cli", "../cli", "__pycache__",
     "replica\n", "\x00", "\ud800", "repliса", "r" * 100_000],
)  # fmt: skip
def test_an_unknown_game_is_refused(key: str) -> None:
    """Whatever is not the exact name of a game is refused, and the sentence lists the games."""
    with pytest.raises(Refusal) as refused:
        games.find(key)

    assert refused.value.code == ErrorCode.GAME_UNKNOWN
    assert refused.value.sentence.endswith(f"Games here: {', '.join(games.keys())}.")


def test_a_refused_name_is_not_remembered(tmp_path: Path) -> None:
    """A game that was not there may come with a folder added later."""
    make(tmp_path, "later")

    assert told(
        "try: games.find('later')",
        "except games.Refusal as refusal: print(refusal.code)",
        f"games.add_folder(Path({str(tmp_path)!r}))",
        "print(games.find('later'))",
    ) == ["game_unknown", "parlour.games.later"]


def test_games_of_a_folder_join_the_others(tmp_path: Path) -> None:
    """They are listed with the games that ship with Parlour, and become modules beside them."""
    make(make(tmp_path, "abalone"), "zertz")

    assert told(
        f"games.add_folder(Path({str(tmp_path)!r}))",
        "print(*games.keys())",
        "print(games.find('zertz'), games.find('replica').info.name)",
    ) == ["abalone " + " ".join(games.keys()) + " zertz", "parlour.games.zertz Replica"]


def test_several_folders_may_be_added(tmp_path: Path) -> None:
    """In any order, also twice, and what is no folder adds nothing."""
    one, two = make(tmp_path / "one", "first"), make(tmp_path / "two", "second")
    added = [f"games.add_folder(Path({str(folder)!r}))" for folder in (one, two, one, tmp_path / "three")]
    (found,) = told(*added, "print(*games.keys())")

    assert sorted(found.split()) == sorted((*games.keys(), "first", "second"))


def test_a_game_that_comes_along_is_not_replaced(tmp_path: Path) -> None:
    """A folder cannot put another game in the place of one that is there."""
    make(tmp_path, "replica")

    assert told(
        f"games.add_folder(Path({str(tmp_path)!r}))",
        "print(*games.keys())",
        "print(games.find('replica').info.name)",
    ) == [" ".join(games.keys()), "Replica"]


def test_only_packages_are_games(tmp_path: Path) -> None:
    """Single files and folders without code are nothing."""
    make(tmp_path, "real")
    (tmp_path / "single.py").write_text(STAND_IN, encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (found,) = told(f"games.add_folder(Path({str(tmp_path)!r}))", "print(*games.keys())")

    assert sorted(found.split()) == sorted((*games.keys(), "real"))


def test_a_package_without_a_game_is_refused(tmp_path: Path) -> None:
    """A package is a game by its GAME; one that has none is not found, and nothing breaks."""
    make(tmp_path, "shelf", "")

    assert told(
        f"games.add_folder(Path({str(tmp_path)!r}))",
        "try: games.find('shelf')",
        "except games.Refusal as refusal: print(refusal.code)",
    ) == ["game_unknown"]


def test_the_introduction_is_true() -> None:
    """The example in the documentation of the package, and that in the guide for authors, do what they show."""
    guide = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
    for found in (doctest.testmod(games), doctest.testfile(str(guide), module_relative=False)):
        assert (found.attempted >= 5, found.failed) == (True, 0)


def test_a_match_is_started_by_key_and_options() -> None:
    """Options are given by name; what the game does not know is refused."""
    match = games.start("replica", size=12)

    assert match.options["size"] == 12
    for key, options in (("chess", {}), ("replica", {"size": 9}), ("replica", {"colour": "red"})):
        with pytest.raises(Refusal):
            games.start(key, **options)


def test_versions_of_the_rules() -> None:
    """A game supports its own version of the rules and those it is compatible with; others are refused."""
    game = games.find("replica")
    version = game.info.rules_version
    assert games.find_version("replica", version) is game
    for key, other in (("replica", version + 1), ("chess", 1)):
        assert not games.supports(key, other)
        with pytest.raises(Refusal, match=f"Version {other} of the rules of “{key}” is not supported here") as refused:
            games.find_version(key, other)
        assert refused.value.code is ErrorCode.RULES_UNSUPPORTED
    newer = replace(game.info, rules_version=5, compatible_versions=(2, 4))
    assert [version for version in range(8) if newer.supports(version)] == [2, 4, 5]
