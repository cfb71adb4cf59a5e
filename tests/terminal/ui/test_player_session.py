"""The user's session: a stored identity, accounts, and a second player at the same screen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from parlour.client.client import connect
from parlour.client.tokens import TokenFile
from parlour.protocol.types import Terms
from parlour.terminal.ui.player_session import PlayerSession
from tests.terminal.full_screen.screens import signed_in


async def test_the_second_player_is_remembered(address: str, tmp_path: Path) -> None:
    """After both have left, the same two players get their table back with both seats."""
    async with signed_in(address, tmp_path) as session:
        view = await session.hotseat(Terms("mapello"))
        room, names = view.table.room, [seated.player for seated in view.table.players]
    async with signed_in(address, tmp_path) as session:
        again = await session.open(room)
        assert again.is_hotseat
        assert [seated.player for seated in again.table.players] == names


async def test_a_guest_elsewhere_is_not_the_second_player(address: str, tmp_path: Path) -> None:
    """An opponent at another screen is not taken for the second player here."""
    async with signed_in(address, tmp_path) as session, connect(address) as other:
        await session.second_client()
        pending = await other.challenge(Terms("mapello"))
        view = await session.view(await session.client.accept(pending.seek))
        assert not view.is_hotseat


async def test_the_same_guest_returns(address: str, tmp_path: Path) -> None:
    """The token of a new guest is stored and used the next time."""
    async with signed_in(address, tmp_path) as session:
        name = session.client.you.name
    async with signed_in(address, tmp_path) as session:
        assert session.client.you.name == name
    assert TokenFile(tmp_path / "tokens.json").get(address) is not None


async def test_two_terminals_at_the_first_visit(address: str, tmp_path: Path) -> None:
    """Started at the same moment, both are the same new guest, and the later one says so."""
    tokens = TokenFile(tmp_path / "tokens.json")
    sessions = [PlayerSession(address, tokens=tokens) for _ in range(2)]
    async with AsyncExitStack() as stack:
        await asyncio.gather(*map(stack.enter_async_context, sessions))
        first, second = (session.client.you.name for session in sessions)
        assert first == second
        assert [len(session.notices) for session in sessions].count(1) == 1


async def test_accounts_change_the_identity(address: str, tmp_path: Path) -> None:
    """Registering keeps the client, signing out brings a new guest, and signing in the account again."""
    async with signed_in(address, tmp_path) as session:
        client = session.client
        await session.register("Session Seal", "a long password here")
        assert session.client is client
        await session.sign_out()
        assert session.client.you.guest
        await session.sign_in("Session Seal", "a long password here")
        assert (session.client.you.name, session.client.you.guest) == ("Session Seal", False)


async def test_names_and_identities(address: str, tmp_path: Path) -> None:
    """A preferred name is for new guests; a signed-out player gets it; a name that is not allowed is explained."""
    tokens = TokenFile(tmp_path / "tokens.json")
    async with PlayerSession(address, tokens=tokens, preferred_name="Admin") as session:
        assert session.notices[0].startswith("You cannot be called Admin here. ")
        session.preferred_name = "Preferred Penguin"
        await session.sign_out()
        assert session.client.you.name == "Preferred Penguin"
    async with PlayerSession(address, tokens=tokens, name="Other Otter") as session:
        assert session.client.you.name == "Other Otter"
        assert session.notices == ["You play as Other Otter. Without a name, you are Preferred Penguin."]
        async with PlayerSession(address, tokens=tokens, name="other otter") as again:
            assert (again.client.you, len(again.notices)) == (session.client.you, 2)
            assert "Another terminal plays as Other Otter, too" in again.notices[1]
    async with PlayerSession(address, tokens=TokenFile(tmp_path / "new.json"), name="Other Otter") as session:
        assert session.notices == [f"The name Other Otter is taken here. You are {session.client.you.name}."]
