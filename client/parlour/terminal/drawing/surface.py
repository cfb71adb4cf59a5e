"""The surface of a board: tones, coordinates, regions, and the marks of empty cells."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from parlour.protocol.scene import BoardSpec
from parlour.terminal.drawing.geometry import MARGIN
from parlour.terminal.drawing.glyphs import is_dark
from parlour.terminal.drawing.lines import Ground, Ink
from parlour.terminal.drawing.sheet import Sheet

_TONES = {
    "birch": (Ground.BIRCH, Ground.BIRCH_ALT),
    "felt": (Ground.FELT, Ground.FELT_ALT),
    "chart": (Ground.CHART, Ground.CHART_ALT),
    "clay": (Ground.CLAY, Ground.CLAY_ALT),
}
# The second tone of these is only a shade of the first, so it needs colours.
_FAINT_TONES = ("birch", "felt", "chart")


class Surface:
    """Paints everything under the pieces."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._spec = sheet.spec
        self._homes = _region(sheet.spec, "home")
        self._goals = {cell: dark for cell, dark in _region(sheet.spec, "goal").items() if cell not in self._homes}
        self._walked = _walked(sheet)
        self._numbers = _numbers(sheet)
        self._is_chequered = bool(sheet.spec.alternate) and sheet.spec.surface not in _FAINT_TONES

    def paint(self, empty: AbstractSet[int]) -> None:
        """Paint all cells, with the marks of the `empty` ones. The others get theirs with the pieces."""
        self._paint_ground()
        self._write_coordinates()
        for cell in self._homes:
            self._paint_home(cell)
        for cell in self._goals:
            self._paint_goal(cell, cell in empty)
        for cell in empty:
            self._paint_empty(cell)

    def _paint_ground(self) -> None:
        sheet, chars = self._sheet, self._sheet.chars
        rim, alternate = frozenset(self._spec.rim), frozenset(self._spec.alternate)
        tones = _TONES.get(self._spec.surface, _TONES["felt"])
        for cell in range(self._spec.cells):
            box = sheet.layout.box(cell)
            ground = tones[cell in alternate]
            owner = self._homes.get(cell, self._goals.get(cell))
            if cell in rim:
                ground = Ground.SEA
                sheet.canvas.fill(box, chars.rim, Ink.TEXTURE)
            elif owner is not None:
                ground = Ground.DARK_CORNER if owner else Ground.LIGHT_CORNER
            if self._is_chequered and cell in alternate:
                sheet.canvas.fill(box, chars.shade, Ink.TEXTURE)
            sheet.canvas.lay(box, ground)
            sheet.canvas.claim(box, cell)

    def _write_coordinates(self) -> None:
        """Write row numbers and column letters; a row or column that counts as a whole gets a pointer."""
        sheet, layout, lined = self._sheet, self._sheet.layout, self._sheet.marking.lined
        columns, cells = self._spec.columns, range(self._spec.cells)
        pointer = sheet.chars.pointer
        for first in cells[::columns]:
            name = self._spec.place_name(first)
            y = layout.box(first).y + layout.level
            sheet.canvas.put(0, y, name[1:].rjust(MARGIN - 1), Ink.FAINT)
            if lined.issuperset(cells[first : first + columns]):
                sheet.canvas.put(MARGIN - 1, y, pointer, Ink.PICK)
        for first in cells[:columns]:
            x = layout.box(first).x + layout.middle
            sheet.canvas.put(x, layout.height - 1, self._spec.place_name(first)[0], Ink.FAINT)
            if lined.issuperset(cells[first::columns]):
                sheet.canvas.put(x - 1, layout.height - 1, pointer, Ink.PICK)

    def _paint_goal(self, cell: int, empty: bool) -> None:
        """Paint a crown in square brackets, under the piece that stands there."""
        x, y = self._sheet.token_at(cell)
        if empty or not self._sheet.layout.is_flat:
            self._sheet.canvas.put(x, y + (not empty), f"[{self._sheet.chars.goal}]", _seat_ink(self._goals[cell]))

    def _paint_empty(self, cell: int) -> None:
        sheet = self._sheet
        x, y = sheet.token_at(cell)
        now, past = sheet.marking.now.get(cell), sheet.marking.past.get(cell)
        shown = now or past
        if now is not None and now.encloses:
            sheet.canvas.put(x, y, f"{now.sides[0]} {now.sides[1]}", now.ink)
            shown = past
        elif cell in sheet.marking.lined:
            sheet.canvas.put(x + 1, y, ":", Ink.PICK)
        elif shown is None and cell in self._numbers:
            self._write_numbers(cell)
        elif not self._is_chequered and cell not in self._goals and cell not in self._spec.rim:
            sheet.canvas.put(x + 1, y, sheet.chars.empty, self._walked.get(cell, Ink.FAINT))
        if shown is None:
            return
        if not sheet.layout.is_flat:
            sheet.under(cell, shown)
        elif now is None or not now.encloses:
            sheet.enclose(x, y, shown.sides, shown.ink)

    def _write_numbers(self, cell: int) -> None:
        """Write the score of a cell: the dark seat's at the top right, the light seat's at the bottom left."""
        sheet, box = self._sheet, self._sheet.layout.box(cell)
        for dark, number, passed in self._numbers[cell]:
            ink = _seat_ink(dark) if passed else Ink.FAINT
            if dark:
                sheet.canvas.put(box.x + box.width - 3, box.y, f"{number:2}", ink)
            else:
                sheet.canvas.put(box.x, box.y + box.height - 1, f"{number:2}", ink)

    def _paint_home(self, cell: int) -> None:
        """Paint the owner's bracket in a corner of the cell, or both of them around a cell of one line."""
        sheet, box = self._sheet, self._sheet.layout.box(cell)
        ink, pair = _seat_ink(self._homes[cell]), "<>" if self._homes[cell] else "()"
        if sheet.layout.is_flat:
            sheet.enclose(box.x, box.y, pair, ink)
        elif sheet.layout.is_roomy:
            sheet.canvas.put(box.x, box.y, pair[0], ink)
        else:
            sheet.canvas.put(box.x + box.width - 1, box.y + box.height - 1, pair[0], ink)


def _region(spec: BoardSpec, kind: str) -> dict[int, bool]:
    """Return the cells of all regions of a kind, and whether each is the dark seat's."""
    return {cell: is_dark(spec, region.seat) for region in spec.regions if region.kind == kind for cell in region.cells}


def _seat_ink(dark: bool) -> Ink:
    return Ink.DARK if dark else Ink.LIGHT


def _numbers(sheet: Sheet) -> dict[int, list[tuple[bool, int, bool]]]:
    """Return by cell the scores it stands for, whether each is the dark seat's, and whether that seat has passed it.

    Before there is a score on the board, there are none.
    """
    spec, found = sheet.spec, dict[int, list[tuple[bool, int, bool]]]()
    shown = {index for _, *stack in sheet.scene.pieces for index in stack}
    if sheet.layout.is_flat or not any(spec.glyphs[index].shows_score for index in shown):
        return found
    for seat, track in enumerate(spec.tracks):
        for number, cell in enumerate(track):
            passed = number < sheet.scene.tallies[seat][0]
            found.setdefault(cell, []).append((is_dark(spec, seat), number, passed))
    return found


def _walked(sheet: Sheet) -> dict[int, Ink]:
    """Return the cells that a score has passed, in the ink of its seat."""
    found = {}
    for seat, track in enumerate(sheet.spec.tracks):
        for cell in track[: sheet.scene.tallies[seat][0]]:
            found[cell] = _seat_ink(is_dark(sheet.spec, seat))
    return found
