"""The page for operators: every action, in a real browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from parlour.client.connection import Connection, RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    Challenge,
    CreateTournament,
    GetProfile,
    Join,
    Ok,
    Register,
    Report,
    Say,
    SignedIn,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms, TournamentSettings
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.processes import ServerProcess
from tests.e2e.stored_ratings import give_rating
from tests.waiting import until
from tests.web.conftest import TIMEOUT

ADMIN_ADDRESS = re.compile(r"operators connect to (http://[^\s\"]+)")
TOKEN = "t" * 43


@pytest_asyncio.fixture(loop_scope="session")
async def nodes(built: None, tmp_path: Path) -> AsyncIterator[list[ServerProcess]]:
    """Two nodes on one store; operators use the first."""
    file = tmp_path / "operators"
    file.write_text(f"nora {TOKEN}\n", encoding="utf-8")
    file.chmod(0o600)
    async with EmbeddedStore(tmp_path / "store") as store:
        options = ("--redis", store.url, "--archive", f"sqlite:///{tmp_path}/archive.sqlite3", "--bot-workers", "1")
        admin = ("--admin-token-file", str(file), "--admin-port", "0")
        started = [ServerProcess(tmp_path / "one", *options, *admin), ServerProcess(tmp_path / "two", *options)]
        await asyncio.gather(*(node.start() for node in started))
        yield started
        for node in started:
            await node.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, nodes: list[ServerProcess]) -> AsyncIterator[Page]:
    """The page for operators. Any error that it logs fails the test."""
    faults: list[str] = []
    found = ADMIN_ADDRESS.search((nodes[0].data / "server.log").read_text(encoding="utf-8"))
    assert found is not None
    opened = await (await browser.new_context(viewport={"width": 1280, "height": 860})).new_page()
    opened.set_default_timeout(TIMEOUT)
    opened.on("pageerror", lambda fault: faults.append(str(fault)))
    await opened.goto(found[1])
    yield opened
    assert faults == []


async def sign_in(page: Page, token: str = TOKEN) -> None:
    await page.get_by_label("Your token").fill(token)
    await page.get_by_role("button", name="Sign in").click()


async def decide(page: Page, form: str, action: str, button: str = "", **fields: str) -> None:
    """Fill in the form of an action, and wait until it is done."""
    one = page.get_by_role("form", name=form)
    if action:
        await one.get_by_label("Action").select_option(label=action)
    for label, value in fields.items():
        await one.get_by_label(label.replace("_", " ")).fill(value)
    await one.get_by_label("Reason").fill("because")
    await one.get_by_role("button", name=button or action).click()
    await expect(one.get_by_role("status")).to_contain_text(re.compile("Done|Password"))


async def test_every_action_of_an_operator(browser: Browser, page: Page, nodes: list[ServerProcess]) -> None:
    """Signing in with a token, acting on players, games and nodes, and reading the audit log."""
    await sign_in(page, "wrong")
    await expect(page.get_by_role("alert")).to_contain_text("token")
    await sign_in(page)
    await expect(page.get_by_role("navigation")).to_contain_text("Operator: nora")
    await announce(page, await browser.new_page(), nodes[1])

    async with Connection([nodes[1].url, nodes[0].url]) as sedge, Connection([nodes[1].url, nodes[0].url]) as other:
        token = (await sedge.ask(Register(id=0, name="Sedge", password="wooden bishop"), SignedIn)).token
        await act_on_games(page, sedge, other)
        await act_on_nodes(page, nodes, other)
        await act_on_a_tournament(page, sedge)
        await act_on_reports(page, other)
        await act_on_addresses(page)
        await give_rating(nodes[0].options[1], "Sedge", "isaac")
        async with Connection([nodes[1].url], token=token) as there, Connection([nodes[1].url]) as guest:
            await act_on_the_player(page, there, guest)

    await page.get_by_role("link", name="Audit log").click()
    entries = page.get_by_role("region", name="Newest entries").get_by_role("listitem")
    actions = [
        "announce", "warn", "adjudicate", "abort", "close", "drain", "resume", "cancel-tournament",
        "handle-report", "ban-address", "unban-address", "warn", "mute", "unmute",
        "rename", "remove-rating", "suspend", "unban", "reset-password", "ban", "delete",
    ]  # fmt: skip
    await expect(entries).to_contain_text([f"nora: {action} " for action in reversed(actions)])
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_label("Your token")).to_be_visible()


async def announce(page: Page, player: Page, node: ServerProcess) -> None:
    """A player in a browser on the other node reads an announcement and a warning, and closes both."""
    player.set_default_timeout(TIMEOUT)
    await player.goto(f"http://127.0.0.1:{node.port}/")
    name = await player.locator(".me .name").inner_text()
    await decide(page, "Announce", "", "Announce", Text="We stop at noon.")
    await find(page, name)
    await decide(page, "Decide", "Warn")
    for text in ("The operator says: We stop at noon.", "Warning: because"):
        said = player.get_by_role("alert").filter(has_text=text)
        await expect(said).to_be_visible()
        await said.get_by_role("button", name="Close").click()
        await expect(said).to_have_count(0)
    await player.close()


async def find(page: Page, name: str) -> None:
    """Open the page of a player."""
    await page.get_by_role("link", name="Players").click()
    await page.get_by_label("Name or id").fill(name)
    await page.get_by_role("button", name="Find").click()
    await page.wait_for_url(re.compile(r"#/players/[0-9a-f]{16}$"))


async def act_on_games(page: Page, first: Connection, second: Connection) -> None:
    for action in ("Adjudicate", "Abort", "Close the room"):
        seek = (await first.ask(Challenge(id=0, terms=Terms("isaac")), Ok)).seek
        room = (await second.ask(Accept(id=0, seek=str(seek)), Ok)).room
        await page.get_by_role("link", name="Tables").click()
        await page.get_by_label("Room").fill(str(room))
        await decide(page, "Decide", action)
        await page.get_by_role("link", name="Nodes").click()


async def act_on_nodes(page: Page, nodes: list[ServerProcess], player: Connection) -> None:
    names = page.get_by_role("region", name="Alive").get_by_role("link")
    await expect(names).to_have_count(2)
    served = player.address
    answering = await page.evaluate(
        "fetch('/api/overview', {headers: {Authorization: 'Bearer ' + sessionStorage.getItem('parlour.admin.token')}})"
        ".then(reply => reply.json()).then(overview => overview.node)"
    )
    other = next(name for name in await names.all_inner_texts() if name != answering)
    await page.get_by_role("link", name=other).click()
    await decide(page, other, "Drain")
    await until(lambda: player.address == nodes[0].url != served and player.state == "connected")
    await decide(page, other, "Serve again")


async def act_on_a_tournament(page: Page, organiser: Connection) -> None:
    terms = Terms("replica", clock=Clock("fischer", 300_000, 3_000))
    settings = TournamentSettings(name="Autumn cup", format="swiss", terms=terms)
    await organiser.ask(CreateTournament(id=0, settings=settings), Ok)
    await page.get_by_role("link", name="Tournaments").click()
    listed = page.get_by_role("region", name="Open and running").get_by_role("listitem")
    await expect(listed).to_contain_text(["Autumn cup"])
    await page.get_by_role("link", name="Autumn cup").click()
    await decide(page, "Decide", "", "Cancel tournament")
    await expect(listed).to_have_count(0)


async def act_on_reports(page: Page, author: Connection) -> None:
    await author.ask(Report(id=0, name="Sedge", reason="abuse", text="Insults"), Ok)
    await page.get_by_role("link", name="Reports").click()
    reports = page.get_by_role("region", name="By players").get_by_role("listitem")
    await expect(reports).to_contain_text(["abuse: Sedge Insults"])
    await page.get_by_role("link", name="Handle").click()
    await decide(page, "Report", "", "Mark as handled")
    await expect(reports).to_have_count(0)
    await page.get_by_label("Also those that are handled").check()
    await expect(reports).to_contain_text(["handled by nora: because"])


async def act_on_addresses(page: Page) -> None:
    await page.get_by_role("link", name="Addresses").click()
    await page.get_by_label("Address or network").fill("192.0.2.7/24")
    await decide(page, "Decide", "Ban for a while")
    banned = page.get_by_role("region", name="Banned").get_by_role("listitem")
    await expect(banned).to_contain_text(["192.0.2.0/24"])
    await page.get_by_role("link", name="192.0.2.0/24").click()
    await expect(page.get_by_label("Address or network")).to_have_value("192.0.2.0/24")
    await decide(page, "Decide", "Lift the ban")
    await expect(banned).to_have_count(0)


async def act_on_the_player(page: Page, player: Connection, guest: Connection) -> None:
    """The player and a guest on the other node see what happens to the player."""
    seek = (await player.ask(Challenge(id=0, terms=Terms("isaac")), Ok)).seek
    room = str((await guest.ask(Accept(id=0, seek=str(seek)), Ok)).room)
    await player.call(Join(id=0, room=room))
    await find(page, "sedge")
    await expect(page.get_by_role("heading", name="Sedge")).to_be_visible()
    for action in ("Warn", "Mute"):
        await decide(page, "Decide", action)
    with pytest.raises(RefusedError) as refused:
        await until(lambda: _talks(player, room))
    assert refused.value.code == ErrorCode.MUTED
    await decide(page, "Decide", "Unmute")
    await decide(page, "Decide", "Rename", New_name="Reed")
    await expect(page.get_by_role("heading", name="Reed")).to_be_visible()
    await decide(page, "Decide", "Remove a rating", Game="isaac")
    await decide(page, "Decide", "Suspend")
    await until(lambda: player.state == "ended")
    assert "suspended" in str(player.fault)
    for action in ("End the suspension or ban", "Reset the password", "Ban", "Delete for good"):
        await decide(page, "Decide", action)
    await expect(page.get_by_role("heading", name="Deleted player")).to_be_visible()
    with pytest.raises(RefusedError) as refused:
        await until(lambda: _is_gone(guest, "Reed"))
    assert refused.value.code == ErrorCode.PLAYER_UNKNOWN


async def _talks(player: Connection, room: str) -> bool:
    await player.call(Say(id=0, room=room, text="hello"))
    return False


async def _is_gone(guest: Connection, name: str) -> bool:
    await guest.call(GetProfile(id=0, name=name))
    return False
