"""Finished games: replay, download, import and analysis."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import expect

from parlour.server.archive.record import sealed
from parlour.server.archive.text_format import read, write
from tests.e2e.processes import ServerProcess
from tests.web.conftest import NewPage
from tests.web.finished_games import finished_game

# Presses a key the moment the board appears, before the page is painted.
PRESS_AT_ONCE = """
(key) => new MutationObserver((_, watch) => {
  if (!document.querySelector(".stage [role=img]")) return;
  watch.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}).observe(document.body, { childList: true, subtree: true })
"""


async def test_a_game_is_replayed_with_keys_and_slider(new_page: NewPage, server: ServerProcess) -> None:
    """The board follows the keys and the slider, and the address contains the move that is shown."""
    room = await finished_game(server.url)
    page = await new_page("/players/Ann/")
    await page.evaluate(PRESS_AT_ONCE, "ArrowLeft")
    await page.locator(".result-line").click()
    board = page.locator(".stage [role=img]")
    await expect(board).to_have_attribute("aria-label", "Mapello board after 5 of 6 moves. ")
    for key, ply in (("ArrowLeft", 4), ("Home", 0), ("ArrowRight", 1), ("End", 6)):
        await page.keyboard.press(key)
        await expect(board).to_have_attribute("aria-label", f"Mapello board after {ply} of 6 moves. ")
    await page.get_by_role("slider", name="Move").fill("3")
    await expect(board).to_have_attribute("aria-label", "Mapello board after 3 of 6 moves. ")
    await page.wait_for_url(f"**/game/{room}/3")

    other = await new_page(f"/game/{room}/3")
    await expect(other.get_by_role("img", name="Mapello board after 3 of 6 moves.")).to_be_visible()
    await expect(other.locator(".moves [aria-current]")).to_have_count(1)


async def test_a_downloaded_game_can_be_imported(new_page: NewPage, server: ServerProcess) -> None:
    """A downloaded record can be imported; a modified one is rejected."""
    page = await new_page(f"/game/{await finished_game(server.url)}")
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Text").click()
    text = Path(await (await started.value).path()).read_text(encoding="utf-8")

    await page.goto(f"http://127.0.0.1:{server.port}/games")
    await page.get_by_label("Paste a record").fill(text.replace("Ann", "Eve"))
    await page.get_by_role("button", name="Import").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await page.get_by_label("Paste a record").fill(text)
    await page.get_by_role("button", name="Import").click()
    await expect(page.locator(".moves button")).to_have_count(6)
    await expect(page.get_by_role("heading", name="won")).to_be_visible()


async def test_the_computer_analyses_a_game(new_page: NewPage, server: ServerProcess) -> None:
    """The analysis shows the winning chances of each move and the best move, also after a reload."""
    page = await new_page(f"/game/{await finished_game(server.url, moves=2)}/0")
    await page.get_by_role("button", name="Analyse the game").click()

    await expect(page.get_by_role("img", name="Winning chances in 3 of 3 positions")).to_be_visible()
    await expect(page.locator("section", has_text="% to win · best move:").last).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("img", name="Winning chances in 3 of 3 positions")).to_be_visible()


async def test_a_record_by_other_rules_is_shown_without_boards(new_page: NewPage, server: ServerProcess) -> None:
    """The moves and the result are shown as recorded, and the page says why there is no board."""
    page = await new_page(f"/game/{await finished_game(server.url)}")
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Text").click()
    record = read(Path(await (await started.value).path()).read_text(encoding="utf-8"))
    await page.goto(f"http://127.0.0.1:{server.port}/games")
    await page.get_by_label("Paste a record").fill(write(sealed(replace(record, rules_version=99))))
    await page.get_by_role("button", name="Import").click()

    await expect(page.get_by_role("status").filter(has_text="version 99 of the rules")).to_be_visible()
    await expect(page.get_by_role("region", name="Moves").get_by_role("listitem")).to_have_text(
        [entry.move for entry in record.moves]
    )
    await expect(page.get_by_text("won: ")).to_be_visible()
