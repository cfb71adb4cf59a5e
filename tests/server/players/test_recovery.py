"""The way back into an account whose password is lost."""

from __future__ import annotations

from redis.asyncio import Redis

from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import (
    CreateRecoveryCodes,
    GetRecoveryCodes,
    RecoverAccount,
    RecoveryCodes,
    Register,
    SignedIn,
    SignIn,
)  # fmt: skip
from parlour.server.players.recovery import ALPHABET, CODES, new_code, tidy_code
from tests.server.running_node import running_node

OLD, NEW = "three otters in a boat", "four otters in a boat"


def test_codes_can_be_copied_by_hand() -> None:
    """A code has two groups of five letters that do not look alike; case, spaces and hyphens make no difference."""
    code = new_code()
    assert [len(group) for group in code.split("-")] == [5, 5]
    assert set(code) <= {*ALPHABET, "-"}
    assert not set("il1o0") & set(ALPHABET)
    assert tidy_code(f" {code.upper().replace('-', ' ')}") == code.replace("-", "")


async def test_a_code_sets_a_new_password(valkey: str, redis: Redis) -> None:
    """It signs out every other device, and the same command sent again gets the same answer."""
    async with running_node(valkey, "north") as north, running_node(valkey, "south") as south:
        ann, guest = await north.call(name="Ann"), await south.call()
        await ann.ask(Register(id=0, name="Ann", password=OLD))
        created = await ann.ask(CreateRecoveryCodes(id=0, password=OLD))
        assert isinstance(created, RecoveryCodes)
        assert (len(set(created.codes)), created.left) == (CODES, CODES)
        stored = b"".join([await redis.dump(key) or b"" for key in await redis.keys("*")])
        assert not any(code.replace("-", "").encode() in stored for code in created.codes)

        recover = RecoverAccount(id=0, name="ann", code=created.codes[3], password=NEW)
        signed_in = await guest.ask(recover, id=50)
        assert isinstance(signed_in, SignedIn)
        assert await ann.closed() == CloseCode.SIGNED_OUT
        assert await guest.ask(recover, id=50) == signed_in
        assert await guest.code(recover, id=51) == ErrorCode.SIGN_IN_REFUSED
        assert await guest.code(SignIn(id=0, name="Ann", password=OLD)) == ErrorCode.SIGN_IN_REFUSED
        again = await south.call(signed_in.token)
        assert await again.ask(GetRecoveryCodes(id=1), id=1) == RecoveryCodes(id=1, left=CODES - 1)


async def test_wrong_codes_are_refused_alike(valkey: str, redis: Redis) -> None:
    """An unknown name, an account without codes and a wrong code get the same sentence; weak passwords their own."""
    async with running_node(valkey) as node:
        ann, guest = await node.call(name="Ann"), await node.call(name="Ben")
        await ann.ask(Register(id=0, name="Ann", password=OLD))
        sentences = set()
        for name in ("Ann", "Ben", "Unknown"):
            refused = await guest.ask(RecoverAccount(id=0, name=name, code="abcde-fghjk", password=NEW))
            sentences.add((refused.code, refused.text))
        assert len(sentences) == 1
        weak = RecoverAccount(id=0, name="Ann", code="abcde-fghjk", password="12345678")
        assert await guest.code(weak) == ErrorCode.PASSWORD_REFUSED
        assert await ann.code(CreateRecoveryCodes(id=0, password=NEW)) == ErrorCode.SIGN_IN_REFUSED
        assert await guest.code(CreateRecoveryCodes(id=0, password=NEW)) == ErrorCode.ACCOUNT_NEEDED


async def test_guesses_are_limited(valkey: str, redis: Redis) -> None:
    """Codes of one account can be tried as often as its password, from whichever address."""
    async with running_node(valkey, unlimited_networks=(), sign_in_rate=3) as node:
        guest = await node.call()
        guess = RecoverAccount(id=0, name="Ann", code="abcde-fghjk", password=NEW)
        codes = [await guest.code(guess) for _ in range(4)]
        assert codes == [ErrorCode.SIGN_IN_REFUSED] * 3 + [ErrorCode.TOO_MANY_SIGN_INS]
