"""A push message, from the opponent's move to the click on the notification, and the account page that turns it on."""

from __future__ import annotations

import random
import shutil
from collections.abc import AsyncIterator

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Worker, async_playwright, expect
from py_vapid import Vapid02

from tests.client.cups import cup
from tests.e2e.processes import ServerProcess
from tests.server.push.push_service import PushService, push_service
from tests.waiting import until
from tests.web.conftest import FLAGS, GENEROUS, TIMEOUT
from tests.web.page_actions import make_turn, start_game, wait_for_turn

# A headless Chromium has no push service, so its push manager gets one here: everything else is the browser's own.
SUBSCRIBE = """
(given) => {
  let current = null;
  PushManager.prototype.subscribe = async (options) => (current = {
    endpoint: given.endpoint,
    options: { applicationServerKey: options.applicationServerKey.buffer },
    toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
    unsubscribe: async () => { current = null; return true; },
  });
  PushManager.prototype.getSubscription = async () => current;
  window.badges = [];
  navigator.setAppBadge = async (count) => void window.badges.push(count);
}
"""
SHOWN = """
async (count) => {
  for (;;) {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    if (shown.length === count) return shown.map(({ title, body, tag }) => [title, body, tag]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
"""
CLICK = """
async () => {
  const [shown] = await registration.getNotifications();
  dispatchEvent(new NotificationEvent("notificationclick", { notification: shown }));
}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A whole Chromium: the headless shell has no notifications."""
    async with async_playwright() as playwright:
        one = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield one
        await one.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    """A server that may send push messages to loopback."""
    options = (*GENEROUS, "--push-networks", "127.0.0.0/8", "--push-contact", "mailto:ann@example.org")
    one = ServerProcess(tmp_path_factory.mktemp("server") / "data", *options)
    await one.start()
    yield one
    await one.kill()


@pytest_asyncio.fixture(loop_scope="session")
async def service() -> AsyncIterator[PushService]:
    async with push_service() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def subscribed(browser: Browser, server: ServerProcess, service: PushService) -> AsyncIterator[BrowserContext]:
    """A browser with a service worker, the permission to show notifications, and a push service."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(TIMEOUT)
    await context.grant_permissions(["notifications"], origin=f"http://127.0.0.1:{server.port}")
    yield context
    await context.close()


async def turn_on(page: Page, *names: str) -> None:
    """Turn notifications on in the account page."""
    for name in names:
        switch = page.get_by_label(name)
        await switch.check(force=True)
        await expect(switch).to_be_enabled()
        await expect(switch).to_be_checked()


async def deliver(session: CDPSession, origin: str, registration: str, data: str) -> None:
    await session.send(
        "ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": registration, "data": data}
    )


async def registration_id(session: CDPSession) -> str:
    """Return the id of the service worker's registration, as DevTools knows it."""
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    await session.send("ServiceWorker.enable")
    while not found:
        await session.send("Runtime.evaluate", {"expression": "1"})
    return found[0]


async def test_a_turn_reaches_the_player_who_is_away(
    browser: Browser, server: ServerProcess, service: PushService, subscribed: BrowserContext
) -> None:
    """The opponent's move reaches the push service, encrypted and signed; the notification leads to the table."""
    origin = f"http://127.0.0.1:{server.port}"
    keys = service.browser()
    await subscribed.add_init_script(f"({SUBSCRIBE})({msgspec.json.encode(keys.subscription).decode()})")
    page, other = await subscribed.new_page(), await (await browser.new_context(service_workers="block")).new_page()
    await page.goto(f"{origin}/account")
    await page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    await turn_on(page, "It is your turn", "A player invites you")

    await page.locator("a.home").click()
    await other.goto(origin)
    await start_game((page, other), "Replica")
    if await wait_for_turn(page, "mine", "theirs") == "mine":
        await make_turn(page, random.Random(1))
    await wait_for_turn(other, "mine")
    room = page.url.rpartition("/")[2]
    await page.locator("a.home").click()
    await expect(other.locator(".dot.away")).to_be_visible()
    assert service.received == []
    await make_turn(other, random.Random(2))

    request = await service.request()
    told = keys.read(request)
    assert (told["kind"], told["room"], told["game"]) == ("your_turn", room, "Replica")
    assert Vapid02.verify(request.headers["Authorization"])
    await page.wait_for_function("() => window.badges.at(-1) === 1")

    session = await subscribed.new_cdp_session(page)
    await deliver(session, origin, await registration_id(session), msgspec.json.encode(told).decode())
    shown = await page.evaluate(SHOWN, 1)
    assert shown == [["Your turn", f"Replica against {told['opponent']}", f"table/{room}"]]
    worker: Worker = subscribed.service_workers[0]
    await worker.evaluate(CLICK)
    await page.wait_for_url(f"**/table/{room}")
    await page.evaluate(SHOWN, 0)
    await make_turn(page, random.Random(3))
    await page.wait_for_function("() => window.badges.at(-1) === 0")
    assert len(service.received) == 1
    await other.context.close()


async def test_the_start_of_a_tournament_reaches_a_player_who_is_away(
    browser: Browser, server: ServerProcess, service: PushService, subscribed: BrowserContext
) -> None:
    """A player enters and closes the page; the notification leads to the tournament."""
    origin = f"http://127.0.0.1:{server.port}"
    keys = service.browser("cup")
    await subscribed.add_init_script(f"({SUBSCRIBE})({msgspec.json.encode(keys.subscription).decode()})")
    page = await subscribed.new_page()
    await page.goto(f"{origin}/account")
    await page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    await turn_on(page, "A tournament that you have entered begins")
    name = await page.locator(".me .name").inner_text()
    async with cup(server.url, "Noon cup", format="swiss", rounds=1) as (organiser, tournament):
        await page.goto(f"{origin}/tournaments/{tournament}")
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_text("You take part")).to_be_visible()
        await page.goto("about:blank")

        async def is_away() -> bool:
            return not (await organiser.profile(name)).online

        await until(is_away)
        await organiser.join_tournament(tournament)
        told = keys.read(await service.request())
        assert (told["kind"], told["tournament"]) == ("tournament", tournament)

        await page.goto(f"{origin}/rules")
        session = await subscribed.new_cdp_session(page)
        await deliver(session, origin, await registration_id(session), msgspec.json.encode(told).decode())
        shown = await page.evaluate(SHOWN, 1)
        assert shown == [["Your tournament begins", "Noon cup: Replica", f"tournament/{tournament}"]]
        await subscribed.service_workers[0].evaluate(CLICK)
        await page.wait_for_url(f"**/tournaments/{tournament}")
