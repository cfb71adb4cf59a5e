"""Registering, signing in and signing out."""

from __future__ import annotations

from pathlib import Path

from parlour.terminal.full_screen.account_screen import AccountScreen
from parlour.terminal.full_screen.form import Form
from tests.terminal.full_screen.screens import opened, signed_in


async def test_register_sign_out_and_sign_in(address: str, tmp_path: Path) -> None:
    """After each step the title names the user."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("a")
        screen = await shown.at(AccountScreen)
        form = screen.query_one("#form", Form)
        form.fields[0].value, form.fields[1].value = "Keeping Koala", "a long and strange password"
        form.go("register")
        await shown.press("enter")
        await shown.shows("You are now Keeping Koala.")
        form.go("sign_out")
        await shown.press("enter")
        await shown.shows(", a guest")
        assert session.client.you.name != "Keeping Koala"
        form.go("sign_in")
        await shown.press("enter")
        await shown.until(lambda: session.client.you.name == "Keeping Koala")
        await shown.shows("You are now Keeping Koala.")
        form.fields[1].value = "another password altogether"
        await shown.press("enter")
        await shown.shows("password")
        await shown.press("escape")
        await shown.shows("Keeping Koala", "online,")


async def test_a_guest_is_asked_before_signing_out(address: str, tmp_path: Path) -> None:
    """A guest cannot come back, so only a deliberate yes signs one out."""
    async with signed_in(address, tmp_path, "Fleeting Finch") as session, opened(session, tmp_path) as shown:
        await shown.press("a")
        (await shown.at(AccountScreen)).query_one("#form", Form).go("sign_out")
        await shown.type_ahead("enter", "enter", "y", "enter")
        await shown.shows("Sign out?", "Fleeting Finch is a guest and cannot come back.", "y yes")
        await shown.press("n")
        await shown.at(AccountScreen)
        assert session.client.you.name == "Fleeting Finch"
        await shown.press("enter")
        await shown.shows("Sign out?", "y yes")
        await shown.press("y")
        await shown.until(lambda: session.client.you.name != "Fleeting Finch")
        await shown.shows("You are now ")
