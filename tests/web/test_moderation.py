"""Muting, blocking and reporting players in the browser."""

from __future__ import annotations

from playwright.async_api import expect

from parlour.client.connection import Connection
from parlour.protocol.messages import Accept, Challenge, Join, Ok, Room, Say
from parlour.protocol.types import Terms
from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage


async def test_players_are_muted_blocked_and_reported(new_page: NewPage, server: ServerProcess) -> None:
    """On their pages and in the chat; what a muted player says is not shown any more."""
    page = await new_page()
    async with Connection([server.url], name="Ben") as ben, Connection([server.url], name="Cat") as cat:
        seek = (await ben.ask(Challenge(id=0, terms=Terms("isaac")), Ok)).seek
        room = (await cat.ask(Accept(id=0, seek=str(seek)), Ok)).room
        assert room is not None
        for player in (ben, cat):
            await player.ask(Join(id=0, room=room), Room)
        await page.goto(f"http://127.0.0.1:{server.port}/table/{room}")
        await page.get_by_role("tab", name="Chat").click()
        messages = page.get_by_label("Messages")
        await ben.ask(Say(id=0, room=room, text="Hello"), Ok)
        await messages.get_by_role("button", name="Ben").click()
        menu = page.get_by_role("group", name="About Ben")
        await menu.get_by_role("button", name="Mute").click()
        await expect(menu.get_by_role("button", name="Unmute")).to_be_visible()
        await ben.ask(Say(id=0, room=room, text="Still here"), Ok)
        await cat.ask(Say(id=0, room=room, text="Bye"), Ok)
        await expect(messages).to_contain_text("Bye")
        await expect(messages).not_to_contain_text("Still here")

        await page.goto(f"http://127.0.0.1:{server.port}/players/Ben/")
        await expect(menu.get_by_role("button", name="Unmute")).to_be_visible()
        await menu.get_by_role("button", name="Block").click()
        await expect(menu.get_by_role("button", name="Unblock")).to_be_visible()
        await menu.get_by_role("button", name="Report").click()
        dialog = page.get_by_role("dialog", name="Report Ben")
        await dialog.get_by_label("Reason").select_option(label="An offensive name")
        await dialog.get_by_label("What happened?").fill("See the name")
        await dialog.get_by_role("button", name="Send the report").click()
        await expect(dialog).to_have_count(0)
