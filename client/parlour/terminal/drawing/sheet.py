"""A drawing in progress: the canvas, the position to draw, and the state that all painters share."""

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
    """The state that painters share."""

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
        """Return the frame of a piece in its seat's lines, or in broken ones if it is about to leave."""
        frame = frames[glyphs.is_dark(self.spec, glyph.seat)]
        if leaving:
            across, side = self.chars.ghost
            return frame._replace(across=across, side=side)
        return frame

    def tells_seat(self, glyph: Glyph) -> bool:
        """Return whether a piece shows its owner without brackets."""
        if glyph.seat is None:
            return True
        return not (glyph.shows_score or glyph.label or self.sign(glyph) in self._shared_signs)

    def token_at(self, cell: int) -> tuple[int, int]:
        """Return where the three characters of a piece start."""
        box = self.layout.box(cell)
        return box.x + self.layout.middle - 1, box.y + self.layout.level

    def under(self, cell: int, sign: Sign, clear: bool = False) -> None:
        """Write a mark below a piece; `clear` separates it from the lines of a box that it falls on."""
        x, y = self.token_at(cell)
        text = sign.under[: self.layout.cell_width]
        if clear:
            text = f" {text.strip()} "
            x += (3 - len(text)) // 2
        self.canvas.put(x, y + 1, text, sign.ink)

    def enclose(self, x: int, y: int, sides: str, ink: Ink) -> None:
        """Put two characters around the one in the middle of a token."""
        self.canvas.put(x, y, sides[0], ink)
        self.canvas.put(x + 2, y, sides[1], ink)
