"""Lessons in the browser: a script that knows nothing about a game completes each by following what is on screen."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.web.accessibility import findings
from tests.web.conftest import NewPage

PHONE = {"width": 390, "height": 664}
SOLVED_OR_ANOTHER_PLACE = """(before) => {
    const hint = document.querySelector(".hint-next")?.textContent ?? "";
    return document.querySelector(".lesson-card.solved") || (hint.startsWith("Next: ") && hint !== before);
}"""


async def follow_hint(page: Page) -> None:
    """Ask for the hint, then pick the places that it names, one after the other."""
    await page.get_by_role("button", name="Hint").click()
    await expect_above_buttons(page, page.locator(".hint-text"))
    await page.get_by_role("button", name="Show me").click()
    solved, hint, text = page.locator(".lesson-card.solved"), page.locator(".hint-next"), ""
    while True:
        await page.wait_for_function(SOLVED_OR_ANOTHER_PLACE, arg=text)
        if await solved.count():
            break
        text = await hint.text_content() or ""
        name = text.removeprefix("Next: ").removesuffix(".")
        if re.fullmatch(r"[a-z]\d+", name):
            await page.locator(f".cell[data-name='{name}']").click()
        elif name.startswith("+"):
            number = page.locator(".stepper .primary")
            while await number.text_content() != name:
                await page.get_by_role("button", name="Fewer").click()
            await number.click()
        else:
            await page.get_by_role("button", name=re.compile(f"^{name}(, |$)")).click()
    await expect(solved).to_be_visible()


async def expect_above_buttons(page: Page, words: Locator) -> None:
    """Check that words are on the screen, and not behind the buttons at its bottom."""
    await expect(words).to_be_in_viewport(ratio=1)
    box, buttons = await words.bounding_box(), await page.locator(".lesson-card .button-row").bounding_box()
    assert box is not None
    assert buttons is not None
    assert box["y"] + box["height"] <= buttons["y"] + 1


@pytest.mark.parametrize(
    ("game", "size"), [("isaac", PHONE), ("mapello", PHONE), ("mitsudomoe", PHONE), ("replica", None)]
)
async def test_a_lesson_is_completed_by_following_the_screen(
    new_page: NewPage, game: str, size: dict[str, int] | None
) -> None:
    """From the lobby through every step to a first game against the computer."""
    page = await new_page("/", **({"viewport": size} if size else {}))
    await page.locator(f".game:has(input[value={game}])").click()
    await page.get_by_role("link", name=re.compile("^Learn ")).click()
    await page.wait_for_url(f"**/learn/{game}")
    steps = page.locator(".lesson-steps button")
    await expect(steps.first).to_be_visible()
    for _ in range(await steps.count()):
        await expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
        await expect(page.get_by_role("button", name="Hint")).to_be_in_viewport(ratio=1)
        assert await findings(page, "color-contrast") == []
        await follow_hint(page)
        await page.get_by_role("button", name="Next").click()
    assert await findings(page) == []
    await page.get_by_role("button", name="Play a beginner").click()
    await page.wait_for_url("**/table/*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_wrong_move_is_explained_and_put_back(new_page: NewPage, scheme: str) -> None:
    """The sentence says why, and the step can be tried again; the page is accessible in both themes."""
    page = await new_page("/learn/replica", color_scheme=scheme)
    await page.get_by_role("button", name="Step 3: ").click()
    await expect(page.locator(".cell.selectable").first).to_be_visible()
    assert await findings(page) == []
    await page.locator(".cell[data-name='h8']").click()
    await page.locator(".cell.selectable:not([data-name='h8'])").first.click()
    await expect(page.locator(".lesson-card.wrong .verdict")).to_be_visible()
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator(".lesson-card.wrong")).to_have_count(0)
    await expect(page.locator(".cell.selectable").first).to_be_visible()


async def test_a_lesson_is_left_on_a_small_phone(new_page: NewPage) -> None:
    """The task is on the screen, bars are as long as they are, and a link leads back to the lobby."""
    page = await new_page("/learn/isaac", viewport={"width": 360, "height": 560})
    bars = page.locator(".lesson-tray .slot .bar")
    await expect(bars).to_have_count(5)
    widths = [box["width"] for bar in await bars.all() if (box := await bar.bounding_box())]
    assert widths == sorted(set(widths))
    await expect_above_buttons(page, page.locator(".lesson-text > p").first)
    await page.get_by_role("link", name="Leave the lesson").click()
    await expect(page.locator(".game").first).to_be_visible()


async def test_an_unknown_lesson_is_told(new_page: NewPage) -> None:
    """The page says that there is no such game."""
    page = await new_page("/learn/chess")
    await expect(page.get_by_role("alert")).to_contain_text("There is no game")
