"""The rules page: text, example boards and a practice game."""

from __future__ import annotations

from playwright.async_api import expect

from tests.web.conftest import NewPage
from tests.web.page_actions import SELECTABLE

TEXT_WITHOUT_CODE = """
(article) => {
  const copy = article.cloneNode(true);
  for (const code of copy.querySelectorAll("pre")) code.remove();
  return copy.textContent;
}
"""


async def test_examples_are_drawn_as_boards(new_page: NewPage) -> None:
    """Every image in the rules is a board with a description for screen readers."""
    page = await new_page("/rules/mapello")
    await expect(page.get_by_role("heading", name="Mapello", level=1)).to_be_visible()
    await expect(page.locator("figure:empty")).to_have_count(0)  # they are drawn one after another
    pictures = page.locator("figure [role=img]")
    assert await pictures.count() > 5
    assert all([await picture.get_attribute("aria-label") for picture in await pictures.all()])
    assert "![" not in await page.locator("article").inner_text()


async def test_markdown_is_rendered(new_page: NewPage) -> None:
    """Quotations, tables, code and emphasis become elements, and no Markdown or HTML is left in the text."""
    page = await new_page("/rules/isaac")
    await expect(page.locator("article blockquote strong")).to_contain_text("points =")
    for element in ("h2", "p", "table th", "code"):
        await expect(page.locator(f"article {element}").first).to_be_visible()
    text: str = await page.locator("article").evaluate(TEXT_WITHOUT_CODE)
    assert "points" in text
    assert not [mark for mark in ("**", "<!--", "## ") if mark in text]


async def test_rules_are_printed_without_navigation(new_page: NewPage) -> None:
    """On paper, nothing is fixed to the page's edges, and the text uses the whole width."""
    page = await new_page("/rules/mapello", viewport={"width": 700, "height": 900})
    await expect(page.locator(".dock")).to_be_visible()
    await page.emulate_media(media="print")
    for part in (".top", ".dock", ".rules-nav", ".try"):
        await expect(page.locator(part)).to_be_hidden()
    await expect(page.get_by_role("article")).to_be_visible()


async def test_a_turn_is_tried_and_taken_back(new_page: NewPage) -> None:
    """A reader can play against the computer beside the rules and take back a turn."""
    page = await new_page("/rules/mapello")
    await page.get_by_role("button", name="Try Mapello").click()
    await page.locator(f".practice :is({SELECTABLE})").first.click()
    await expect(page.locator(".practice [aria-label*='last move']").first).to_be_attached()
    await expect(page.locator(f".practice :is({SELECTABLE})").first).to_be_visible()
    await page.get_by_role("button", name="Take back").click()
    await expect(page.locator(".practice [aria-label*='last move']")).to_have_count(0)


async def test_the_scroll_position_survives_a_reload(new_page: NewPage) -> None:
    """The page returns to where the reader was, although its content arrives later."""
    page = await new_page("/rules/isaac")
    await page.wait_for_function("() => document.documentElement.scrollHeight > innerHeight + 700")
    await page.evaluate("() => scrollTo(0, 600)")
    await page.reload()
    await page.wait_for_function("() => scrollY === 600")
