"""Ratings that a test needs before any game is played."""

from __future__ import annotations

from parlour.server.players.glicko2 import Rating
from parlour.server.players.names import fold_name
from parlour.server.players.ratings import encode
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import RatingStore


async def give_rating(store: str, name: str, game: str) -> None:
    """Give a player a rating in a game, in the store at this address."""
    pipeline = Pipeline(store)
    await pipeline.open()
    try:
        id = await NameStore(pipeline).holder(fold_name(name))
        assert id is not None
        await RatingStore(pipeline).put(id, {game: encode(Rating())})
    finally:
        await pipeline.close()
