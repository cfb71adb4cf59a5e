"""Replaying a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from parlour.protocol.types import Terms
from parlour.server.archive.record import sealed
from parlour.server.archive.storage import record_of
from parlour.server.archive.text_format import write
from parlour.terminal.full_screen.games_screen import GamesScreen
from parlour.terminal.full_screen.replay_screen import ReplayScreen
from parlour.terminal.ui.replay import Replay
from tests.server.archive.sample_games import finished
from tests.terminal.full_screen.screens import opened, signed_in


async def test_a_finished_game_is_replayed(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the list of games: step, jump, assess, save and play automatically."""
    monkeypatch.chdir(tmp_path)
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        view = await session.hotseat(Terms("mapello"))
        for seat, move in zip(view.seats, ("f7", "e7"), strict=True):
            await seat.table.my_turn()
            await seat.table.play(move)
        await view.resign()
        await view.table.over()
        await view.leave()
        await shown.press("m")
        await shown.at(GamesScreen)
        await shown.shows("Mapello", "2 moves")
        await shown.press("enter")
        screen = await shown.at(ReplayScreen)
        await shown.shows("Move 2 of 2: e7", "replay")
        await shown.press("left")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("home")
        await shown.shows("Before the first of 2 moves.")
        await shown.press("1", "enter")
        await shown.shows("Move 1 of 2: f7")
        await shown.press("A")
        await shown.shows("looks best")
        await shown.press("R")
        await shown.shows("moves, chance before, best", "Black ", " % before it")
        assert set(screen.replay.assessments) == {0, 1}
        await shown.press("S")
        await shown.shows(f"Saved as mapello-{view.table.room}.txt")
        screen.redraw()  # as every assessment of a review does
        await shown.shows(f"Saved as mapello-{view.table.room}.txt")
        assert (tmp_path / f"mapello-{view.table.room}.txt").read_text(encoding="utf-8")
        await shown.press("right")
        await shown.shows("Move 2 of 2: e7", "White ")
        await shown.press("home", "space")
        await shown.until(lambda: screen.replay.ply == 2)
        await shown.press("q")
        await shown.at(GamesScreen)


async def test_a_game_without_a_move(address: str, tmp_path: Path) -> None:
    """A table is replayed before the first move."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("replica"))
        async with opened(session, tmp_path, view=view) as shown:
            await shown.press("V")
            await shown.at(ReplayScreen)
            await shown.shows("No move has been played.")


async def test_a_record_by_other_rules_is_shown_without_boards(address: str, tmp_path: Path) -> None:
    """The moves, the players and the result are there, and a note says why there is no board."""
    record = sealed(replace(record_of(finished("mapello", 3, 6)), rules_version=99))
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        read = await session.client.records.read(write(record))
        shown.app.push_screen(ReplayScreen(Replay(read)))
        await shown.at(ReplayScreen)
        await shown.shows("Ada", record.moves[5].move, "There are no boards")
        await shown.press("home")
        await shown.shows("Before the first of 6 moves.")
