"""What is told at a table, in sentences."""

from __future__ import annotations

import asyncio
from pathlib import Path

from parlour.client.parlour import connect
from parlour.client.words.table import rating_words, result_words
from parlour.protocol.tables import Clock, Terms
from tests.client.terminal.conftest import address
from tests.client.terminal.screens import visiting
from tests.waiting import WITHIN

__all__ = ["address"]

RATED = Terms("replica", clock=Clock("fischer", 60_000, 1_000), rated=True)


async def test_what_a_rated_game_does_to_the_ratings(address: str, tmp_path: Path) -> None:
    """Players are told their own, and watchers both, once the game is counted; later with the change."""
    async with (
        asyncio.timeout(WITHIN),
        visiting(address, tmp_path / "player") as player,
        visiting(address, tmp_path / "watcher") as watcher,
        connect(address, name="Ann") as ann,
    ):
        told = []
        for _ in range(2):
            invitation = await player.parlour.challenge(RATED, seat="first")
            await ann.accept(invitation.seek)
            played = await player.sit(await invitation.table())
            watched = await watcher.sit(await watcher.parlour.join(played.table.room))
            assert rating_words(played) == ""
            await played.table.resign()
            for sitting in (played, watched):
                await sitting.table.until(lambda table: bool(table.ratings))
            assert result_words(played).endswith(rating_words(played))
            told += [rating_words(played), rating_words(watched)]
        white, black = played.table.ratings
        assert told == [
            "Your rating: 1338.",
            "Ratings: White 1338, Black 1662.",
            f"Your rating: {white} ({white - 1338:+d}).",
            f"Ratings: White {white} ({white - 1338:+d}), Black {black} ({black - 1662:+d}).",
        ]
