"""Accounts over real connections, on one node and on two."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest
from argon2 import PasswordHasher, extract_parameters
from redis.asyncio import Redis

from parlour.protocol.errors import CloseCode, ErrorCode
from parlour.protocol.messages import (
    Challenge,
    Challenged,
    ChangePassword,
    CreateBot,
    Hello,
    Join,
    Ok,
    Ping,
    Pong,
    Queue,
    Refused,
    Register,
    Room,
    SignedIn,
    SignIn,
    SignOut,
)  # fmt: skip
from parlour.protocol.types import Player, Terms
from parlour.server.players.accounts import game_names
from parlour.server.players.passwords import Passwords
from tests.server.running_node import Caller, RunningNode, running_node

PASSWORD, OTHER = "wooden bishop", "paper kangaroo"
ISAAC = Terms("isaac")
ANN = Register(id=0, name="Ann", password=PASSWORD)
AS_ANN = SignIn(id=0, name="ann", password=PASSWORD)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, sign_in_rate=0, name_rate=0) as running:
        yield running


@pytest.fixture
async def other_node(valkey: str, node: RunningNode) -> AsyncIterator[RunningNode]:
    """A second node on the same store."""
    async with running_node(valkey, "other", sign_in_rate=0, name_rate=0) as running:
        yield running


async def registered(node: RunningNode, name: str = "Ann") -> Caller:
    """Return a caller with an account."""
    caller = await node.call()
    answer = await caller.ask(Register(id=0, name=name, password=PASSWORD))
    assert isinstance(answer, SignedIn), answer
    return caller


async def another_device(node: RunningNode, name: str = "Ann") -> Caller:
    """Return another connection of the same account, with a separate token."""
    guest = await node.call()
    answer = await guest.ask(SignIn(id=0, name=name, password=PASSWORD))
    assert isinstance(answer, SignedIn), answer
    return await node.call(answer.token)


async def is_connected(caller: Caller) -> bool:
    await caller.send(Ping(1))
    return isinstance(await caller.hears(Pong), Pong)


async def refusal(caller: Caller, command: Register | SignIn | ChangePassword | CreateBot) -> tuple[str, str]:
    answer = await caller.ask(command)
    assert isinstance(answer, Refused), answer
    return answer.code, answer.text


# -- names


async def test_guests_are_labelled(node: RunningNode) -> None:
    """Welcome says that a player is a guest; a player with an account is not, and keeps the name."""
    guest = await node.call(greet=False)
    assert (await guest.hello()).you.guest
    answer = await guest.ask(ANN)
    assert answer == SignedIn(id=answer.id, you=Player("Ann"), token=guest.token)
    again = await node.call(greet=False)
    assert (await again.hello(guest.token)).you == Player("Ann")


async def test_a_new_name_is_visible_everywhere(node: RunningNode, other_node: RunningNode) -> None:
    """All sessions of the player have the new name at once, also on other nodes."""
    ann = await node.call()
    elsewhere = await other_node.call(ann.token)
    ben = await node.call(name="Ben")
    await ann.ask(ANN)
    await other_node.until(lambda: [session.name for session in other_node.node.dispatcher.sessions] == ["Ann"])
    await elsewhere.ask(Challenge(id=0, terms=ISAAC, to="Ben"))
    assert (await ben.hears(Challenged)).player == Player("Ann")


async def test_games_survive_registration(node: RunningNode) -> None:
    """The player stays the same: running games continue under the name from when they began."""
    ann, ben = await node.call(name="Before"), await node.call()
    room = await node.table(ISAAC, ann, ben)
    await ann.ask(ANN)
    assert await node.store.players.id_of("ann") == node.registry.rooms[room].state.players[0].id
    ann = await node.call((await ann.ask(AS_ANN)).token)
    from_there = await ann.ask(Join(id=0, room=room))
    assert isinstance(from_there, Room)
    assert from_there.seat == 0
    assert from_there.players[0].player == Player("Before", guest=True)


async def test_a_repeated_registration(node: RunningNode, other_node: RunningNode) -> None:
    """A repeated command gets the same reply, also on another node; a different command is refused."""
    ann = await node.call()
    answer = await ann.ask(ANN, id=7)
    assert await ann.ask(ANN, id=7) == answer
    elsewhere = await other_node.call_again(ann)
    assert await elsewhere.ask(ANN, id=7) == answer
    assert await ann.code(ANN, id=8) == ErrorCode.ALREADY_REGISTERED
    for caller in (ann, elsewhere):
        for name, password in (("Ann", "another " + PASSWORD), ("Anna", PASSWORD)):
            reused = Register(id=0, name=name, password=password)
            assert await caller.code(reused, id=7) == ErrorCode.ID_REUSED
    assert await (await node.call(ann.token)).code(ANN, id=7) == ErrorCode.ALREADY_REGISTERED


async def test_two_nodes_race_for_a_name(node: RunningNode, other_node: RunningNode) -> None:
    """Of two players who register the same name in different case at once, one gets it."""
    one, two = await node.call(), await other_node.call()
    answers = await asyncio.gather(
        one.ask(Register(id=0, name="ANN", password=PASSWORD)), two.ask(Register(id=0, name="Ann", password=PASSWORD))
    )
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.code == ErrorCode.NAME_TAKEN
    assert len([answer for answer in answers if isinstance(answer, SignedIn)]) == 1


async def test_refused_names_and_passwords(node: RunningNode) -> None:
    """Each refusal has its code and a sentence, and the guest stays a guest."""
    ann, _ = await node.call(), await node.call(name="Ben")
    for name, password, code, words in (
        ("ben", PASSWORD, ErrorCode.NAME_TAKEN, "The name ben is taken, or looks like one that is. Choose"),
        ("8en", PASSWORD, ErrorCode.NAME_TAKEN, "The name 8en is taken, or looks like one that is. Choose"),
        ("Admin", PASSWORD, ErrorCode.NAME_REFUSED, "The name “admin” is reserved"),
        ("Isaac", PASSWORD, ErrorCode.NAME_REFUSED, "The name “isaac” is reserved"),
        ("Ann\n\u200b", PASSWORD, ErrorCode.NAME_REFUSED, "A name has 2 to 24 characters"),
        ("Ann", "12345678", ErrorCode.PASSWORD_REFUSED, "A password has at least 8 characters"),
    ):
        refused, sentence = await refusal(ann, Register(id=0, name=name, password=password))
        assert refused == code
        assert sentence.startswith(words)
    again = await node.call(greet=False)
    assert (await again.hello(ann.token)).you.guest


async def test_guest_names_follow_the_same_rules(node: RunningNode) -> None:
    """The name that a guest requests has to follow the same rules."""
    caller = await node.call(greet=False)
    for wish in ("Moderator", "Computer 5", *game_names()):
        await caller.send(Hello("test", name=wish))
        assert (await caller.hears(Refused)).code == ErrorCode.NAME_REFUSED
    assert (await caller.hello(name="Ann")).you == Player("Ann", guest=True)


# -- signing in


async def test_another_device(node: RunningNode, other_node: RunningNode) -> None:
    """Signing in issues a separate token for the same player; the session that asked keeps its player."""
    ann = await registered(node)
    guest = await other_node.call()
    answer = await guest.ask(AS_ANN)
    assert answer.you == Player("Ann")
    assert answer.token not in (ann.token, guest.token)
    device = await other_node.call(greet=False)
    assert (await device.hello(answer.token)).you == Player("Ann")
    again = await other_node.call(greet=False)
    assert (await again.hello(guest.token)).you.guest


async def test_a_sign_in_renews_an_old_hash(node: RunningNode) -> None:
    """A password that was hashed with weaker parameters is stored with today's; it stays the same password."""
    await registered(node)
    accounts = node.store.accounts
    account = await accounts.find("ann")
    assert account is not None
    weak = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    assert await accounts.sign_in(account, weak) is not None

    await another_device(node)
    renewed = await accounts.find("ann")
    assert renewed is not None
    assert extract_parameters(renewed.password_hash) == extract_parameters(account.password_hash)
    await another_device(node)


async def test_a_repeated_sign_in(node: RunningNode) -> None:
    """A repeated command gets the same token, also when it is sent twice before the reply."""
    await registered(node)
    guest = await node.call()
    answer = await guest.ask(AS_ANN, id=7)
    assert await guest.ask(AS_ANN, id=7) == answer
    both = await asyncio.gather(*(node.call_again(guest) for _ in range(2)))
    first, second = await asyncio.gather(*(caller.ask(AS_ANN, id=8) for caller in both))
    assert isinstance(first, SignedIn)
    assert first == second
    assert first.token != answer.token


async def test_a_sign_in_with_a_used_id(node: RunningNode) -> None:
    """The id of a successful sign-in does not open the account to a wrong password, and other sessions may use it."""
    await registered(node)
    guest = await node.call()
    answer = await guest.ask(AS_ANN, id=7)
    wrong = SignIn(id=0, name="Ann", password="wrong " + PASSWORD)
    assert await guest.code(wrong, id=7) == ErrorCode.ID_REUSED
    first, second = await asyncio.gather(*(caller.ask(wrong, id=8) for caller in (guest, await node.call_again(guest))))
    assert (first.code, second.code) == (ErrorCode.SIGN_IN_REFUSED, ErrorCode.SIGN_IN_REFUSED)
    other = await node.call(guest.token)
    assert await other.code(wrong, id=7) == ErrorCode.SIGN_IN_REFUSED
    assert (await other.ask(AS_ANN, id=9)).token != answer.token


async def test_a_wrong_password_and_an_unknown_name(node: RunningNode) -> None:
    """The refusal does not reveal whether a name has an account."""
    ann = await registered(node)
    await node.call(name="Ben")
    await ann.ask(CreateBot(id=0, name="Robbie"))
    guest = await node.call()
    attempts = [("Ann", OTHER), ("Unknown Player", PASSWORD), ("Ben", PASSWORD), ("Robbie", PASSWORD), ("\u2066", "")]
    refusals = {await refusal(guest, SignIn(id=0, name=name, password=password)) for name, password in attempts}
    assert refusals == {(ErrorCode.SIGN_IN_REFUSED, "There is no account with this name and password. Check both.")}


async def test_others_are_answered_while_a_password_is_hashed(node: RunningNode) -> None:
    """While a password is hashed, other sessions are served."""
    gate = threading.Event()

    class GatedHasher(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            assert gate.wait(60)
            return super().hash(password, salt=salt)

    node.node.accounts.passwords = Passwords(GatedHasher(time_cost=1, memory_cost=8, parallelism=1))
    ann, ben = await node.call(), await node.call()
    registering = asyncio.create_task(ann.ask(ANN))
    assert isinstance(await ben.ask(Queue(id=0, terms=ISAAC)), Ok)
    assert await is_connected(ben)
    assert not registering.done()
    gate.set()
    assert isinstance(await registering, SignedIn)


# -- signing out


async def test_signing_out_here(node: RunningNode, other_node: RunningNode) -> None:
    """Signing out revokes the session's token and closes every connection that uses it; other devices stay."""
    ann = await registered(node)
    device = await another_device(other_node)
    same_token = await other_node.call(ann.token)
    assert isinstance(await ann.ask(SignOut(id=0)), Ok)
    assert await ann.closed() == CloseCode.SIGNED_OUT
    assert await same_token.closed() == CloseCode.SIGNED_OUT
    assert await is_connected(device)
    late = await node.call(greet=False)
    await late.send(Hello("test", ann.token))
    assert (await late.hears(Refused)).code == ErrorCode.TOKEN_UNKNOWN


async def test_signing_out_everywhere(node: RunningNode, other_node: RunningNode) -> None:
    """All connections of the player are closed on all nodes, no others are, and the account stays."""
    ann, ben = await registered(node), await other_node.call()
    devices = [await another_device(node), await another_device(other_node)]
    assert isinstance(await ann.ask(SignOut(id=0, everywhere=True)), Ok)
    assert [await caller.closed() for caller in (ann, *devices)] == [CloseCode.SIGNED_OUT] * 3
    assert await is_connected(ben)
    assert await is_connected(await another_device(other_node))


async def test_a_guest_signs_out(node: RunningNode) -> None:
    """A guest who signs out is deleted, and the name is free."""
    guest = await node.call(name="Ann")
    assert isinstance(await guest.ask(SignOut(id=0)), Ok)
    assert await guest.closed() == CloseCode.SIGNED_OUT
    again = await node.call(greet=False)
    assert (await again.hello(name="Ann")).you == Player("Ann", guest=True)


async def test_missed_messages_are_made_up_for(node: RunningNode) -> None:
    """A node that missed a new name or a sign-out learns of it when it refreshes its sessions."""
    ann, ben = await registered(node), await node.call(name="Ben")
    await node.until(lambda: len(node.node.dispatcher.sessions) == 2)
    by_name = {session.name: session for session in node.node.dispatcher.sessions}
    assert await node.store.accounts.register(by_name["Ben"].player, "Berta", "berta", "hash", "id") == "registered"
    await node.store.accounts.sign_out(by_name["Ann"].player, None)
    for session in by_name.values():
        await node.node.accounts.refresh_session(session)
    assert await ann.closed() == CloseCode.SIGNED_OUT
    assert await is_connected(ben)
    assert [session.as_player() for session in node.node.dispatcher.sessions] == [Player("Berta")]


# -- passwords


async def test_changing_the_password(node: RunningNode, other_node: RunningNode) -> None:
    """The new password is valid, other devices have to sign in again, and this one stays signed in."""
    ann = await registered(node)
    device = await another_device(other_node)
    change = ChangePassword(id=0, old=PASSWORD, new=OTHER)
    assert await ann.ask(change, id=7) == Ok(id=7)
    assert await device.closed() == CloseCode.SIGNED_OUT
    assert await ann.ask(change, id=7) == Ok(id=7)
    guest = await node.call()
    assert await guest.code(AS_ANN) == ErrorCode.SIGN_IN_REFUSED
    assert isinstance(await guest.ask(SignIn(id=0, name="Ann", password=OTHER)), SignedIn)


async def test_who_cannot_change_a_password(node: RunningNode) -> None:
    """Guests have no password, the old one has to be right, and the new one hard to guess."""
    ann, guest = await registered(node), await node.call()
    assert await guest.code(ChangePassword(id=0, old=PASSWORD, new=OTHER)) == ErrorCode.ACCOUNT_NEEDED
    assert await ann.code(ChangePassword(id=0, old=OTHER, new="a third one")) == ErrorCode.SIGN_IN_REFUSED
    assert await ann.code(ChangePassword(id=0, old=PASSWORD, new="password")) == ErrorCode.PASSWORD_REFUSED
    assert isinstance(await guest.ask(AS_ANN), SignedIn)


# -- bots


async def test_a_bot_is_labelled(node: RunningNode) -> None:
    """A bot is marked as one in the reply to its owner, in welcome, in invitations and in rooms."""
    ann, ben = await registered(node), await node.call(name="Ben")
    made = await ann.ask(CreateBot(id=0, name="Robbie"))
    assert made.you == Player("Robbie", bot=True)
    bot = await node.call(greet=False)
    assert (await bot.hello(made.token)).you == Player("Robbie", bot=True)
    await bot.ask(Challenge(id=0, terms=ISAAC, to="Ben"))
    assert (await ben.hears(Challenged)).player == Player("Robbie", bot=True)
    room = await node.table(ISAAC, bot, ben)
    players = (await ann.ask(Join(id=0, room=room))).players
    assert [participant.player for participant in players] == [Player("Robbie", bot=True), Player("Ben", guest=True)]


async def test_creating_a_bot_again(node: RunningNode, other_node: RunningNode) -> None:
    """A repeated command gets the same reply; a new command replaces the token, wherever it is used."""
    ann = await registered(node)
    made = await ann.ask(CreateBot(id=0, name="Robbie"), id=7)
    assert await ann.ask(CreateBot(id=0, name="Robbie"), id=7) == made
    bot = await other_node.call(made.token)
    again = await ann.ask(CreateBot(id=0, name="robbie"), id=8)
    assert again.you == Player("Robbie", bot=True)
    assert again.token != made.token
    assert await bot.closed() == CloseCode.SIGNED_OUT
    await other_node.call(again.token)


async def test_who_cannot_create_bots(node: RunningNode) -> None:
    """Guests and bots cannot create bots, and accounts no more than ten, and none with the name of another player."""
    ann, guest = await registered(node), await node.call(name="Ben")
    assert await guest.code(CreateBot(id=0, name="Robbie")) == ErrorCode.ACCOUNT_NEEDED
    assert await ann.code(CreateBot(id=0, name="Ben")) == ErrorCode.NAME_TAKEN
    made = [await ann.ask(CreateBot(id=0, name=f"Robbie {number}")) for number in range(10)]
    assert await ann.code(CreateBot(id=0, name="Robbie 10")) == ErrorCode.LIMIT_REACHED
    assert await ann.code(CreateBot(id=0, name="Computer")) == ErrorCode.NAME_REFUSED
    bot = await node.call(made[0].token)
    assert await bot.code(CreateBot(id=0, name="Robot")) == ErrorCode.ACCOUNT_NEEDED
    assert await bot.code(Register(id=0, name="Robot", password=PASSWORD)) == ErrorCode.ALREADY_REGISTERED
