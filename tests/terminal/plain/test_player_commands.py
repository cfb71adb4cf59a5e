"""Blocking, muting and reporting in plain mode."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from tests.terminal.plain.test_line_client import typing


async def test_players_are_blocked_muted_and_reported(address: str, tmp_path: Path) -> None:
    """Each command says what it did; a report without a reason is refused with the reasons."""
    async with typing(address, tmp_path) as typist, connect(address, name="Noisy Newt"):
        typist.type("blocked", "block Noisy Newt", "mute Noisy Newt", "blocked")
        await typist.reads(
            "You have blocked and muted no player.", "You have blocked Noisy Newt.", "You have muted Noisy Newt.",
            "  Noisy Newt: blocked", "  Noisy Newt: muted",
        )  # fmt: skip
        typist.type("unblock Noisy Newt", "unmute Noisy Newt", "report Noisy Newt", "report Noisy Newt abuse too loud")
        await typist.reads(
            "You have unblocked Noisy Newt.", "You have unmuted Noisy Newt.", "Give a reason: abuse (",
            "You have reported Noisy Newt. Thank you.",
        )  # fmt: skip
        typist.type("block")
        await typist.reads("Type the name of the player, too.")
