"""How Isaac is drawn: places, pieces, marks, and what a half-chosen turn says."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games.isaac.rules import DARK, LIGHT, START, State
from parlour.protocol.scene import Mark, Scene

GAME = games.find("isaac")
OPTIONS = GAME.options({})
BOARD = GAME.board(OPTIONS)
DARK_HAND, LIGHT_HAND, WALK = (BOARD.first_slot(key) for key in ("dark_hand", "light_hand", "walk"))

# Dark may lift f2-f4, whose column crosses seven bars; no counter stands in that column.
SCORING = (
    "Da10-d10,Da2-e2,Da7-c7,Dd1-g1,Dd6-g6,De8-i8,Df2-f4,Dh10-j10,Di4-i6,Dj2-j4,Dj5-j8,La3-c3,La8-d8,Lb4-e4,Lb9-d9,"
    "Ld7-g7,Le10-g10,Le5-g5,Le9-j9,Lh4-h7 d s 00121,00311 55,53 0,3 -"
)


def position(text: str) -> State:
    state: State = GAME.parse(text, OPTIONS)
    return state


def few_bars(scores: str) -> State:
    """Dark may lift c4-g4; h4-j4 is the only other bar in its row."""
    return position(f"Dc4-g4,La10-c10,Lh4-j4 d s 44221,24321 {scores} 3,3 -")


def cell(name: str) -> int:
    return next(place for place in range(BOARD.cells) if BOARD.place_name(place) == name)


def names(scene: Scene) -> dict[str, list[str]]:
    """What is where, in words; slots of hands have their number before their title."""
    return {
        BOARD.place_name(place) if place < BOARD.cells else f"{place} {BOARD.place_name(place)}": [
            BOARD.glyphs[glyph].name for glyph in glyphs
        ]
        for place, *glyphs in scene.pieces
    }


def marked(scene: Scene, kind: Mark) -> list[set[str]]:
    return [{BOARD.place_name(place) for place in places} for mark, *places in scene.marks if mark == kind]


# -- the board


def test_places_are_cells_two_hands_and_walks() -> None:
    """100 cells, five slots for each hand, and a slot for each number of squares from 0 to 72."""
    assert (DARK_HAND, LIGHT_HAND, WALK, BOARD.places) == (100, 105, 110, 183)
    assert [zone.seat for zone in BOARD.zones] == [DARK, LIGHT, None]
    assert [zone.holds_pieces for zone in BOARD.zones] == [True, True, False]
    assert [GAME.place(START, place) for place in (0, 99, 100, 109, 110, 182)] == [
        "a1", "j10", "bar of 3", "bar of 7", "+0", "+72",
    ]  # fmt: skip


@pytest.mark.parametrize("place", [-1, -100, 183, 10_000])
def test_there_is_no_other_place(place: int) -> None:
    """A number that is no place has no name."""
    with pytest.raises(IndexError):
        GAME.place(START, place)


def test_tracks_start_in_opposite_corners() -> None:
    """Light counts from a1 to the right and up, Dark from j10 to the left and down."""
    dark, light = BOARD.tracks

    assert [BOARD.place_name(dark[score]) for score in (0, 1, 10, 99)] == ["j10", "i10", "j9", "a1"]
    assert [BOARD.place_name(light[score]) for score in (0, 1, 10, 99)] == ["a1", "b1", "a2", "j10"]


def test_rows_alternate() -> None:
    """Rows are tens, so every second row has the other tone."""
    assert {place // 10 for place in BOARD.alternate} == {1, 3, 5, 7, 9}
    assert len(BOARD.alternate) == 50


def test_every_bar_has_a_glyph_of_its_size() -> None:
    """A bar reaches over its cells and carries its value in pips; counters carry the score."""
    bars = [glyph for glyph in BOARD.glyphs if glyph.shape == "bar"]
    sizes = {(glyph.seat, glyph.columns, glyph.rows): glyph.pips for glyph in bars}
    values = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}

    assert len(bars) == 20
    for seat in (DARK, LIGHT):
        for length, value in values.items():
            assert sizes[seat, length, 1] == sizes[seat, 1, length] == value
    assert [(glyph.shape, glyph.seat) for glyph in BOARD.glyphs if glyph.shows_score] == [
        ("counter", DARK),
        ("counter", LIGHT),
    ]


# -- the pieces


def test_at_first_all_bars_are_in_the_hands() -> None:
    """Each hand slot holds as many bars as there are of that length; no counter is on the board."""
    scene = GAME.scene(START)

    assert [len(stack) - 1 for stack in scene.pieces] == [5, 4, 3, 2, 1, 5, 4, 3, 2, 1]
    assert [stack[0] for stack in scene.pieces] == list(range(100, 110))
    assert scene.tallies == ((0,), (0,))
    assert scene.to_move == DARK


def test_a_bar_stands_at_its_low_end() -> None:
    """A bar is listed once, at its left or lower end, with the glyph of its direction."""
    state = START
    for move in ("c4-g4", "j2-j5"):
        state = GAME.apply(state, GAME.read(state, move))
    pieces = {stack[0]: stack[1:] for stack in GAME.scene(state).pieces}

    assert [place for place in pieces if place < 100] == [cell("j2"), cell("c4")]
    (lying,), (standing,) = pieces[cell("c4")], pieces[cell("j2")]
    assert (BOARD.glyphs[lying].seat, BOARD.glyphs[lying].columns, BOARD.glyphs[lying].rows) == (DARK, 5, 1)
    assert (BOARD.glyphs[standing].seat, BOARD.glyphs[standing].columns, BOARD.glyphs[standing].rows) == (LIGHT, 1, 4)
    assert len(pieces[DARK_HAND + 2]) == 2


def test_counters_stand_on_top() -> None:
    """A counter shares the stack of the bar whose low end it covers, and is alone on any other cell."""
    scene = GAME.scene(few_bars("50,37"))

    assert names(scene)["h4"] == ["Light bar of 3", "Light counter"]
    assert names(scene)["j5"] == ["Dark counter"]
    assert scene.tallies == ((50,), (37,))


def test_kept_bars_stay_in_the_hand() -> None:
    """In the scoring phase the hands show the bars that were never placed."""
    shown = names(GAME.scene(position(SCORING)))

    assert {place: len(bars) for place, bars in shown.items() if "bar of" in place} == {
        "102 bar of 5": 1, "103 bar of 6": 2, "104 bar of 7": 1,
        "107 bar of 5": 3, "108 bar of 6": 1, "109 bar of 7": 1,
    }  # fmt: skip


def test_a_counter_with_100_points_has_left_the_board() -> None:
    """The winner's counter is not drawn any more; the tally has the score."""
    scene = GAME.scene(position("La10-c10 - s 00000,00000 38,104 7,7 -"))

    assert names(scene) == {"b7": ["Dark counter"], "a10": ["Light bar of 3"]}
    assert scene.tallies == ((38,), (104,))
    assert scene.to_move is None


# -- the marks


def test_a_placed_bar_is_marked_whole() -> None:
    """All cells of the bar are where the last turn ended."""
    assert GAME.marks(START, GAME.read(START, "c4-c6")) == ((Mark.LAST, cell("c4"), cell("c5"), cell("c6")),)


def test_a_lifted_bar_and_the_walk_are_marked() -> None:
    """Where the bar was, where the counter went and where it came from."""
    state = few_bars("50,0")
    gone = (Mark.GONE, *range(cell("c4"), cell("g4") + 1))

    assert GAME.marks(state, GAME.read(state, "xc4-g4+2")) == (gone, (Mark.LAST, cell("h5")), (Mark.FROM, cell("j5")))
    assert GAME.marks(state, GAME.read(state, "xc4-g4+0")) == (gone, (Mark.LAST, cell("j5")))


def test_a_walk_off_the_board_has_no_end() -> None:
    """With 100 points and more, only the start of the walk is on the board."""
    state = few_bars("98,0")
    gone = (Mark.GONE, *range(cell("c4"), cell("g4") + 1))

    assert GAME.marks(state, GAME.read(state, "xc4-g4+3")) == (gone, (Mark.FROM, cell("b1")))


def test_a_skipped_side_is_told() -> None:
    """When the same side moves again, the scene says who had no move."""
    blocked = position("Dc4-g4,Dc6-g6,La9-c9 d s 44121,34321 0,80 3,3 -")

    for state, note in ((blocked, "Light had no move."), (few_bars("0,80"), "")):
        move = GAME.read(state, "xc4-g4+0")

        assert GAME.scene_after(state, move, GAME.apply(state, move)).note == note


# -- a half-chosen turn


def test_placing_step_by_step() -> None:
    """Length, first end, other end: each step has its prompt and shows what is chosen."""
    slot = DARK_HAND + 2
    prompts = [GAME.half_turn(START, picks).prompt for picks in ((), (slot,), (slot, 36))]

    assert prompts == [
        "Choose a bar to place.",
        "Bar of 5: choose its first end.",
        "Bar of 5: choose its other end.",
    ]
    assert GAME.half_turn(START, (slot, 36)).scene.marks == ((Mark.CHOSEN, slot), (Mark.CHOSEN, 36))


def test_a_whole_placement_shows_the_bar() -> None:
    """Picked from its high end, the bar lies where the move puts it."""
    shown = GAME.half_turn(START, (DARK_HAND + 2, 36, 32)).scene

    assert names(shown)["c4"] == ["Dark bar of 5"]
    assert shown.marks == ((Mark.LAST, 32, 33, 34, 35, 36),)


def test_a_lifted_bar_shows_what_counts() -> None:
    """The bar is about to leave, its line and every counted bar are marked, and the prompt does the sum."""
    state = position(SCORING)
    half = GAME.half_turn(state, (cell("f2"),))

    assert GAME.half_turn(state, ()).prompt == "Choose one of your bars to lift."
    assert half.prompt == "1 x 7 bars = 7 points: walk your counter 0 to 7 squares."
    assert marked(half.scene, Mark.GHOST) == [{"f2", "f3", "f4"}]
    assert half.scene.pieces == GAME.scene(state).pieces
    assert marked(half.scene, Mark.LINE) == [{f"f{row}" for row in range(1, 11)}]
    assert len(marked(half.scene, Mark.COUNTED)) == 7
    assert {"d1", "e1", "f1", "g1"} in marked(half.scene, Mark.COUNTED)
    assert half.scene.to_move == DARK


@pytest.mark.parametrize(
    ("scores", "prompt"),
    [
        ("0,0", "3 x 1 bar = 3 points: walk your counter 0 to 3 squares."),
        ("0,37", "3 x 1 bar x 2 = 6 points: walk your counter 0 to 6 squares."),
        ("60,37", "3 x 1 bar x 2 x 2 = 12 points: walk your counter 0 to 12 squares."),
    ],
)
def test_every_counter_in_the_line_shows_in_the_sum(scores: str, prompt: str) -> None:
    """Each counter adds “x 2” to the prompt."""
    assert GAME.half_turn(few_bars(scores), (cell("c4"),)).prompt == prompt


@pytest.mark.parametrize(
    ("bars", "hands", "prompt"),
    [
        ("Dc4-e4,La9-c9", "34321,34321", "1 x 0 bars = 0 points: your counter stays where it is."),
        ("Dc4-e4,Lg4-i4", "34321,34321", "1 x 1 bar = 1 point: walk your counter 0 or 1 squares."),
    ],
)
def test_small_sums_read_well(bars: str, hands: str, prompt: str) -> None:
    """Nothing and one point have words of their own."""
    assert GAME.half_turn(position(f"{bars} d s {hands} 0,0 3,3 -"), (cell("c4"),)).prompt == prompt


def test_walks_are_noted_on_the_track() -> None:
    """Every walk has its number and the cell where the counter would stand; none is on the other counter."""
    state = position(SCORING)
    notes = GAME.half_turn(state, (cell("f2"),)).notes

    assert [note.label for note in notes.values()] == [f"+{squares}" for squares in range(8)]
    assert list(notes) == list(GAME.steps(state, (cell("f2"),))) == [WALK + squares for squares in range(8)]
    assert [notes[WALK + squares].cell for squares in (0, 1, 5)] == [cell("e5"), cell("d5"), cell("j4")]


def test_a_walk_to_100_has_no_cell() -> None:
    """Squares beyond the track cannot be drawn on the board."""
    notes = GAME.half_turn(few_bars("98,0"), (cell("c4"),)).notes

    assert [notes[pick].cell for pick in sorted(notes)] == [cell("b1"), None, None]


def test_a_whole_removal_shows_the_position_after_it() -> None:
    """The counter has walked and the score is counted."""
    state = position(SCORING)
    picks = (cell("f2"), WALK + 7)
    shown = GAME.half_turn(state, picks).scene

    assert shown.pieces == GAME.scene(GAME.apply(state, picks)).pieces
    assert names(shown)["h4"] == ["Light bar of 4", "Dark counter"]
    assert shown.tallies == ((62,), (53,))
