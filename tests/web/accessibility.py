"""Checks pages with axe."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

from tests.web.conftest import ROOT

AXE = ROOT / "client" / "web" / "node_modules" / "axe-core" / "axe.min.js"


async def findings(page: Page) -> list[str]:
    """Return the serious and critical accessibility violations on the page."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    report: dict[str, Any] = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{found['id']}: {node['html'][:120]}"
        for found in report["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]
