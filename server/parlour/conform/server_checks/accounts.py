"""Accounts, and tokens that end."""

from __future__ import annotations

import secrets

from parlour.conform.probe import Probe, expect, expect_refused, needs, supported
from parlour.conform.server_checks import check
from parlour.conform.testbed import ServerTestbed
from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import CreateBot, Hello, Ok, Register, SignedIn, SignIn, SignOut


async def _signed_in(testbed: ServerTestbed) -> Probe:
    """Return a connection with a token of the account that no other connection has."""
    account, guest = await testbed.account(), await testbed.guest()
    answer = await needs(guest.ask(SignIn(id=0, name=account.name, password=account.password)))
    expect(isinstance(answer, SignedIn), f"sign_in was answered by {answer}")
    probe = await testbed.open()
    await probe.hello(answer.token)
    return probe


async def _expect_ended(testbed: ServerTestbed, probe: Probe) -> None:
    code = await probe.closed_by_server(testbed.timeout, "sign_out")
    expect(code == CloseCode.SIGNED_OUT, f"after sign_out the connection was closed with {code}")
    again = await testbed.open()
    await again.send(Hello("parlour conform", probe.token))
    await again.refused(0, ErrorCode.TOKEN_UNKNOWN, None, "hello with a token that was revoked")


@check("register", once=True)
async def register(testbed: ServerTestbed) -> None:
    account = await testbed.account()
    you = account.answer.you
    expect(you.name == account.name, f"{account.name} was registered, and signed_in has {you.name}")
    expect(not you.guest, "an account is labelled as a guest")
    for token in (account.answer.token, account.probe.token):
        probe = await testbed.open()
        welcome = await probe.hello(token)
        expect(welcome.you.name == account.name, f"with the token of {account.name} came {welcome.you.name}")


@check("name-taken", once=True)
async def name_taken(testbed: ServerTestbed) -> None:
    account, guest = await testbed.account(), await testbed.guest()
    command = Register(id=0, name=account.name, password=secrets.token_hex(12))
    expect_refused(await guest.ask(command), ErrorCode.NAME_TAKEN, "register with a name that is taken")


@check("sign-in", once=True)
async def sign_in(testbed: ServerTestbed) -> None:
    account, guest = await testbed.account(), await testbed.guest()
    answer = await guest.ask(SignIn(id=0, name=account.name, password=account.password))
    expect(isinstance(answer, SignedIn), f"sign_in was answered by {answer}")
    probe = await testbed.open()
    welcome = await probe.hello(answer.token)
    expect(welcome.you.name == account.name, f"{account.name} signed in, and {welcome.you.name} was welcomed")
    await guest.stays("sign_in")


@check("sign-in-refused", once=True)
async def sign_in_refused(testbed: ServerTestbed) -> None:
    account, guest = await testbed.account(), await testbed.guest()
    answer = await guest.ask(SignIn(id=0, name=account.name, password=secrets.token_hex(12)))
    expect_refused(answer, ErrorCode.SIGN_IN_REFUSED, "sign_in with a wrong password")


@check("sign-out", once=True)
async def sign_out(testbed: ServerTestbed) -> None:
    probe, other = await _signed_in(testbed), await _signed_in(testbed)
    mark = probe.mark()
    id = next(probe.ids)
    await probe.send(SignOut(id=id))
    answer = await probe.answer(id, mark, "sign_out")
    expect(isinstance(answer, Ok), f"sign_out was answered by {answer}")
    await _expect_ended(testbed, probe)
    await other.stays("sign_out on a connection with another token")


@check("sign-out-everywhere", once=True)
async def sign_out_everywhere(testbed: ServerTestbed) -> None:
    probe, other = await _signed_in(testbed), await _signed_in(testbed)
    id = next(probe.ids)
    await probe.send(SignOut(id=id, everywhere=True))
    await _expect_ended(testbed, other)


@check("create-bot", once=True)
async def create_bot(testbed: ServerTestbed) -> None:
    guest = await testbed.guest()
    name = f"Bot{secrets.token_hex(5)}"
    answer = supported(await guest.ask(CreateBot(id=0, name=name)), "bots")
    expect_refused(answer, ErrorCode.ACCOUNT_NEEDED, "create_bot by a guest")
    owner = await _signed_in(testbed)
    answer = await owner.ask(CreateBot(id=0, name=name))
    expect(isinstance(answer, SignedIn), f"create_bot was answered by {answer}")
    bot = await testbed.open()
    welcome = await bot.hello(answer.token)
    expect(welcome.you.name == name and welcome.you.bot, f"with the token of the bot {name} came {welcome.you}")
