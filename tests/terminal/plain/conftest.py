"""The server of the screens is good enough here too."""

from __future__ import annotations

from tests.terminal.full_screen.conftest import address

__all__ = ["address"]
