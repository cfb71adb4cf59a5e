"""Operations on positions: analysis, study and pictures."""

from __future__ import annotations

from functools import partial

from parlour import games
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Assessment, AssessPosition, EditPosition, PositionEdited, Studied, Study
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Terms
from parlour.server.api.call import Call, messages_of
from parlour.server.api.operation import PNG_TYPE, SVG_TYPE, Content, Operation
from parlour.server.api.replies import Picture, SizedPicture
from parlour.server.game_queries.study import line_of
from parlour.server.limits.costs import PAGE_COST, PICTURE_COST
from parlour.server.pages.board_image import board_image, board_svg
from parlour.server.pages.link_image import png


async def draw_svg(call: Call, wanted: Picture) -> Content:
    """Return a position as SVG."""
    await call.charge(messages_of(Study), PAGE_COST)
    board, scene, title = await _reach(call, wanted)
    svg = await call.node.compute.run(call.asked.address, lambda: board_svg(board, scene, title))
    return Content(svg.encode(), SVG_TYPE)


async def draw_png(call: Call, wanted: SizedPicture) -> Content:
    """Return a position as PNG."""
    await call.charge(messages_of(Study), PICTURE_COST)
    board, scene, _ = await _reach(call, wanted)
    draw = partial(_png, board, scene, wanted.size)
    return Content(await call.node.compute.run(call.asked.address, draw), PNG_TYPE)


def _png(board: BoardSpec, scene: Scene, size: int) -> bytes:
    return png(board_image(board, scene, size))


async def _reach(call: Call, wanted: Picture) -> tuple[BoardSpec, Scene, str]:
    """Return the board of a position, its scene, and the position as text."""
    game = games.find(wanted.game)
    line = line_of(Study(id=0, terms=Terms(wanted.game), position=wanted.position, moves=wanted.moves))
    reached = await call.node.analysis_board.reach(call.session, line)
    scene = game.scene(reached.state)
    if reached.before is not None:
        scene = game.scene_after(reached.before, reached.move, reached.state)
    return game.board(line.options), scene, f"{game.info.name}: {game.print(reached.state)}"


_POSITION = (
    ErrorCode.GAME_UNKNOWN, ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE, ErrorCode.MOVE_MALFORMED,
    ErrorCode.MOVE_ILLEGAL, ErrorCode.GAME_OVER,
)  # fmt: skip
_OPTION_CODES = (
    ErrorCode.OPTION_UNKNOWN, ErrorCode.OPTION_INVALID, ErrorCode.LAYOUT_INVALID, ErrorCode.CLOCK_INVALID,
    ErrorCode.RATED_REFUSED,
)  # fmt: skip
_TERMS = (*_POSITION, *_OPTION_CODES)

OPERATIONS = (
    Operation(
        method="POST", path="/positions/study", name="studyPosition", tag="positions",
        summary="Play moves on an analysis board: the position, and what may be picked there",
        input=Study, reply=Studied, codes=_TERMS,
    ),
    Operation(
        method="POST", path="/positions/assess", name="assessPosition", tag="positions", scope="read",
        summary="Have the computer assess a position",
        about="Refused to a player who has a running game of the same kind against another person.",
        input=AssessPosition, reply=Assessment,
        codes=(*_TERMS, ErrorCode.HINT_REFUSED, ErrorCode.COMPUTER_BUSY),
    ),
    Operation(
        method="POST", path="/positions/edit", name="editPosition", tag="positions",
        summary="Set up a position by hand: put a piece on the board, or take one away",
        input=EditPosition, reply=PositionEdited,
        codes=(*_POSITION[:3], *_OPTION_CODES, ErrorCode.EDIT_INVALID, ErrorCode.EDITOR_UNKNOWN),
    ),
    Operation(
        method="GET", path="/games/{game}/picture.svg", name="drawSvg", tag="positions",
        summary="Draw a position as SVG",
        input=Picture, reply=None, formats=(SVG_TYPE,), answer=draw_svg, codes=_POSITION,
    ),
    Operation(
        method="GET", path="/games/{game}/picture.png", name="drawPng", tag="positions",
        summary="Draw a position as PNG",
        input=SizedPicture, reply=None, formats=(PNG_TYPE,), answer=draw_png, codes=_POSITION,
    ),
)  # fmt: skip
