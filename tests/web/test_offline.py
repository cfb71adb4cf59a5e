"""The page without a server: the service worker starts it, and takes a new version as a whole."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from parlour.server.connections.static_files import installed_page
from tests.e2e.processes import ServerProcess
from tests.web.conftest import GENEROUS, TIMEOUT
from tests.web.page_actions import wait_for_fonts

# Wait until the service worker keeps this number of versions, and the newest is active.
KEPT = """
async (versions) => {
  const { serviceWorker } = navigator;
  for (;;) {
    const { active, installing, waiting } = await serviceWorker.ready;
    const isActive = active.state === "activated" && !installing && !waiting;
    if (isActive && (await caches.keys()).length === versions) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def copied_page(built: None, tmp_path: Path) -> Path:
    """A copy of the built page, which the test may change."""
    page = installed_page()
    assert page is not None
    return Path(shutil.copytree(page, tmp_path / "page"))


@pytest_asyncio.fixture(loop_scope="session")
async def site(copied_page: Path, tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server with that page."""
    one = ServerProcess(tmp_path / "data", *GENEROUS, "--static", str(copied_page))
    await one.start()
    yield one
    await one.stop()


def publish_next_version(page: Path) -> None:
    """Give the script another name and content, as a build of changed sources does."""
    (script,) = page.glob("app-*.js")
    renamed = "app-AAAAAAAA.js"
    (page / renamed).write_text(f"{script.read_text()}\ndocument.documentElement.dataset.version = 2;")
    for name in ("index.html", "service-worker.js"):
        file = page / name
        file.write_text(file.read_text().replace(script.name, renamed))
    script.unlink()


async def opened(page: Page, address: str) -> None:
    await page.goto(address)
    await expect(page.locator("h1").first).to_be_visible()


async def test_the_page_starts_without_a_server_and_takes_new_versions(
    browser: Browser, site: ServerProcess, copied_page: Path
) -> None:
    """Lobby, rules and lessons open while the server is away; afterwards the page has one version, the new one."""
    context = await browser.new_context()
    page = await context.new_page()
    page.set_default_timeout(TIMEOUT)
    address = f"http://127.0.0.1:{site.port}"
    await opened(page, address)
    await page.evaluate(KEPT, 1)

    await site.kill()
    await opened(page, f"{address}/")
    await expect(page.locator(".game b")).to_have_text(["Isaac", "Mapello", "Mitsudomoe", "Replica"])
    await wait_for_fonts(page, 1)
    await opened(page, f"{address}/rules/replica")
    await expect(page.get_by_role("article")).to_contain_text("What you need")
    await expect(page.locator("figure svg").first).to_be_visible()
    await opened(page, f"{address}/learn/replica")
    await expect(page.get_by_role("heading", name="Step forward")).to_be_visible()

    publish_next_version(copied_page)
    await site.start()
    await opened(page, f"{address}/")
    await expect(page.locator(".me")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-version", "2")
    await page.evaluate(KEPT, 2)
    await site.kill()
    await opened(page, f"{address}/")
    await expect(page.locator("html")).to_have_attribute("data-version", "2")
    await context.close()
