"""What operators change about players, in the store."""

from __future__ import annotations

import pytest

from parlour.server.restrictions import Restriction
from parlour.server.store.accounts import AccountStore
from parlour.server.store.moderation import DELETED, ModerationStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore


@pytest.fixture
def moderation(pipeline: Pipeline) -> ModerationStore:
    return ModerationStore(pipeline)


@pytest.fixture
def players(pipeline: Pipeline) -> PlayerStore:
    return PlayerStore(pipeline)


async def test_a_restriction_is_read_with_the_player(moderation: ModerationStore, players: PlayerStore) -> None:
    """By token and by id; for a player who does not exist, nothing is stored."""
    guest = await players.create_guest("Ann", "ann")
    assert guest is not None
    id = guest.player.id
    assert await moderation.suspend(id, Restriction(5, "why"))
    assert await moderation.mute(id, Restriction(0))
    found = await players.find(guest.token)
    assert found is not None
    assert (found.suspended, found.muted) == (Restriction(5, "why"), Restriction(0))
    assert await players.get([id]) == [found]
    assert await moderation.mute(id, None)
    (found,) = await players.get([id])
    assert found is not None
    assert found.muted is None
    assert not await moderation.suspend("missing", Restriction(5))
    assert await players.get(["missing"]) == [None]


async def test_a_guest_keeps_expiring_under_another_name(
    moderation: ModerationStore, players: PlayerStore, pipeline: Pipeline
) -> None:
    """A new name does not make a guest permanent, and the former name is free."""
    guest = await players.create_guest("Ann", "ann")
    assert guest is not None
    assert await moderation.rename(guest.player.id, "Berta", "berta")
    assert await players.id_of("berta") == guest.player.id
    assert await players.id_of("ann") is None
    for key in (pipeline.keys.player(guest.player.id), pipeline.keys.player_name("berta")):
        assert await pipeline.call(b"PTTL", key) > 0
    assert not await moderation.rename("missing", "Carl", "carl")
    assert await players.id_of("carl") is None


async def test_a_bot_is_renamed_on_the_list_of_its_owner(
    moderation: ModerationStore, players: PlayerStore, pipeline: Pipeline
) -> None:
    """The owner can create a new token under the new name."""
    accounts = AccountStore(pipeline)
    guest = await players.create_guest("Ann", "ann")
    assert guest is not None
    await accounts.register(guest.player.id, "Ann", "ann", "hash", "s 1")
    bot = await accounts.create_bot(guest.player.id, "Robbie", "robbie")
    assert not isinstance(bot, str)
    assert await moderation.rename(bot.id, "Marvin", "marvin")
    again = await accounts.create_bot(guest.player.id, "Marvin", "marvin")
    assert not isinstance(again, str)
    assert again.id == bot.id


async def test_a_deleted_player_leaves_a_note(moderation: ModerationStore, players: PlayerStore) -> None:
    """The token leads nowhere, the name is free, and deleting again changes nothing."""
    guest = await players.create_guest("Ann", "ann")
    assert guest is not None
    for _ in range(2):
        await moderation.delete(guest.player.id)
        assert await players.find(guest.token) is None
        assert await players.id_of("ann") is None
        (note,) = await players.get([guest.player.id])
        assert note is not None
        assert (note.name, note.kind) == (DELETED, "deleted")
