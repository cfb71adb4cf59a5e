"""Every game has a transcript of a random match, and still plays it word for word."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import msgspec
import pytest

from parlour import games
from parlour.cli.transcript import transcript

HERE = Path(__file__).parent


def field(lines: list[str], name: str) -> str:
    """What the head of a transcript says after `name`."""
    return next(line.removeprefix(f"{name}:").strip() for line in lines if line.startswith(f"{name}:"))


@pytest.mark.parametrize("key", games.keys())
def test_every_game_has_a_transcript(key: str) -> None:
    """No game is without one: `parlour transcript` writes it."""
    file = HERE / key / "transcript.txt"

    assert file.is_file(), f"write it with: parlour transcript {key} --seed 0 > {file.relative_to(HERE.parents[1])}"


@pytest.mark.parametrize("key", games.keys())
def test_the_match_is_told_as_it_was(key: str) -> None:
    """With the options and the seed in its head, the transcript comes out as it was kept."""
    file = HERE / key / "transcript.txt"
    kept = file.read_text(encoding="utf-8").splitlines()
    game, seed = games.find(key), int(field(kept, "seed"))
    options = game.options(msgspec.json.decode(field(kept, "options"), type=dict[str, object]))
    told = list(transcript(game, options, game.initial(options), seed))
    changed = "\n".join(unified_diff(kept, told, "kept", "told now", lineterm="", n=1))
    chosen = "" if options == game.options({}) else f" --options '{field(kept, 'options')}'"
    command = f"parlour transcript {key} --seed {seed}{chosen} > {file.relative_to(HERE.parents[1])}"

    assert told == kept, (
        f"\n{changed}\nIf that is right, rewrite it with\n  {command}\n"
        "and raise rules_version if old records would now replay differently."
    )


@pytest.mark.parametrize("key", games.keys())
def test_the_rules_of_a_transcript_are_those_of_now(key: str) -> None:
    """The moves that were made lead from position to position, read as text by the rules alone."""
    kept = (HERE / key / "transcript.txt").read_text(encoding="utf-8").splitlines()
    game = games.find(key)
    options = game.options(msgspec.json.decode(field(kept, "options"), type=dict[str, object]))
    positions = [line.removeprefix("position: ") for line in kept if line.startswith("position: ")]
    played = [line.removeprefix("played:   ") for line in kept if line.startswith("played:   ")]

    assert len(positions) == len(played) + 1
    for before, text, after in zip(positions, played, positions[1:], strict=False):
        state = game.parse(before, options)
        assert game.print(game.apply(state, game.read(state, text))) == after
