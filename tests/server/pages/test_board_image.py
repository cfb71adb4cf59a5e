"""Pictures of positions."""

from __future__ import annotations

from parlour import games
from parlour.games.sample import sample
from parlour.server.pages.board_image import Grid, board_image


def test_a_position_looks_different_after_a_move() -> None:
    """A picture has the wanted size, and shows the pieces and the last move."""
    game = games.find("mapello")
    options = game.options({})
    state = game.initial(options)
    move = game.moves(state)[0]
    after = game.apply(state, move)
    board = game.board(options)
    before_image = board_image(board, game.scene(state), 200)
    after_image = board_image(board, game.scene_after(state, move, after), 200)

    assert max(before_image.size) == 200
    grid = Grid(board)
    x, y = (round(each * 200 / grid.width) for each in grid.corner(move[0]))
    cell = (x, y, x + round(grid.unit * 200 / grid.width), y + round(grid.unit * 200 / grid.width))
    assert before_image.crop(cell).tobytes() != after_image.crop(cell).tobytes()


def test_the_first_cell_is_at_the_bottom_left() -> None:
    """Rows are counted from the bottom, as players name them."""
    board, _ = sample(games.find("replica"))
    grid = Grid(board)

    assert grid.corner(0)[0] < grid.corner(1)[0]
    assert grid.corner(0)[1] > grid.corner(board.columns)[1]
