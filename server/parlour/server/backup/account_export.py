"""The accounts of a store, each followed by its bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec

from parlour.server.backup.account_lines import AccountLine, rating_line
from parlour.server.players.ratings import Ratings
from parlour.server.restrictions import Restriction
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import RatingStore

read_restriction = msgspec.json.Decoder(Restriction).decode

FIELDS = ("kind", "name", "created", "password", "owner", "password_once", "suspended", "muted")


async def export_accounts(pipeline: Pipeline) -> AsyncIterator[AccountLine]:
    """Yield all accounts and bots, without guests, tokens and running games. An account may be yielded twice."""
    start = pipeline.keys.player("").partition("}")[0]
    async for names in pipeline.scan(f"{start}*}}"):
        ids = [name.decode().removeprefix(start).removesuffix("}") for name in names]
        for account in await _read(pipeline, ids, "account"):
            yield account
            bots = await pipeline.call(b"HVALS", pipeline.keys.player_bots(account.id))
            for bot in await _read(pipeline, sorted(id.decode() for id in bots), "bot"):
                yield bot


async def _read(pipeline: Pipeline, ids: Sequence[str], kind: str) -> list[AccountLine]:
    """Return the players of a kind among those with these ids."""
    found = await pipeline.call_all(*((b"HMGET", pipeline.keys.player(id), *FIELDS) for id in ids))
    players = [(id, fields) for id, fields in zip(ids, found, strict=True) if fields[0] == kind.encode()]
    ratings = Ratings(RatingStore(pipeline))
    rated = await asyncio.gather(*(ratings.all(id) for id, _ in players))
    lines = []
    for (id, fields), of_player in zip(players, rated, strict=True):
        _, name, created, password, owner, once = (None if field is None else field.decode() for field in fields[:-2])
        suspended, muted = (read_restriction(field) if field else None for field in fields[-2:])
        lines.append(
            AccountLine(
                id=id,
                name=name or "",
                kind="bot" if kind == "bot" else "account",
                created=int(created or 0),
                password=password,
                owner=owner,
                password_once=once,
                suspended=suspended,
                muted=muted,
                ratings={game: rating_line(rating) for game, rating in of_player.items()},
            )
        )
    return lines
