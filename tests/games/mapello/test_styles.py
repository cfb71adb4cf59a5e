"""The seed levels of Mapello choose as the rules page says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

from parlour.games.mapello import GAME, styles

GOLDEN = Path(__file__).parents[1] / "golden" / "mapello.jsonl.gz"
OPTIONS = GAME.options({})
CHANCE = Random(1)  # greedy leaves nothing to it

ROWS_ABOVE = "##########/#........#/#........#/#........#/#...XO...#/#...OX...#/#........#"


def test_every_golden_line_agrees() -> None:
    """The choice is that of the golden line, on every line."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert len(lines) == 1500
    for line in lines:
        state = GAME.parse(line["position"], OPTIONS)

        assert GAME.write(state, styles.greedy(GAME, state, CHANCE)) == line["greedy"], line["position"]


def test_at_a_tie_the_lowest_then_the_rightmost() -> None:
    """On a new board all four moves turn one disc; e4 is the lowest. In one row the rightmost is taken."""
    start = GAME.initial(OPTIONS)
    row = GAME.parse(f"{ROWS_ABOVE}/#........#/#.OXO....#/########## b 0,0", OPTIONS)

    assert GAME.write(start, styles.greedy(GAME, start, CHANCE)) == "e4"
    assert GAME.write(row, styles.greedy(GAME, row, CHANCE)) == "f2"


def test_a_bonus_counts_as_three_discs() -> None:
    """A disc and a bonus are more than three discs, and as much as four."""
    three = GAME.parse(f"{ROWS_ABOVE}/#*OX.....#/#XOOO....#/########## b 0,0", OPTIONS)
    four = GAME.parse(f"{ROWS_ABOVE}/#*OX.....#/#XOOOO...#/########## b 0,0", OPTIONS)

    assert GAME.write(three, styles.greedy(GAME, three, CHANCE)) == "b3"
    assert GAME.write(four, styles.greedy(GAME, four, CHANCE)) == "g2"


def test_random_is_anything() -> None:
    """Every legal move comes up."""
    start = GAME.initial(OPTIONS)

    assert {styles.STYLES["random"].choose(GAME, start, Random(seed)) for seed in range(60)} == set(GAME.moves(start))
