"""Servers for the tests of the terminal client."""

from __future__ import annotations

from tests.e2e.conftest import make_server, server

__all__ = ["make_server", "server"]
