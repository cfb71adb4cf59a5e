"""A board as plain text, for the interactive prompt and for documents. Clients draw boards of their own."""

from __future__ import annotations

from parlour.protocol.scene import BoardSpec, Scene

EMPTY, RIM = ".", " "


def diagram(spec: BoardSpec, scene: Scene) -> str:
    """Return the board with one character per cell: the topmost piece, in ASCII."""
    symbols = [EMPTY] * spec.cells
    for cell in spec.rim:
        symbols[cell] = RIM
    for place, *glyphs in scene.pieces:
        if place < spec.cells:
            glyph = spec.glyphs[glyphs[-1]]
            for row in range(glyph.rows):
                for column in range(glyph.columns):
                    symbols[place + row * spec.columns + column] = glyph.ascii or glyph.name[0]
    lines = [
        f"{row + 1:2} {' '.join(symbols[row * spec.columns : (row + 1) * spec.columns])}".rstrip()
        for row in reversed(range(spec.rows))
    ]
    return "\n".join([*lines, "   " + " ".join(spec.place_name(column)[0] for column in range(spec.columns))])
