"""A picture of a position, drawn from its scene. Pure; takes tens of milliseconds."""

from __future__ import annotations

from PIL import Image

from parlour.protocol.scene import BoardSpec, Mark, Scene
from parlour.server.pages.brush import BACKGROUND, FRAME, FRAME_EDGE, LAST_MOVE, SEA, SURFACES, TONES, Brush, Point
from parlour.server.pages.pieces import draw_piece, rise
from parlour.server.pages.pillow_brush import PillowBrush
from parlour.server.pages.svg_brush import SvgBrush

EDGE = 30  # units: the frame around the board
INNER = 1000  # units: the longer side of the board inside its frame
SHOWN_MARKS = (Mark.LAST, Mark.FROM)
OVERSAMPLING = 2  # drawn larger and reduced, because Pillow does not smooth edges


class Grid:
    """Where the cells of a board are, in units."""

    def __init__(self, board: BoardSpec) -> None:
        self.board = board
        self.unit = INNER / max(board.columns, board.rows)
        self.width = self.unit * board.columns + 2 * EDGE
        self.height = self.unit * board.rows + 2 * EDGE

    def corner(self, cell: int) -> Point:
        """Return the upper left corner of a cell."""
        row, column = divmod(cell, self.board.columns)
        return EDGE + column * self.unit, EDGE + (self.board.rows - 1 - row) * self.unit

    def centre(self, cell: int, columns: int = 1, rows: int = 1) -> Point:
        """Return the centre of a piece that covers a cell and those to its right and above."""
        x, y = self.corner(cell)
        return x + columns * self.unit / 2, y + self.unit - rows * self.unit / 2


def board_image(board: BoardSpec, scene: Scene, side: int) -> Image.Image:
    """Return a picture whose longer side has `side` pixels."""
    grid = Grid(board)
    scale = side * OVERSAMPLING / max(grid.width, grid.height)
    size = round(grid.width * scale), round(grid.height * scale)
    image = Image.new("RGB", size, BACKGROUND)
    _draw(PillowBrush(image, scale), grid, scene)
    return image.reduce(OVERSAMPLING)


def board_svg(board: BoardSpec, scene: Scene, title: str) -> str:
    """Return a picture that can be scaled."""
    grid, brush = Grid(board), SvgBrush()
    _draw(brush, grid, scene)
    return brush.picture(grid.width, grid.height, title)


def _draw(brush: Brush, grid: Grid, scene: Scene) -> None:
    _draw_surface(brush, grid)
    _draw_marks(brush, grid, scene)
    _draw_pieces(brush, grid, scene)


def _draw_surface(brush: Brush, grid: Grid) -> None:
    board, unit = grid.board, grid.unit
    cell, alternate, line = SURFACES.get(board.surface, SURFACES["birch"])
    brush.box((0, 0), (grid.width, grid.height), FRAME, radius=26, line=FRAME_EDGE, width=3)
    brush.box((EDGE, EDGE), (unit * board.columns, unit * board.rows), cell)
    for place in board.alternate:
        brush.box(grid.corner(place), (unit, unit), alternate)
    for place in board.rim:
        brush.box(grid.corner(place), (unit, unit), SEA)
    for region in board.regions:
        tone = TONES[board.seats[region.seat].tone]
        for place in region.cells:
            if region.kind == "home":
                brush.box(grid.corner(place), (unit, unit), tone["tint"] + "8c")
            else:
                inset = unit * 0.06
                x, y = grid.corner(place)
                size = (unit - 2 * inset, unit - 2 * inset)
                brush.box((x + inset, y + inset), size, None, radius=unit * 0.12, line=tone["rim"], width=5)
    if board.alternate and board.surface == "clay":
        return  # the cells differ in tone, so they need no lines
    first = 1 if board.rim else 0
    for n in range(first, board.columns + 1 - first):
        x = EDGE + n * unit
        brush.line([(x, EDGE + first * unit), (x, grid.height - EDGE - first * unit)], line, 2)
    for n in range(first, board.rows + 1 - first):
        y = EDGE + n * unit
        brush.line([(EDGE + first * unit, y), (grid.width - EDGE - first * unit, y)], line, 2)
    if board.surface == "felt":
        for place in range(board.cells):
            brush.circle(grid.centre(place), unit * 0.3, (70, 55, 30, 33))


def _draw_marks(brush: Brush, grid: Grid, scene: Scene) -> None:
    inset = grid.unit * 0.04
    for kind, *places in scene.marks:
        for place in places if kind in SHOWN_MARKS else ():
            if place < grid.board.cells:
                x, y = grid.corner(place)
                size = (grid.unit - 2 * inset, grid.unit - 2 * inset)
                brush.box((x + inset, y + inset), size, None, radius=8, line=LAST_MOVE, width=6)


def _draw_pieces(brush: Brush, grid: Grid, scene: Scene) -> None:
    board = grid.board
    for place, *stack in scene.pieces:
        if place >= board.cells:
            continue  # beside the board
        for level, index in enumerate(stack):
            glyph = board.glyphs[index]
            tone = "none" if glyph.seat is None else board.seats[glyph.seat].tone
            x, y = grid.centre(place, glyph.columns, glyph.rows)
            draw_piece(brush, glyph, tone, (x, y - rise(glyph.shape, level, grid.unit)), grid.unit)
