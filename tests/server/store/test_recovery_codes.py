"""Recovery codes in the store."""

from __future__ import annotations

from parlour.server.store.accounts import Account, AccountStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore
from parlour.server.store.recovery_codes import RecoveryCodeStore


async def test_a_code_works_once(pipeline: Pipeline) -> None:
    """It replaces the password and all tokens; codes are replaced as a set, and only with the current password."""
    players, accounts, codes = PlayerStore(pipeline), AccountStore(pipeline), RecoveryCodeStore(pipeline)
    identity = await players.create_guest("Ann", "ann")
    assert identity is not None
    id = identity.player.id
    await accounts.register(id, "Ann", "ann", "hash", "command")
    account = await accounts.get(id)
    assert account is not None
    assert (await codes.salt(id), await codes.left(id)) == ("", 0)
    assert await codes.replace(account, "old", ["a", "b", "c"])
    assert await codes.replace(account, "salt", ["d", "e"])
    assert not await codes.replace(Account(id, "Ann", "another hash"), "salt", ["f"])
    assert (await codes.salt(id), await codes.left(id)) == ("salt", 2)

    assert await codes.recover(id, "a", "new hash") is None
    issued = await codes.recover(id, "d", "new hash")
    assert issued is not None
    assert len(issued.revoked) == 1
    assert await players.find(identity.token) is None
    found = await players.find(issued.token)
    assert found is not None
    assert found.id == id
    changed = await accounts.get(id)
    assert changed is not None
    assert changed.password_hash == "new hash"
    assert await codes.recover(id, "d", "hash") is None
    assert await codes.left(id) == 1
