"""What an operator does with players is known on every node, and is explained to the player."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    Announced,
    ChangePassword,
    CreateBot,
    GetProfile,
    Hello,
    Ok,
    Refused,
    Register,
    RoomEvent,
    Say,
    SignedIn,
    SignIn,
)  # fmt: skip
from parlour.protocol.types import Terms
from parlour.server.admin.audit_writer import ActionContext
from parlour.server.admin.player_actions import PlayerActions
from parlour.server.store.moderation import DELETED
from tests.server.admin.conftest import ORDER, Nodes
from tests.server.running_node import Caller, RunningNode
from tests.waiting import until

ISAAC = Terms("isaac")
PASSWORD = "wooden bishop"
FAR = 4_000_000_000_000  # in the year 2096


async def account(node: RunningNode, name: str) -> Caller:
    """Connect as a new account."""
    caller = await node.call(name=name)
    assert isinstance(await caller.ask(Register(id=0, name=name, password=PASSWORD)), SignedIn)
    return caller


async def refused_hello(node: RunningNode, token: str) -> Refused:
    """Return how a node refuses a token."""
    caller = await node.call(greet=False)
    await caller.send(Hello("test", token))
    return await caller.hears(Refused)


async def test_a_player_is_found_by_name_and_by_id(nodes: Nodes, players: PlayerActions) -> None:
    """Names are compared as everywhere else, and an unknown one is refused."""
    await nodes[1].call(name="Sedge")
    found = await players.find("sedge")
    assert found.name == "Sedge"
    assert await players.find(found.id) == found
    with pytest.raises(Refusal) as refused:
        await players.find("missing player")
    assert refused.value.code is ErrorCode.PLAYER_UNKNOWN


async def test_a_suspended_player_is_refused_everywhere(nodes: Nodes, players: PlayerActions) -> None:
    """Connections on other nodes are closed, games are cancelled, hello and sign-in are refused with the reason."""
    _, south = nodes
    sedge, other = await account(south, "Sedge"), await south.call()
    bot = (await sedge.ask(CreateBot(id=0, name="Robbie"))).token
    room = await south.table(ISAAC, sedge, other)

    await players.suspend(ORDER, "Sedge", FAR)

    ended = await other.hears(RoomEvent, lambda event: event.kind == "ended")
    assert ended.result is not None
    assert (ended.room, ended.result.winner, ended.result.reason) == (room, None, "cancelled")
    assert await sedge.closed() == CloseCode.SUSPENDED
    for token in (sedge.token, bot):
        refused = await refused_hello(south, token)
        assert refused.code == ErrorCode.SUSPENDED
        assert "until 2 October 2096" in refused.text
        assert ORDER.reason in refused.text
    assert await other.code(SignIn(id=0, name="Sedge", password=PASSWORD)) == ErrorCode.SUSPENDED

    await players.unban(ORDER, "Sedge")
    assert isinstance(await other.ask(SignIn(id=0, name="Sedge", password=PASSWORD)), SignedIn)
    assert (await south.call(sedge.token)).token == sedge.token


async def test_a_ban_has_no_end(nodes: Nodes, players: PlayerActions) -> None:
    """A banned player is refused with a code of its own; a suspension in the past does not count."""
    sedge = await nodes[1].call(name="Sedge")
    await players.ban(ORDER, "Sedge")
    assert await sedge.closed() == CloseCode.SUSPENDED
    assert (await refused_hello(nodes[1], sedge.token)).code == ErrorCode.BANNED
    await players.suspend(ORDER, "Sedge", 1)
    await nodes[1].call(sedge.token)


async def test_a_muted_player_cannot_chat(nodes: Nodes, players: PlayerActions) -> None:
    """Chat is refused with the reason on every node, and allowed again later."""
    _, south = nodes
    sedge, other = await south.call(name="Sedge"), await south.call()
    room = await south.table(ISAAC, sedge, other)
    line = Say(id=0, room=room, text="hello")

    await players.mute(ORDER, "Sedge", FAR)

    async def is_muted() -> bool:
        answer = await sedge.ask(line)
        return isinstance(answer, Refused) and answer.code == ErrorCode.MUTED and ORDER.reason in answer.text

    await until(is_muted)

    await players.unmute(ORDER, "Sedge")

    async def may_chat() -> bool:
        return isinstance(await sedge.ask(line), Ok)

    await until(may_chat)


async def test_a_warning_waits_for_the_player(nodes: Nodes, players: PlayerActions) -> None:
    """A connected player sees it at once, another one at the next visit, and each only once."""
    _, south = nodes
    sedge, away = await south.call(name="Sedge"), await south.call(name="Away")
    await away.socket.close()
    await players.warn(ORDER, "Sedge")
    await players.warn(ORDER, "Away")
    for caller in (sedge, await south.call(away.token)):
        warning = await caller.hears(Announced)
        assert (warning.kind, warning.text) == ("warning", ORDER.reason)
    found = await players.find("Away")

    async def is_seen() -> bool:
        return await south.store.moderation.warning(found.id) == ""

    await until(is_seen)


async def test_a_player_gets_another_name(nodes: Nodes, players: PlayerActions) -> None:
    """The player is told, others find the new name, and the old one is free."""
    _, south = nodes
    rude, other = await account(south, "Rude Name"), await south.call()
    with pytest.raises(Refusal) as refused:
        await players.rename(ORDER, "Rude Name", "admin")
    assert refused.value.code is ErrorCode.NAME_REFUSED
    await account(south, "Taken")
    with pytest.raises(Refusal) as refused:
        await players.rename(ORDER, "Rude Name", "taken")
    assert refused.value.code is ErrorCode.NAME_TAKEN

    await players.rename(ORDER, "Rude Name", "Quiet Otter")

    assert "Quiet Otter" in (await rude.hears(Announced)).text
    assert (await other.ask(GetProfile(id=0, name="quietotter"))).player.name == "Quiet Otter"
    assert await other.code(GetProfile(id=0, name="Rude Name")) == ErrorCode.PLAYER_UNKNOWN
    await account(south, "Rude Name")


async def test_a_password_is_reset_for_one_sign_in(nodes: Nodes, players: PlayerActions) -> None:
    """Old passwords and tokens end at once. The new password works once, until the player has changed it."""
    _, south = nodes
    sedge, other = await account(south, "Sedge"), await south.call()
    password = await players.reset_password(ORDER, "Sedge")
    assert await sedge.closed() == CloseCode.SIGNED_OUT
    assert await other.code(SignIn(id=0, name="Sedge", password=PASSWORD)) == ErrorCode.SIGN_IN_REFUSED

    signed_in = await other.ask(SignIn(id=0, name="Sedge", password=password))
    assert await other.code(SignIn(id=0, name="Sedge", password=password)) == ErrorCode.SIGN_IN_REFUSED
    sedge = await south.call(signed_in.token)
    assert isinstance(await sedge.ask(ChangePassword(id=0, old=password, new="stone castle 9")), Ok)
    for _ in range(2):
        assert isinstance(await other.ask(SignIn(id=0, name="Sedge", password="stone castle 9")), SignedIn)

    await south.call(name="Reed")
    with pytest.raises(Refusal) as refused:
        await players.reset_password(ORDER, "Reed")
    assert refused.value.code is ErrorCode.ACCOUNT_NEEDED


async def test_a_deleted_player_is_gone(nodes: Nodes, players: PlayerActions) -> None:
    """Name, tokens and bots are gone on every node, and the id leads to a note of that."""
    _, south = nodes
    sedge, other = await account(south, "Sedge"), await south.call()
    bot = (await sedge.ask(CreateBot(id=0, name="Robbie"))).token
    found = await players.find("Sedge")

    assert await players.delete(ORDER, "Sedge") == 0

    assert await sedge.closed() == CloseCode.SIGNED_OUT
    for token in (sedge.token, bot):
        assert (await refused_hello(south, token)).code == ErrorCode.TOKEN_UNKNOWN
    assert await other.code(GetProfile(id=0, name="Sedge")) == ErrorCode.PLAYER_UNKNOWN
    assert await other.code(GetProfile(id=0, name="Robbie")) == ErrorCode.PLAYER_UNKNOWN
    assert (await players.find(found.id)).name == DELETED
    assert await players.delete(ORDER, found.id) == 0  # an interrupted deletion can be repeated
    await account(south, "Sedge")


async def test_every_action_is_in_the_audit_log(nodes: Nodes, players: PlayerActions) -> None:
    """An entry says who, what, whom, why and when. An action that is refused leaves none."""
    await nodes[1].call(name="Sedge")
    found = await players.find("Sedge")
    with pytest.raises(Refusal) as refused:
        await players.mute(ActionContext("nora", " "), "Sedge", 0)
    assert refused.value.code is ErrorCode.TEXT_REFUSED
    with pytest.raises(Refusal):
        await players.remove_rating(ORDER, "Sedge", "isaac")  # there is none
    await players.mute(ORDER, "Sedge", 0)
    (entry,) = await nodes[1].store.audit.newest(10)
    assert (entry.operator, entry.action, entry.player, entry.detail) == ("nora", "mute", found.id, "for good")
    assert entry.reason == ORDER.reason
    assert entry.at > 0
