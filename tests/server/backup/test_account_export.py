"""Accounts are exported with their bots, and guests are not."""

from __future__ import annotations

from parlour.server.backup.account_export import export_accounts
from parlour.server.backup.account_lines import rating_line
from parlour.server.players.glicko2 import Rating
from parlour.server.players.ratings import encode
from parlour.server.store.accounts import AccountStore, NewBot
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.ratings import RatingStore


async def test_accounts_and_their_bots(pipeline: Pipeline) -> None:
    """A bot follows its owner. Nothing that a player could sign in with is exported, except the password's hash."""
    players, accounts = PlayerStore(pipeline), AccountStore(pipeline)
    ids = {}
    for name in ("Ada", "Eve", "Guest"):
        created = await players.create_guest(name, name.lower())
        assert created is not None
        ids[name] = created.player.id
    for name in ("Ada", "Eve"):
        assert await accounts.register(ids[name], name, name.lower(), f"hash of {name}", "1") == "registered"
    bot = await accounts.create_bot(ids["Eve"], "Eve Bot", "evebot")
    assert isinstance(bot, NewBot)
    await RatingStore(pipeline).put(ids["Ada"], {"isaac": encode(Rating(1700.0, at=1, won=1))})

    lines = [line async for line in export_accounts(pipeline)]

    assert sorted(line.name for line in lines) == ["Ada", "Eve", "Eve Bot"]
    by_name = {line.name: line for line in lines}
    ada, eve, eve_bot = by_name["Ada"], by_name["Eve"], by_name["Eve Bot"]
    assert (ada.id, ada.kind, ada.password) == (ids["Ada"], "account", "hash of Ada")
    assert ada.ratings == {"isaac": rating_line(Rating(1700.0, at=1, won=1))}
    assert (eve_bot.id, eve_bot.owner, eve_bot.password) == (bot.id, ids["Eve"], None)
    assert lines.index(eve_bot) == lines.index(eve) + 1
    assert all(line.created > 0 for line in lines)
