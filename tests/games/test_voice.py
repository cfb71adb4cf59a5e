"""Sentences are written for the player who reads them."""

from __future__ import annotations

from parlour import games
from parlour.games.voice import Voice, number, plural, tell
from tests.games.fifth_game.noughts import GAME as NOUGHTS


def test_the_player_who_moved_reads_you() -> None:
    """Subject, possessive and verb change together."""
    other, own = Voice("Ada", "Ben"), Voice("Ada", "Ben", own=True)

    assert [(one.subject, one.possessive, one.verb("lifts", "lift")) for one in (other, own)] == [
        ("Ada", "Ada’s", "lifts"),
        ("You", "Your", "lift"),
    ]


def test_a_number_decides_about_the_plural() -> None:
    """One disc, two discs."""
    assert [plural(n, "disc", "discs") for n in (0, 1, 2)] == ["0 discs", "1 disc", "2 discs"]
    assert number({"turned": 3}, "turned") == 3


def test_a_game_without_words_tells_the_move() -> None:
    """The text of the move is enough for a sentence."""
    state = NOUGHTS.initial(NOUGHTS.options({}))
    after = NOUGHTS.apply(state, (4,))

    assert tell(NOUGHTS, state, (4,), after) == "X plays b2."
    assert tell(NOUGHTS, state, (4,), after, own=True) == "You play b2."


def test_names_replace_the_seats() -> None:
    """Both in the sentence of the game and where a player is skipped."""
    game = games.find("mapello")
    rows = (
        "####J##### ##.*..*.## #.....#X.# J*#XXXXX*J J..OOOOX.# #.XXXXXX*# #*O....#.J J..#.....# ##.*...*## ###J###J##"
    )
    position = f"{rows.replace(' ', '/')} b 0,0"
    before = game.parse(position, game.options({}))
    move = game.read(before, "c6")
    after = game.apply(before, move)

    assert tell(game, before, move, after, names=("Ada", "Ben")) == (
        "Ada plays c6 and turns 4 discs. Ben cannot move, so it is Ada’s turn again."
    )
