"""The e-mail address of an account, and the way back into the account with it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from redis.asyncio import Redis

from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import (
    ChangePassword,
    ConfirmEmail,
    Email,
    GetEmail,
    Ok,
    RecoverAccount,
    Register,
    RequestRecovery,
    SetEmail,
    SignedIn,
    SignIn,
)  # fmt: skip
from tests.server.mail_server import MailServer, run_mail_server
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

OLD, NEW = "three otters in a boat", "four otters in a boat"
ADDRESS = "ann@example.net"


@asynccontextmanager
async def mailing_node(valkey: str, **settings: Any) -> AsyncIterator[tuple[RunningNode, MailServer]]:
    async with run_mail_server() as mail:
        public_url = "https://play.example.org/games"
        options = {"smtp_url": mail.url, "mail_from": "games@example.org", "public_url": public_url, **settings}
        async with running_node(valkey, **options) as node:
            yield node, mail


async def registered(node: RunningNode, name: str) -> Caller:
    caller = await node.call(name=name)
    await caller.ask(Register(id=0, name=name, password=OLD))
    return caller


async def with_address(node: RunningNode, mail: MailServer, name: str = "Ann") -> Caller:
    """Return a player with an account and a confirmed address."""
    caller = await registered(node, name)
    assert isinstance(await caller.ask(SetEmail(id=0, address=ADDRESS, password=OLD)), Ok)
    assert isinstance(await caller.ask(ConfirmEmail(id=0, code=code_in(await mail.link()))), Ok)
    return caller


def code_in(link: str) -> str:
    found = re.search(r"=([0-9a-f]{32})", link)
    assert found is not None
    return found[1]


async def test_an_address_counts_once_it_is_confirmed(valkey: str, redis: Redis) -> None:
    """The link leads to the account page, can be opened by anyone, and works once; the code is not stored."""
    async with mailing_node(valkey) as (node, mail):
        ann, guest = await registered(node, "Ann"), await node.call()
        assert await ann.ask(GetEmail(id=70), id=70) == Email(id=70, address="", offered=True)
        await ann.ask(SetEmail(id=0, address=f" {ADDRESS} ", password=OLD))
        link = await mail.link()
        assert link == f"https://play.example.org/games/account#confirm={code_in(link)}"
        assert (mail.mails[0]["To"], mail.mails[0]["From"]) == (ADDRESS, "Parlour <games@example.org>")
        assert (await ann.ask(GetEmail(id=0))).address == ""
        stored = b"".join([await redis.dump(key) or b"" for key in await redis.keys("*")])
        assert code_in(link).encode() not in stored

        assert isinstance(await guest.ask(ConfirmEmail(id=0, code=code_in(link))), Ok)
        assert (await ann.ask(GetEmail(id=0))).address == ADDRESS
        assert await guest.code(ConfirmEmail(id=0, code=code_in(link))) == ErrorCode.EMAIL_REFUSED
        assert await guest.code(SetEmail(id=0, address=ADDRESS, password=OLD)) == ErrorCode.ACCOUNT_NEEDED
        for address in ("ann", "ann@host", "a b@example.org", "ann@example.org\nBcc: eve@example.org"):
            assert await ann.code(SetEmail(id=0, address=address, password=OLD)) == ErrorCode.EMAIL_REFUSED
        assert await ann.code(SetEmail(id=0, address="", password=NEW)) == ErrorCode.SIGN_IN_REFUSED
        await ann.ask(SetEmail(id=0, address="", password=OLD))
        assert (await ann.ask(GetEmail(id=0))).address == ""
        await until(lambda: len(mail.mails) == 2)
        assert mail.mails[1]["Subject"].startswith("Your e-mail address was changed")


async def test_a_mailed_link_sets_a_new_password(valkey: str, redis: Redis) -> None:
    """It works once, for its account only, and signs out all devices."""
    async with mailing_node(valkey) as (node, mail):
        ann, guest = await with_address(node, mail), await node.call()
        await guest.ask(RequestRecovery(id=0, name="ann"))
        link = await mail.link(2)
        assert link.endswith(f"/account#recover={code_in(link)}&name=Ann")
        recover = RecoverAccount(id=0, name="Ann", code=code_in(link), password=NEW)
        other = RecoverAccount(id=0, name="Ben", code=code_in(link), password=NEW)
        assert await guest.code(other) == ErrorCode.SIGN_IN_REFUSED
        assert await guest.code(ConfirmEmail(id=0, code=code_in(link))) == ErrorCode.EMAIL_REFUSED
        signed_in = await guest.ask(recover, id=80)
        assert isinstance(signed_in, SignedIn)
        assert await ann.closed() == CloseCode.SIGNED_OUT
        assert await guest.ask(recover, id=80) == signed_in
        assert await guest.code(recover, id=81) == ErrorCode.SIGN_IN_REFUSED
        assert await guest.code(SignIn(id=0, name="Ann", password=OLD)) == ErrorCode.SIGN_IN_REFUSED
        again = await node.call(signed_in.token)
        assert (await again.ask(GetEmail(id=0))).address == ADDRESS


async def test_a_changed_password_or_address_ends_links(valkey: str, redis: Redis) -> None:
    """A link that waits in a mailbox is worth nothing after either."""
    async with mailing_node(valkey) as (node, mail):
        ann, guest = await with_address(node, mail), await node.call()
        await guest.ask(RequestRecovery(id=0, name="Ann"))
        recover = RecoverAccount(id=0, name="Ann", code=code_in(await mail.link(2)), password="five otters in a boat")
        await ann.ask(SetEmail(id=0, address="", password=OLD))
        assert await guest.code(recover) == ErrorCode.SIGN_IN_REFUSED
        await ann.ask(ChangePassword(id=0, old=OLD, new=NEW))
        assert await guest.code(recover) == ErrorCode.SIGN_IN_REFUSED


async def test_the_answer_says_nothing_about_accounts(valkey: str, redis: Redis) -> None:
    """It is the same for an account with an address, one without, an unknown name, and after too many e-mails."""
    async with mailing_node(valkey) as (node, mail):
        await with_address(node, mail)
        await registered(node, "Cid")
        guest = await node.call()
        for name in ("Ann", "Cid", "Unknown", "Ann", "Ann"):
            assert isinstance(await guest.ask(RequestRecovery(id=0, name=name)), Ok)
        await until(lambda: len(mail.mails) == 3)
        await node.node.drain(60)
        assert [each["To"] for each in mail.mails] == [ADDRESS] * 3


async def test_e_mails_to_an_address_are_limited(valkey: str, redis: Redis) -> None:
    """Three per hour, whatever accounts ask for them."""
    async with mailing_node(valkey) as (node, mail):
        players = [await registered(node, name) for name in ("Ann", "Ben", "Cid", "Dan")]
        answers = [await each.ask(SetEmail(id=0, address=ADDRESS, password=OLD)) for each in players]
        assert [type(each) for each in answers[:3]] == [Ok] * 3
        assert answers[3].code == ErrorCode.TOO_MANY_SIGN_INS
        assert answers[3].retry_after > 60_000
        await mail.link(3)


async def test_a_server_without_e_mail_says_so(valkey: str, redis: Redis) -> None:
    """Nothing can be asked for."""
    async with running_node(valkey) as node:
        ann = await registered(node, "Ann")
        assert (await ann.ask(GetEmail(id=0))).offered is False
        assert await ann.code(SetEmail(id=0, address=ADDRESS, password=OLD)) == ErrorCode.EMAIL_OFF
        assert await ann.code(RequestRecovery(id=0, name="Ann")) == ErrorCode.EMAIL_OFF
