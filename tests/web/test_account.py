"""Registration, sign-in and bots."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from urllib.parse import urljoin

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from tests.e2e.processes import ServerProcess
from tests.server.mail_server import MailServer, run_mail_server
from tests.web.accessibility import findings
from tests.web.conftest import GENEROUS, NewPage

PASSWORD = "three otters in a boat"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def mail() -> AsyncIterator[MailServer]:
    async with run_mail_server() as one:
        yield one


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(
    built: None, mail: MailServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ServerProcess]:
    """A server that sends e-mails, for all tests of this file."""
    options = ("--smtp-url", mail.url, "--mail-from", "games@example.org", "--public-url", "http://play.example.org")
    one = ServerProcess(tmp_path_factory.mktemp("server") / "data", *GENEROUS, *options)
    await one.start()
    yield one
    await one.kill()


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


async def test_a_forgotten_password_is_replaced_with_a_recovery_code(new_page: NewPage) -> None:
    """Codes are shown at registration, and one of them lets the player choose a new password in another browser."""
    page, other = await new_page("/account"), await new_page("/account")
    await fill(page, "Register", "Ondine", PASSWORD)
    codes = page.locator(".codes code")
    await expect(codes).to_have_count(8)
    await expect(form(page, "Recovery codes")).to_contain_text("You have 8 left.")
    code = await codes.first.inner_text()

    one = form(other, "Forgot your password?")
    await one.get_by_label("Name").fill("Ondine")
    await one.get_by_label("Recovery code").fill(code.upper())
    await one.get_by_label("New password").fill("four otters in a boat")
    await one.get_by_role("button").click()
    await expect(other.locator(".me .name")).to_have_text("Ondine")
    await expect(form(other, "Recovery codes")).to_contain_text("You have 7 left.")


async def test_a_forgotten_password_is_replaced_with_a_link(new_page: NewPage, mail: MailServer) -> None:
    """An address counts once its link was opened; the next link leads to a new password, in any browser."""
    page, other = await new_page("/account"), await new_page("/account")
    await fill(page, "Register", "Ottilie", PASSWORD)
    address = form(page, "E-mail")
    await address.get_by_label("Address").fill("ottilie@example.org")
    await address.get_by_label("Password").fill(PASSWORD)
    await address.get_by_role("button").click()
    await expect(address.get_by_role("status")).to_contain_text("Open the link in the e-mail to ottilie@example.org.")
    await other.goto(urljoin(other.url, f"/account#{(await mail.link()).partition('#')[2]}"))
    await other.get_by_role("button", name="Confirm").click()
    await expect(other.get_by_text("Your e-mail address is confirmed.")).to_be_visible()

    request = form(other, "Get a link by e-mail")
    await request.get_by_label("Name").fill("Ottilie")
    await request.get_by_role("button").click()
    await expect(request.get_by_role("status")).to_contain_text("If this account has an e-mail address")
    await other.goto(urljoin(other.url, f"/account#{(await mail.link(2)).partition('#')[2]}"))
    choice = form(other, "Choose a new password for Ottilie")
    await choice.get_by_label("New password").fill("four otters in a boat")
    assert await findings(other) == []
    await choice.get_by_role("button").click()
    await expect(other.locator(".me .name")).to_have_text("Ottilie")
    await expect(form(other, "E-mail")).to_contain_text("a link is sent to ottilie@example.org")
    assert "#" not in other.url
