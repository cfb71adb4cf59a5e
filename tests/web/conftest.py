"""A real browser, and a real server that serves the page built from the current sources."""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.client.web.building import build_page
from tests.e2e.processes import ServerProcess

ROOT = Path(__file__).parents[2]
# The same engine without windows, which takes a third less CPU time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
GENEROUS = (
    "--max-connections-per-address",
    "1000",
    "--message-rate",
    "1000",
    "--message-burst",
    "5000",
    "--unlimited-networks",
    "127.0.0.0/8",
)
TIMEOUT = 30_000  # milliseconds, generous enough for a busy machine

expect.set_options(timeout=TIMEOUT)

# What a browser logs when a server is killed, when a page does not exist, or when it must not keep the page.
EXPECTED = re.compile(r"WebSocket connection|ERR_CONNECTION_REFUSED|status of 404|Service Worker registration blocked")

NewPage = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Build the page from the current sources."""
    build_page(tmp_path_factory.getbasetemp().parent)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all asynchronous tests of this folder in one event loop, to which their browser belongs."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def server(built: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    """A server with generous limits for all tests of a file."""
    one = ServerProcess(tmp_path_factory.mktemp("server") / "data", *GENEROUS)
    await one.start()
    yield one
    await one.kill()


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser process of its own."""
    if CHROMIUM is None:
        pytest.fail("Install Chromium to test the page (Debian: apt install chromium-headless-shell).")
    async with async_playwright() as playwright:
        one = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield one
        await one.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The browser of all tests of this folder, except those that need one of their own."""
    async with chromium() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def new_page(browser: Browser, server: ServerProcess) -> AsyncIterator[NewPage]:
    """Open the page as a new player each time. Any error that it logs fails the test."""
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    async def open_page(path: str = "/", **options: object) -> Page:
        defaults = {"viewport": {"width": 1366, "height": 768}, "service_workers": "block"}
        context = await browser.new_context(**{**defaults, **options})  # type: ignore[arg-type]
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(TIMEOUT)
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", lambda line: _record_error(faults, line))
        page.on("request", lambda request: _record_foreign_request(faults, request.url, server.port))
        await page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert faults == []


def _record_error(faults: list[str], line: ConsoleMessage) -> None:
    fault = f"{line.text} ({line.location['url']})"
    if line.type in ("error", "warning") and not EXPECTED.search(fault):
        faults.append(fault)


def _record_foreign_request(faults: list[str], url: str, port: int) -> None:
    if not url.startswith(f"http://127.0.0.1:{port}/"):
        faults.append(f"The page sent a request to another host: {url}")
