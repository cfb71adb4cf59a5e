"""The sidebar of a table: the players with their clocks, the moves, the chat."""

from __future__ import annotations

from parlour.client.drawing import Ink, Line, Span, Style, seat_lines
from parlour.client.drawing.glyphs import charset, is_dark
from parlour.client.text.terms import player_label
from parlour.client.text.times import format_overtime, format_time, is_low
from parlour.client.ui.table_view import TableView
from parlour.protocol.messages import Said
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Clock, Pick, SeatedPlayer, TimeLeft

MIN_MOVES = 3


def badge(board: BoardSpec, seat: int, style: Style) -> str:
    """Return the sign of a seat, which is the same in every game."""
    if is_dark(board, seat):
        return "<◆>" if style.unicode else "<x>"
    return "(●)" if style.unicode else "(o)"


def heading(words: str, width: int, style: Style) -> Line:
    rule = "─" if style.unicode else "-"
    return Line((Span(f"{rule * 2} {words} {rule * width}"[:width], Ink.FAINT),))


def player_line(
    board: BoardSpec, seated: SeatedPlayer, seat: int, *, style: Style, width: int, to_move: bool, you: bool,
    left: TimeLeft | None = None, clock: Clock | None = None,
) -> Line:  # fmt: skip
    """Return `▸ (●) fern (you) 1587       4:38`."""
    ink = Ink.DARK if is_dark(board, seat) else Ink.LIGHT
    pointer = charset(style).pointer if to_move else " "
    time = "" if left is None else format_time(left.main)
    clock_ink = Ink.GOLD if clock is not None and left is not None and is_low(clock, left) else Ink.TEXT
    offline = "" if seated.online or seated.player.bot else " (offline)"
    words = style.legible(f"{player_label(seated.player)}{' (you)' if you else ''}{offline}")
    room = width - 6 - len(time) - 1
    return Line(
        (
            Span(f"{pointer} ", Ink.PICK),
            Span(badge(board, seat, style), ink),
            Span(f" {words[:room]:{room}} ", Ink.TEXT),
            Span(time, clock_ink),
        )
    )


def seat_block(view: TableView, seat: int, scene: Scene, picks: tuple[Pick, ...], focus: int | None, *,
               style: Style, width: int) -> list[Line]:  # fmt: skip
    """Return the lines of a player: name and clock, tally, pieces in hand."""
    table = view.table
    left = table.time_left(seat)
    seated = table.players[seat]
    if table.presence is not None and seat < len(table.presence.online):
        seated = SeatedPlayer(seated.player, table.presence.online[seat])
    lines = [
        player_line(
            view.board, seated, seat, style=style, width=width, left=left, clock=table.terms.clock,
            to_move=scene.to_move == seat and table.result is None, you=seat == view.seat,
        )
    ]  # fmt: skip
    if left is not None and (more := format_overtime(table.terms.clock, left)):
        lines.append(Line((Span(more.rjust(width), Ink.FAINT),)))
    indent = Span("      ")
    held = seat_lines(view.board, scene, seat, style=style, picks=picks, focus=focus, width=width - 6)
    return [*lines, *(Line((indent, *line.spans)) for line in held)]


def moves_lines(moves: list[str], *, style: Style, width: int, height: int, at: int | None = None) -> list[Line]:
    """Return the last moves that fit, two in a row. The last move before the position `at` is highlighted."""
    at = len(moves) if at is None else at
    column = (width - 6) // 2
    rows = [moves[start : start + 2] for start in range(0, len(moves), 2)] or [[]]
    shown = max(0, (at - 1) // 2)
    last = min(len(rows), max(height, shown + 1 + height // 2))
    first = max(0, last - height)
    lines = []
    for number in range(first, last):
        spans = [Span(f"{number + 1:>4}  ", Ink.FAINT)]
        for offset, move in enumerate(rows[number]):
            text = style.legible(move)
            text = text if len(text) < column else text[: column - 2] + "~"
            spans.append(Span(f"{text:{column}}", Ink.LAST if 2 * number + offset == at - 1 else Ink.TEXT))
        lines.append(Line(tuple(spans)))
    return [*lines, *[Line()] * (height - len(lines))]


def chat_lines(chat: list[Said], *, style: Style, width: int, height: int) -> list[Line]:
    """Return the last chat messages, wrapped."""
    lines: list[Line] = []
    for said in chat[-height:]:
        words = style.legible(f"{said.name}: {said.text}")
        parts = [words[start : start + width - 1] for start in range(0, len(words), width - 1)]
        lines += [Line((Span(f" {part}", Ink.TEXT),)) for part in parts]
    return lines[-height:] if height else []


def turn_lines(view: TableView, *, style: Style, width: int, most: int) -> list[Line]:
    """Return the picks so far; empty while nothing is picked."""
    turn = view.turn
    if turn is None or not turn.picks:
        return []
    names = [style.legible(view.board.place_name(place)) for place in turn.picks]
    lines = [heading("this turn", width, style)]
    for number, (name, label) in enumerate(zip(names, turn.labels, strict=True), 1):
        said = f"  {style.legible(label)}" if label and label != name else ""
        lines.append(Line((Span(f" {number} {name}{said}"[:width], Ink.PICK),)))
    return lines[: most + 1]


def sidebar_lines(
    view: TableView,
    scene: Scene,
    *,
    style: Style,
    width: int,
    height: int,
    picks: tuple[Pick, ...] = (),
    focus: int | None = None,
) -> list[Line]:
    """Return the whole sidebar, from top to bottom: opponent, moves, this turn, chat, own side."""
    table = view.table
    own = view.seat if view.seat is not None else 0
    above = seat_block(view, 1 - own, scene, picks, focus, style=style, width=width)
    below = seat_block(view, own, scene, picks, focus, style=style, width=width)
    shared = seat_lines(view.board, scene, None, style=style, picks=picks, focus=focus, width=width)
    turn = turn_lines(view, style=style, width=width, most=4)
    talked = min(4, len(table.chat))
    room = height - len(above) - len(below) - len(shared) - len(turn)
    said: list[Line] = []
    if talked and room >= MIN_MOVES + 1 + talked:
        said = [heading("chat", width, style)]
        said += chat_lines(list(table.chat), style=style, width=width, height=talked)
    room -= len(said) + 1
    moves = [] if room < 1 else [heading("moves", width, style)]
    moves += moves_lines(list(table.moves), style=style, width=width, height=max(0, room))
    return [*above, *moves, *turn, *said, *shared, *below][:height]
