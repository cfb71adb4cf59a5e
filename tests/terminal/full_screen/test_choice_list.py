"""Lists to choose from."""

from __future__ import annotations

from pathlib import Path

from tests.terminal.full_screen.screens import opened, signed_in


async def test_the_selected_line_has_a_pointer(address: str, tmp_path: Path) -> None:
    """It is in the list that has the focus, so it can be seen without colours."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.shows("> Isaac")
        await shown.press("down")
        text = await shown.shows("> Mapello")
        assert "> Isaac" not in text
        await shown.press("tab")
        await shown.until(lambda: "> Mapello" not in shown.text)
