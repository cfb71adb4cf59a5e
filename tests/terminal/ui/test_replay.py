"""Stepping through a record."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from parlour.protocol.messages import Assessment, RecordedMove
from parlour.protocol.types import Terms
from parlour.server.archive.storage import record_of
from parlour.server.archive.wire import record_message
from parlour.terminal.ui.replay import NO_BOARDS, Replay
from tests.server.archive.sample_games import finished
from tests.terminal.full_screen.screens import signed_in
from tests.terminal.ui.test_table_view import turn_of


def reviewed() -> Replay:
    """A game of three moves, of which the first two positions and the last one are assessed."""
    replay = Replay(record_message(record_of(finished("mapello", 3, 3)), 0))
    first, _, third = (move.move for move in replay.record.moves)
    for ply, seat, chance, move in ((0, 0, 600, first), (1, 1, 400, "x9"), (2, 0, 950, third)):
        replay.assessments[ply] = Assessment(
            id=0, room="r", ply=ply, seat=seat, chance=chance, move=move, picks=(), line=(), score=0
        )
    return replay


def test_mistakes_are_marked() -> None:
    """A move that costs much of the winning chance. The last move led to the result, but not to a resignation."""
    replay = reviewed()
    assert [replay.mark(number) for number in (1, 2, 3)] == ["", "??", ""]
    replay.scenes[3] = replace(replay.scenes[3], to_move=None)
    assert replay.mark(3) == "??"
    del replay.assessments[2]
    assert replay.mark(2) == ""  # not known


async def test_a_record_is_stepped_through(address: str, tmp_path: Path) -> None:
    """The scenes of a replay are those of the game, and steps stop at both ends."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("mapello"))
        seen = []
        for ply, move in enumerate(("f7", "e7")):
            await turn_of(view, ply)
            seen.append(view.table.scene.pieces)
            await view.play_text(move)
        await turn_of(view, 2)
        seen.append(view.table.scene.pieces)
        replay = Replay(await session.client.records.record(view.table.room))

        assert [scene.pieces for scene in replay.scenes] == seen
        assert (replay.ply, replay.length, replay.move) == (2, 2, "e7")
        replay.step(5)
        assert replay.ply == 2
        replay.go(-3)
        assert (replay.ply, replay.move, replay.duration) == (0, "", 0)


async def test_a_record_without_boards(address: str, tmp_path: Path) -> None:
    """Its moves can be stepped through, on an empty board with a note that says why."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("mapello"))
        await turn_of(view, 0)
        await view.play_text("f7")
        await turn_of(view, 1)
        record = await session.client.records.record(view.table.room)
        bare = tuple(RecordedMove(move.move, move.duration) for move in record.moves)
        replay = Replay(replace(record, replayable=False, board=None, initial_scene=None, moves=bare))

    assert (replay.length, replay.move, replay.board.cells, replay.scene.pieces) == (1, "f7", 0, ())
    assert replay.scene.note == NO_BOARDS
    assert [seat.name for seat in replay.board.seats] == ["First", "Second"]
