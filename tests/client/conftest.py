"""Servers for the tests of what is built on a connection."""

from __future__ import annotations

from tests.e2e.conftest import make_server, server

__all__ = ["make_server", "server"]
