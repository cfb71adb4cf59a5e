"""Random and greedy choose as the rules page says."""

from __future__ import annotations

from collections import Counter
from random import Random

from parlour.games.isaac import GAME, rules, scoring
from parlour.games.isaac.bars import BY_NAME
from parlour.games.isaac.rules import START, State
from parlour.games.isaac.styles import STYLES, at_random, greedy

OPTIONS = GAME.options({})

# Dark has one bar that brings 9 points, and two that bring few.
LIFTING = GAME.parse("Da7-c7,Dd5-h5,De9-g9,Lb1-b5,Li4-i8,Lj3-j9 d s 24221,44120 0,0 3,3 -", OPTIONS)


def squares(state: State) -> dict[str, list[int]]:
    """The bars that can be lifted, each with the squares one may walk."""
    found: dict[str, list[int]] = {}
    for move in GAME.moves(state):
        bar, walked = GAME.write(state, move).removeprefix("x").split("+")
        found.setdefault(bar, []).append(int(walked))
    return found


def chosen(state: State, seed: int = 0) -> tuple[str, int]:
    """The bar that greedy lifts, and how far it walks."""
    bar, walked = GAME.write(state, greedy(GAME, state, Random(seed))).removeprefix("x").split("+")
    return bar, int(walked)


def test_both_place_at_random() -> None:
    """Every placement is as likely as any other, whatever its length."""
    for style in (at_random, greedy):
        lengths = Counter(style(GAME, START, Random(seed))[0] for seed in range(600))

        # Of 600 placements 160 are bars of 3, and 80 are bars of 7.
        assert 120 < lengths[100] < 200
        assert 50 < lengths[104] < 110


def test_random_chooses_a_bar_and_then_the_squares() -> None:
    """A bar that gives many squares to choose from is lifted no more often than one that gives few."""
    offered = squares(LIFTING)
    most = max(offered, key=lambda bar: len(offered[bar]))
    lifted = [GAME.write(LIFTING, at_random(GAME, LIFTING, Random(seed))) for seed in range(600)]
    those = [text for text in lifted if text.startswith(f"x{most}+")]

    assert len(offered) == 3
    assert len(offered[most]) == 10
    assert 150 < len(those) < 250
    assert set(those) == {f"x{most}+{walked}" for walked in offered[most]}


def test_greedy_takes_the_bar_with_most_points_the_longer_at_a_tie_and_all_of_them() -> None:
    """In every position of the second phase of random games."""
    rng = Random(6)
    seen = 0
    for _ in range(12):
        state = START
        while state.turn is not None:
            if state.scoring:
                bar, walked = chosen(state)
                gains = scoring.gains(rules.removable(state, state.turn), state.tally, state.scores)
                points = {lifted.name: (given, lifted.length) for lifted, given in gains}
                assert points[bar] == max(points.values())
                assert walked == max(squares(state)[bar])
                seen += 1
            state = GAME.apply(state, at_random(GAME, state, rng))
    assert seen > 40


def test_greedy_stops_short_of_the_other_counter() -> None:
    """Where all the points would lead onto the other counter, one square less is walked."""
    bars = "Dd5-h5,Lb1-b5,Li4-i8,Lj3-j9 d s 44221,44120"
    far = GAME.parse(f"{bars} 12,60 3,3 -", OPTIONS)
    near = GAME.parse(f"{bars} 30,60 3,3 -", OPTIONS)

    assert BY_NAME["d5-h5"].value * 3 == 9
    assert chosen(far) == ("d5-h5", 9)
    assert 99 - sum(near.scores) == 9
    assert chosen(near) == ("d5-h5", 8)


def test_weakest_first() -> None:
    """Random comes before greedy."""
    assert [style.choose for style in STYLES.values()] == [at_random, greedy]
    assert [style.alias for style in STYLES.values()] == ["", "hard"]
