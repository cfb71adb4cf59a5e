"""What is reported about a table, without a server."""

from __future__ import annotations

from parlour.protocol.messages import Presence, Said
from parlour.terminal.drawing import Style
from parlour.terminal.plain import outputs
from parlour.terminal.plain.outputs import Output
from parlour.terminal.plain.table_reporter import TableReporter
from parlour.terminal.ui.table_view import TableView
from tests.terminal.offline_table import offline_view

ASCII = Style(unicode=False)


class Reported:
    """Keeps what a reporter shows."""

    def __init__(self, view: TableView) -> None:
        self.objects: list[Output] = []
        self.lines: list[str] = []
        self.reporter = TableReporter(view, self.show, ASCII, draws_moves=lambda: False)

    def show(self, output: Output | None, *lines: str) -> None:
        if output is not None:
            self.objects.append(output)
        self.lines += lines


async def test_a_table_is_reported_whole() -> None:
    """Programs get the table and the turn as objects, people the players, the board and what to do."""
    view = offline_view(hotseat=True)
    reported = Reported(view)
    await reported.reporter.open()
    table, turn = reported.objects
    assert isinstance(table, outputs.TableOpened)
    assert (table.room, table.seat, table.moves) == ("R", None, ("f7", "g7"))
    assert isinstance(turn, outputs.Turn)
    assert [choice.place for choice in turn.choices] == [11, 12]
    assert reported.lines[0].endswith("Ann (Black) against Bob (White). Table R.")
    assert "  " not in reported.lines[0]  # so that it is wrapped as prose, and not kept whole as a table
    assert reported.lines[-1] == "Ann (Black): Choose a cell."
    await reported.reporter.close()


async def test_events_are_reported() -> None:
    """Chat and the absence of the opponent are reported once, with the offers that are open."""
    view = offline_view(offers=("1:draw",))
    reported = Reported(view)
    await reported.reporter.open()
    assert "Bob offers a draw." in reported.lines[-1]
    for event in (Said(room="R", name="Bob", text="hello"), Presence(room="R", online=(True, False)),
                  Presence(room="R", online=(True, False))):  # fmt: skip
        view.table.handle(event)
    await reported.reporter.changed.wait()
    while len(reported.objects) < 5:
        await reported.reporter.changed.wait()
    assert [type(each) for each in reported.objects[2:]] == [
        outputs.ChatLine, outputs.PlayersOnline, outputs.PlayersOnline,
    ]  # fmt: skip
    assert [reported.lines.count(line) for line in ("Bob: hello", "Bob is offline.")] == [1, 1]
    await reported.reporter.close()


async def test_the_time_for_the_first_move_is_said_once() -> None:
    """Also while it is long, since nothing counts down in plain mode."""
    view = offline_view(moves=())
    reported = Reported(view)
    await reported.reporter.open()
    for number, left in enumerate((60_000, 50_000), 1):
        view.table.handle(Presence(room="R", online=(True, True), abort_in=left))
        while sum(isinstance(each, outputs.PlayersOnline) for each in reported.objects) < number:
            await reported.reporter.changed.wait()
    assert [line for line in reported.lines if "first move" in line] == [
        "Make your first move within 1:00, or the game is aborted."
    ]
    await reported.reporter.close()


async def test_the_board_is_rotated() -> None:
    """A rotated board has its first row at the top."""
    reporter = Reported(offline_view()).reporter
    first = reporter.board_lines()
    reporter.is_flipped = True
    assert reporter.board_lines()[0] != first[0]
