"""The sidebar of a table: the players with their clocks, the moves, the result, the chat."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from msgspec import Struct

from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Clock, Pick, SeatedPlayer, TimeLeft
from parlour.terminal.drawing import Ink, Line, Span, Style, seat_lines
from parlour.terminal.drawing.canvas import Frame
from parlour.terminal.drawing.glyphs import charset, is_dark
from parlour.terminal.full_screen.chat_lines import chat_lines
from parlour.terminal.text.terms import player_label
from parlour.terminal.text.times import format_overtime, format_time, is_low
from parlour.terminal.ui.table_view import TableView

MIN_MOVES = 3
WRITING = "chat, PgUp/PgDn scroll"
CHAT_LINES = 5  # while nothing is being written
_BANNER = {True: Frame(*"╔═╗║╚╝"), False: Frame(*"+=+|++")}


class Sidebar(Struct, frozen=True):
    """What the sidebar shows, apart from the table itself."""

    style: Style
    width: int
    height: int
    picks: tuple[Pick, ...] = ()
    focus: int | None = None
    top_seat: int = 1  # whose side is at the top of the board
    result: str = ""  # for the banner
    last_move: str = ""
    is_writing: bool = False  # a chat message: the chat gets more room
    chat_back: int = 0  # lines that the chat is scrolled back


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
    room = width - 6 - len(time) - 1
    state = f"{' (you)' if you else ''}{offline}"
    name = style.legible(player_label(seated.player))
    name = name if len(name) + len(state) <= room else f"{name[: max(0, room - len(state) - 1)]}~"
    return Line(
        (
            Span(f"{pointer} ", Ink.PICK),
            Span(badge(board, seat, style), ink),
            Span(f" {(name + state)[:room]:{room}} ", Ink.TEXT),
            Span(time, clock_ink),
        )
    )


def seat_block(view: TableView, seat: int, scene: Scene, shown: Sidebar) -> list[Line]:
    """Return the lines of a player: name and clock, tally, pieces in hand."""
    table, style, width = view.table, shown.style, shown.width
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
    held = seat_lines(view.board, scene, seat, style=style, picks=shown.picks, focus=shown.focus, width=shown.width - 6)
    return [*lines, *(Line((indent, *line.spans)) for line in held)]


def moves_lines(moves: Sequence[str], *, style: Style, width: int, height: int, at: int | None = None) -> list[Line]:
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


def banner(sentence: str, width: int, style: Style) -> list[Line]:
    """Return a sentence in a box, such as the result of the game; nothing for no sentence."""
    if not sentence:
        return []
    frame = _BANNER[style.unicode]
    room = width - 4
    rows = [f"{frame.side} {row:{room}} {frame.side}" for row in wrap(style.legible(sentence), room)]
    edge = frame.across * (width - 2)
    texts = [frame.top_left + edge + frame.top_right, *rows, frame.bottom_left + edge + frame.bottom_right]
    return [Line((Span(text, Ink.GOLD),)) for text in texts]


def above_lines(view: TableView, scene: Scene, shown: Sidebar) -> list[Line]:
    """Return the player at the top of the board, where there is no sidebar beside it."""
    return seat_block(view, shown.top_seat, scene, shown)


def sidebar_lines(view: TableView, scene: Scene, shown: Sidebar, *, is_stacked: bool = False) -> list[Line]:
    """Return the whole sidebar. The players are where their sides of the board are.

    Stacked below the board, it starts with the player at the bottom of it.
    """
    style, width, table = shown.style, shown.width, view.table
    if is_stacked and shown.is_writing:  # there is no room for anything else
        return _writing_lines(view, shown)
    above = seat_block(view, shown.top_seat, scene, shown)
    below = seat_block(view, 1 - shown.top_seat, scene, shown)
    shared = seat_lines(view.board, scene, None, style=style, picks=shown.picks, focus=shown.focus, width=width)
    turn = turn_lines(view, style=style, width=width, most=4)
    over = banner(shown.result, width, style)
    room = shown.height - len(below) - len(shared) - len(turn) - (0 if is_stacked else len(above))
    over = over if len(over) <= room else []  # the status says the same
    room -= len(over)
    last = [Line((Span(f" {style.legible(row)}", Ink.LAST),)) for row in wrap(shown.last_move, width - 2)[:2]]
    room -= len(last) if room > len(last) + MIN_MOVES else 0
    last = last if room > MIN_MOVES else []
    most = max(CHAT_LINES, room - MIN_MOVES - 2) if shown.is_writing else CHAT_LINES
    said: list[Line] = []
    if (table.chat or shown.is_writing) and room > MIN_MOVES + 2:
        lines = chat_lines(
            table.chat, style=style, width=width, height=min(most, room - MIN_MOVES - 2), back=shown.chat_back
        )
        said = [heading(WRITING if shown.is_writing else "chat", width, style), *lines]
    room -= len(said) + 1
    moves = [] if room < 1 else [heading("moves", width, style)]
    moves += moves_lines(list(table.moves), style=style, width=width, height=max(0, room))
    parts = [*shared, *turn, *last, *over]
    if is_stacked:
        return [*below, *parts, *moves, *said][: shown.height]
    return [*above, *moves, *parts[len(shared) :], *said, *shared, *below][: shown.height]


def _writing_lines(view: TableView, shown: Sidebar) -> list[Line]:
    chat = chat_lines(
        view.table.chat, style=shown.style, width=shown.width, height=max(0, shown.height - 1), back=shown.chat_back
    )
    return [heading(WRITING, shown.width, shown.style), *chat]
