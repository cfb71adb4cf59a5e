"""Checks pages with axe."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

from tests.web.conftest import ROOT

AXE = ROOT / "client" / "web" / "node_modules" / "axe-core" / "axe.min.js"


# Rules whose verdict depends on style and size. All others have to be checked only once for each page.
STYLE_RULES = ("color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block", "meta-viewport")

RUN = """
(rules) => axe.run(document, {
  resultTypes: ["violations"],
  ...(rules.length ? { runOnly: { type: "rule", values: rules } } : {}),
})
"""


async def findings(page: Page, *rules: str) -> list[str]:
    """Return the accessibility violations on the page: of these rules, or without any, of all."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    report: dict[str, Any] = await page.evaluate(RUN, list(rules))
    return [f"{found['id']}: {node['html'][:120]}" for found in report["violations"] for node in found["nodes"]]
