"""What is told at a table, in sentences."""

from __future__ import annotations

import asyncio
from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.types import Clock, Terms
from parlour.terminal.text.table import outcome_line, rating_line
from tests.terminal.full_screen.conftest import address
from tests.terminal.full_screen.screens import signed_in
from tests.waiting import WITHIN

__all__ = ["address"]

RATED = Terms("replica", clock=Clock("fischer", 60_000, 1_000), rated=True)


async def test_what_a_rated_game_does_to_the_ratings(address: str, tmp_path: Path) -> None:
    """Players are told their own, and spectators both, once the game is counted; later with the change."""
    async with (
        asyncio.timeout(WITHIN),
        signed_in(address, tmp_path / "player") as player,
        signed_in(address, tmp_path / "spectator") as spectator,
        connect(address, name="Ann") as ann,
    ):
        told = []
        for _ in range(2):
            invitation = await player.client.challenge(RATED, seat="first")
            theirs = await ann.accept(invitation.seek)
            played = await player.view(await invitation.table())
            watched = await spectator.view(await spectator.client.join(played.table.room))
            assert rating_line(played) == ""
            for table in (played.table, theirs) * 3:  # a rated game counts after six moves
                turn = await table.my_turn()
                while turn is not None and not turn.complete:
                    turn = turn.pick(turn.legal_picks[0].place)
                assert turn is not None
                await table.play(turn)
            await theirs.until(lambda table: table.ply == 6)
            await played.table.until(lambda table: table.ply == 6)
            await played.table.resign()
            for view in (played, watched):
                await view.table.until(lambda table: bool(table.ratings))
            assert outcome_line(played).endswith(rating_line(played))
            told += [rating_line(played), rating_line(watched)]
        white, black = played.table.ratings
        assert told == [
            "Your rating: 1338.",
            "Ratings: White 1338, Black 1662.",
            f"Your rating: {white} ({white - 1338:+d}).",
            f"Ratings: White {white} ({white - 1338:+d}), Black {black} ({black - 1662:+d}).",
        ]
