"""Registration, sign-in and bots."""

from __future__ import annotations

import re

from playwright.async_api import Locator, Page, expect

from tests.web.conftest import NewPage

PASSWORD = "three otters in a boat"


def form(page: Page, title: str) -> Locator:
    return page.locator("form", has=page.get_by_role("heading", name=title))


async def fill(page: Page, title: str, name: str, password: str) -> None:
    one = form(page, title)
    await one.get_by_label("Name").fill(name)
    await one.get_by_label("Password").fill(password)
    await one.get_by_role("button").click()


async def test_a_registered_name_works_in_another_browser(new_page: NewPage) -> None:
    """A guest registers, signs out, and signs in from another browser."""
    page, other = await new_page("/account"), await new_page("/account")
    await fill(page, "Register", "Otto", PASSWORD)
    await expect(page.locator(".me .name")).to_have_text("Otto")
    await page.get_by_role("button", name="Sign out", exact=True).click()
    await expect(page.locator(".me .name")).not_to_have_text("Otto")

    await fill(other, "Sign in", "Otto", "wrong in every way")
    await expect(other.get_by_role("alert")).to_be_visible()
    await fill(other, "Sign in", "Otto", PASSWORD)
    await expect(other.locator(".me .name")).to_have_text("Otto")
    await other.reload()
    await expect(other.locator(".me .name")).to_have_text("Otto")


async def test_an_account_creates_bots(new_page: NewPage) -> None:
    """The token of a bot is shown once, and the owner's profile lists the bot."""
    page = await new_page("/account")
    await fill(page, "Register", "Olga", PASSWORD)
    await form(page, "Bots").get_by_label("Bot name").fill("Robbie")
    await form(page, "Bots").get_by_role("button", name="Create bot").click()
    await expect(page.locator(".token")).to_have_text(re.compile(r"^\S{20,}$"))
    await page.get_by_role("link", name="Your profile").click()
    await page.get_by_role("link", name="Robbie").click()
    await expect(page.get_by_text("created by Olga")).to_be_visible()
