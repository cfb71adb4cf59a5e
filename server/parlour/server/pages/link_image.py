"""The picture of a link: a board and a few words, in the size that most services show. Pure."""

from __future__ import annotations

from io import BytesIO

from msgspec import Struct
from PIL import Image

from parlour.protocol.scene import BoardSpec, Scene
from parlour.server.pages.board_image import board_image
from parlour.server.pages.brush import ACCENT, BACKGROUND, INK, INK_2, TONES
from parlour.server.pages.pieces import seat_symbol
from parlour.server.pages.pillow_brush import PillowBrush, font_of

WIDTH, HEIGHT = 1200, 630
BOARD = 566
LEFT, RIGHT = 646, 1160  # of the text
TITLE, TEXT = 56, 29  # font sizes
MAX_LINES = 3


class LinkPicture(Struct, frozen=True):
    """What a picture shows."""

    board: BoardSpec
    scene: Scene
    title: str
    text: str  # one or two sentences
    facts: str = ""  # a line of facts, such as the clock


def render(picture: LinkPicture) -> bytes:
    """Return a picture as a PNG file."""
    image = Image.new("RGB", (WIDTH, HEIGHT), BACKGROUND)
    board = board_image(picture.board, picture.scene, BOARD)
    image.paste(board, (36 + (BOARD - board.width) // 2, (HEIGHT - board.height) // 2))
    brush = PillowBrush(image)
    seat_symbol(brush, "dark", (LEFT + 10, 65), 13, TONES["dark"]["top"])
    brush.circle((LEFT + 28, 65), 14, TONES["light"]["top"], TONES["light"]["rim"], 3)
    brush.text((LEFT + 56, 65), "Parlour", 36, INK, anchor="lm", bold=0.6)
    y = 150.0
    for line in wrap(picture.title, TITLE, RIGHT - LEFT, MAX_LINES):
        brush.text((LEFT, y), line, TITLE, INK, anchor="la", bold=1)
        y += TITLE * 1.14
    y += 22
    for line in wrap(picture.text, TEXT, RIGHT - LEFT, MAX_LINES):
        brush.text((LEFT, y), line, TEXT, INK_2, anchor="la")
        y += TEXT * 1.35
    for line in wrap(picture.facts, TEXT, RIGHT - LEFT, 1):
        brush.text((LEFT, 560), line, TEXT, ACCENT, anchor="lm", bold=0.5)
    return png(image)


def png(image: Image.Image) -> bytes:
    """Return an image as a PNG file."""
    file = BytesIO()
    # A palette makes the file a fourth as large, and messengers refuse large ones.
    image.quantize(128, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def wrap(text: str, size: int, width: int, lines: int) -> list[str]:
    """Return a text in lines of at most `width` pixels; an ellipsis ends the last one if there is more."""
    font = font_of(size)
    wrapped: list[str] = []
    for word in text.split():
        longer = f"{wrapped[-1]} {word}" if wrapped else word
        if wrapped and font.getlength(longer) <= width:
            wrapped[-1] = longer
        else:
            wrapped.append(word)
    shown = wrapped[:lines]
    if len(wrapped) > lines:
        shown[-1] += "…"
    while shown and font.getlength(shown[-1]) > width:
        shown[-1] = shown[-1].rstrip("…")[:-1].rstrip() + "…"
    return shown


def is_drawable(text: str) -> bool:
    """Return whether the font has all letters of a text."""
    return text.isascii() and text.isprintable()
