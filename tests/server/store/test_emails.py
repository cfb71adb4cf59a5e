"""E-mail addresses and mailed codes in the store."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.server.store.accounts import Account, AccountStore
from parlour.server.store.emails import CODE_TTL, EmailStore, MailedCode
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.players import PlayerStore, digest


async def test_an_address_belongs_to_an_account(pipeline: Pipeline) -> None:
    """It is set and removed only with the current password; setting it returns the one before."""
    players, accounts, emails = PlayerStore(pipeline), AccountStore(pipeline), EmailStore(pipeline)
    identity = await players.create_guest("Ann", "ann")
    assert identity is not None
    id = identity.player.id
    assert await emails.address(id) == ""
    await accounts.register(id, "Ann", "ann", "hash", "command")
    account = await accounts.get(id)
    assert account is not None
    assert await emails.set(account, "ann@example.org") == ""
    assert await emails.set(replace(account, password_hash="another"), "eve@example.org") is None
    assert await emails.set(account, "anna@example.org") == "ann@example.org"
    assert await emails.address(id) == "anna@example.org"
    assert await emails.set(account, "") == "anna@example.org"
    assert await emails.address(id) == ""


async def test_a_code_works_once(pipeline: Pipeline) -> None:
    """Only its digest is stored, for an hour, with an account and its password of that time."""
    emails, ann = EmailStore(pipeline), Account("a1", "Ann", "hash")
    meaning = MailedCode.of("recover", ann, "ann@example.org")
    await emails.add_code("secret", meaning)
    assert 0 < await pipeline.call(b"PTTL", Keys().mailed_code(digest("secret"))) <= CODE_TTL
    assert await emails.find_code("secret") == meaning
    assert meaning.belongs_to(ann)
    assert not meaning.belongs_to(replace(ann, password_hash="another"))
    assert not meaning.belongs_to(replace(ann, id="b2"))
    assert await emails.use_code("secret")
    assert not await emails.use_code("secret")
    assert await emails.find_code("secret") is None
