"""Checks against the scripted server, which keeps every rule."""

from __future__ import annotations

from collections.abc import Collection

from parlour.conform.codec import MSGPACK
from parlour.conform.report import Report
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.server_check import check_server

TIMEOUT = 30.0  # seconds for one message, generous enough for a busy machine


async def check_honest_server(rules: Collection[str]) -> Report:
    """Run these checks against a server that keeps every rule."""
    async with ScriptedServer(opponent=False) as server:
        return await check_server(server.url, codecs=(MSGPACK,), only=rules, timeout=TIMEOUT)
