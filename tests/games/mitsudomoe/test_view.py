"""How Mitsudomoe is drawn."""

from __future__ import annotations

from parlour.games.api import PickNote
from parlour.games.mitsudomoe import GAME
from parlour.games.mitsudomoe.position import State
from parlour.protocol.scene import Mark

START = ".,.,.,bB,bB/.,.,.,.,bB/.,.,.,.,./wW,.,.,.,./wW,wW,.,.,. w 5,5"
# White can vault over c3 and d3 from b3 to e3; black rings lie free on b5 and e2.
VAULT = "bB,b,.,.,./.,.,.,.,./.,wW,bB,bB,w/wW,.,.,.,b/.,wW,.,.,w w 3,3"
B1, C1, D1, E1, E2, B3, C3, D3, E3, B5 = 1, 2, 3, 4, 9, 11, 12, 13, 14, 21
WHITE_SUPPLY, BLACK_SUPPLY = 25, 26
WHITE_RING, WHITE_BALL, BLACK_RING, BLACK_BALL = range(4)


def parse(text: str) -> State:
    return GAME.parse(text, GAME.options({}))


def stacks(pieces: tuple[tuple[int, ...], ...]) -> dict[int, tuple[int, ...]]:
    return {place: tuple(glyphs) for place, *glyphs in pieces}


def test_the_board_has_two_homes_and_two_supplies() -> None:
    """Home cells are regions of their owner, and each supply is one slot after the cells."""
    board = GAME.board(GAME.options({}))

    assert {region.seat: region.cells for region in board.regions} == {0: (0, 1, 5), 1: (19, 23, 24)}
    assert (board.first_slot("white_supply"), board.first_slot("black_supply")) == (WHITE_SUPPLY, BLACK_SUPPLY)
    assert [zone.seat for zone in board.zones] == [0, 1]
    assert board.places == 27


def test_glyphs_are_told_apart_without_colour() -> None:
    """Rings and balls of both sides have different signs in a terminal."""
    glyphs = GAME.board(GAME.options({})).glyphs

    assert [glyph.text for glyph in glyphs] == ["○", "●", "◇", "◆"]
    assert [(glyph.shape, glyph.seat) for glyph in glyphs] == [("ring", 0), ("ball", 0), ("ring", 1), ("ball", 1)]


def test_the_start() -> None:
    """Rings with balls at home, five rings in each supply, no ball has arrived, White to move."""
    scene = GAME.scene(parse(START))

    assert scene.pieces == (
        *((cell, WHITE_RING, WHITE_BALL) for cell in (0, 1, 5)),
        *((cell, BLACK_RING, BLACK_BALL) for cell in (19, 23, 24)),
        (WHITE_SUPPLY, *[WHITE_RING] * 5),
        (BLACK_SUPPLY, *[BLACK_RING] * 5),
    )
    assert (scene.tallies, scene.to_move) == (((0,), (0,)), 0)


def test_stacks_run_from_bottom_to_top() -> None:
    """A cell lists its rings from the ground up, then the ball; an empty supply is absent."""
    state = parse(".,.,bwbwb,.,w/bB,.,bB,.,./.,bB,.,wbwW,./.,.,wW,wW,./.,w,.,.,. b 0,1")
    shown = stacks(GAME.scene(state).pieces)

    assert shown[22] == (BLACK_RING, WHITE_RING, BLACK_RING, WHITE_RING, BLACK_RING)
    assert shown[13] == (WHITE_RING, BLACK_RING, WHITE_RING, WHITE_BALL)
    assert WHITE_SUPPLY not in shown
    assert shown[BLACK_SUPPLY] == (BLACK_RING,)


def test_the_tally_counts_arrived_balls() -> None:
    """Each side's number is that of its balls on the other side's home."""
    state = parse("bB,.,bB,wW,wW/.,.,.,.,./.,.,.,wW,./.,.,.,.,./bB,.,.,.,. w 5,5")

    assert GAME.scene(state).tallies == ((2,), (1,))


def test_marks_of_a_plain_turn() -> None:
    """Where ring and ball came to, and where they came from; a supply is not marked."""
    state = parse(VAULT)

    assert GAME.marks(state, GAME.read(state, "+c1 b1-c1")) == ((Mark.LAST, C1), (Mark.FROM, B1))
    assert GAME.marks(state, GAME.read(state, "e1-c1 b1-c1")) == ((Mark.LAST, C1), (Mark.FROM, B1, E1))


def test_marks_of_a_vault() -> None:
    """Relocated balls count too, but a cell that a ball left and another came to did not change."""
    state = parse(VAULT)

    assert GAME.marks(state, GAME.read(state, "+d1 b3-e3 =b5,e2")) == (
        (Mark.LAST, D1, E2, E3, B5),
        (Mark.FROM, B3, C3, D3),
    )
    assert GAME.marks(state, GAME.read(state, "+d1 b3-e3 =c3,e2")) == (
        (Mark.LAST, D1, E2, E3),
        (Mark.FROM, B3, D3),
    )


def test_a_place_is_not_marked_twice() -> None:
    """A ball that lands where the ring was lifted leaves the mark of what came, not of what went."""
    state = parse(VAULT.replace("bB,bB,w/", "bB,bB,ww/").replace("3,3", "2,3"))

    assert GAME.marks(state, GAME.read(state, "e3-d1 b3-e3 =b5,e2")) == (
        (Mark.LAST, D1, E2, E3, B5),
        (Mark.FROM, B3, C3, D3),
    )


def test_half_turn_ring() -> None:
    """First a ring is chosen, then its cell; the chosen one is marked."""
    state = parse(VAULT)
    first, second = GAME.half_turn(state, ()), GAME.half_turn(state, (E1,))

    assert first.prompt == "Choose a ring: one from your supply or one that lies free."
    assert first.scene == GAME.scene(state)
    assert second.prompt == "Choose where the ring goes."
    assert second.scene == GAME.scene(state).with_marks(((Mark.CHOSEN, E1),))


def test_half_turn_ball() -> None:
    """The ring already lies on its new cell, and a landing behind a vault says so."""
    state = parse(VAULT)
    third, fourth = GAME.half_turn(state, (WHITE_SUPPLY, D1)), GAME.half_turn(state, (WHITE_SUPPLY, D1, B3))

    assert third.prompt == "Choose a ball."
    assert stacks(third.scene.pieces)[D1] == (WHITE_RING,)
    assert stacks(third.scene.pieces)[WHITE_SUPPLY] == (WHITE_RING,) * 2
    assert third.scene.marks == ((Mark.CHOSEN, D1),)
    assert fourth.prompt == "Choose where it goes."
    assert fourth.scene.marks == ((Mark.CHOSEN, D1), (Mark.CHOSEN, B3))
    assert fourth.notes == {E3: PickNote("vault")}


def test_half_turn_of_a_step_has_no_note() -> None:
    """A neighbouring cell is no vault."""
    state = parse(VAULT)

    assert GAME.half_turn(state, (WHITE_SUPPLY, C1, B1)).notes == {}


def test_half_turn_relocation() -> None:
    """The ball has landed; jumped balls are ghosts until each has a new cell, and there are never more than three."""
    state = parse(VAULT)
    picks = (WHITE_SUPPLY, D1, B3, E3)
    first, second = GAME.half_turn(state, picks), GAME.half_turn(state, (*picks, B5))
    landed = ((Mark.CHOSEN, D1), (Mark.CHOSEN, E3))

    assert first.prompt == "Choose 2 cells for Black's balls: 1 of 2."
    assert first.scene.marks == (*landed, (Mark.STEP, B3, E3), (Mark.GHOST, C3, D3))
    assert stacks(first.scene.pieces)[B3] == (WHITE_RING,)
    assert stacks(first.scene.pieces)[E3] == (WHITE_RING, WHITE_BALL)
    assert stacks(first.scene.pieces)[C3] == (BLACK_RING, BLACK_BALL)
    assert second.prompt == "Choose 2 cells for Black's balls: 2 of 2."
    assert second.scene.marks == (*landed, (Mark.CHOSEN, B5), (Mark.STEP, B3, E3), (Mark.GHOST, C3))
    assert stacks(second.scene.pieces)[B5] == (BLACK_RING, BLACK_BALL)
    assert sum(BLACK_BALL in stack for stack in stacks(second.scene.pieces).values()) == 3


def test_half_turn_relocation_to_a_cell_just_left() -> None:
    """A ball chosen for the cell of another one is no ghost any more."""
    shown = GAME.half_turn(parse(VAULT), (WHITE_SUPPLY, D1, B3, E3, C3))

    assert (Mark.GHOST, D3) in shown.scene.marks
    assert (Mark.CHOSEN, C3) in shown.scene.marks


def test_half_turn_one_ball() -> None:
    """A single ball is asked for without counting."""
    state = parse("bB,b,.,.,./.,.,.,.,./.,.,wW,bB,w/wW,.,.,.,bB/.,wW,.,.,w w 3,4")

    assert GAME.half_turn(state, (WHITE_SUPPLY, D1, C3, E3)).prompt == "Choose a cell for Black's ball."


def test_a_whole_turn_shows_its_end() -> None:
    """With the last pick, in whatever order, the scene is that after the turn, with its marks."""
    state = parse(VAULT)
    move = GAME.read(state, "+d1 b3-e3 =b5,e2")
    shown = GAME.half_turn(state, (*move[:4], B5, E2))

    assert shown.prompt == "Your turn is complete."
    assert shown.scene == GAME.scene_after(state, move, GAME.apply(state, move))


def test_a_finished_game_asks_for_nothing() -> None:
    """After the end the prompt says so."""
    state = parse(".,.,.,wW,wW/.,.,.,.,wW/.,bB,.,bB,./.,.,.,.,./bB,.,.,.,w - 4,5")

    assert GAME.half_turn(state, ()).prompt == "The game is over."
