"""The server of the screens is good enough here too."""

from __future__ import annotations

from tests.client.terminal.conftest import address

__all__ = ["address"]
