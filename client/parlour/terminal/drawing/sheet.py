"""One drawing in the making: the canvas, what is to be drawn on it, and what all painters need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlour.protocol.scene import BoardSpec, Glyph, Scene
from parlour.protocol.types import Pick
from parlour.terminal.drawing import glyphs
from parlour.terminal.drawing.canvas import Canvas, Frame
from parlour.terminal.drawing.geometry import geometry
from parlour.terminal.drawing.lines import Ink
from parlour.terminal.drawing.marks import Sign, marking
from parlour.terminal.drawing.style import Style


class Sheet:
    """What painters share."""

    def __init__(
        self,
        spec: BoardSpec,
        scene: Scene,
        style: Style,
        picks: Sequence[int | Pick],
        flipped: bool,
        scale: int = 1,
        pointers: Mapping[int, str] = {},
    ) -> None:
        self.spec = spec
        self.scene = scene
        self.style = style
        self.layout = geometry(spec.columns, spec.rows, flipped, scale)
        self.canvas = Canvas(self.layout.width, self.layout.height)
        self.marking = marking(spec, scene, style, picks, pointers)
        self.chars = glyphs.charset(style)
        self._shared_signs = glyphs.shared_signs(spec, style)

    def sign(self, glyph: Glyph) -> str:
        return glyphs.sign(self.spec, glyph, self.style, self.layout.flipped)

    def ink(self, glyph: Glyph) -> Ink:
        return glyphs.ink_of(self.spec, glyph)

    def frame(self, frames: tuple[Frame, Frame], glyph: Glyph, leaving: bool) -> Frame:
        """The box of a piece in its seat's lines, or broken ones when it is about to leave."""
        frame = frames[glyphs.is_dark(self.spec, glyph.seat)]
        if leaving:
            across, side = self.chars.ghost
            return frame._replace(across=across, side=side)
        return frame

    def tells_seat(self, glyph: Glyph) -> bool:
        """Whether one knows without brackets whose piece this is."""
        if glyph.seat is None:
            return True
        return not (glyph.shows_score or glyph.label or self.sign(glyph) in self._shared_signs)

    def token_at(self, cell: int) -> tuple[int, int]:
        """Where the three characters of a piece start."""
        box = self.layout.box(cell)
        return box.x + self.layout.middle - 1, box.y + self.layout.level

    def under(self, cell: int, sign: Sign, clear: bool = False) -> None:
        """Writes a mark below a piece; `clear` sets it off from the lines of a box it falls on."""
        x, y = self.token_at(cell)
        text = sign.under[: self.layout.cell_width]
        if clear:
            text = f" {text.strip()} "
            x += (3 - len(text)) // 2
        self.canvas.put(x, y + 1, text, sign.ink)

    def enclose(self, x: int, y: int, sides: str, ink: Ink) -> None:
        """Puts two characters around the one in the middle of a token."""
        self.canvas.put(x, y, sides[0], ink)
        self.canvas.put(x + 2, y, sides[1], ink)
