"""The server check, against the scripted server that keeps every rule."""

from __future__ import annotations

import pytest

from parlour.conform.codec import CODECS
from parlour.conform.probe import NotReached
from parlour.conform.report import Verdict
from parlour.conform.script import Script
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.server_check import check_server
from parlour.protocol.codec import Codec
from parlour.protocol.messages import ClientMessage, Queue

PATIENCE = 10.0


@pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
async def test_a_server_may_have_opponents_of_its_own(codec: Codec) -> None:
    """A server that pairs guests with its own opponent keeps the rules too; what it does not have does not apply."""
    rules = ["queue", "play", "not-your-turn", "sync-missed", "resume-unanswered", "whole-game", "record", "create"]
    async with ScriptedServer() as server:
        report = await check_server(server.url, codecs=(codec,), only=rules, timeout=PATIENCE)
    assert report.exit_code == 0, report.table()
    assert report.of(Verdict.NOT_APPLICABLE) == ["create", "record"]


@pytest.mark.parametrize("seed", range(3))
async def test_choices_that_do_not_fit_are_explored(seed: int) -> None:
    """Where choices are truncated, the check explores the rest and plays on."""
    async with ScriptedServer(opponent=False, budget=0) as server:
        report = await check_server(server.url, only=["choices", "play", "whole-game"], timeout=PATIENCE, seed=seed)
    assert report.exit_code == 0, report.table()


async def test_only_some_rules_are_checked() -> None:
    """With `only`, nothing else is done: two rules about hello need no table."""
    queued: list[ClientMessage] = []

    class Watching(Script):
        def incoming(self, connection: object, message: ClientMessage) -> bool:
            queued.extend([message] if isinstance(message, Queue) else [])
            return True

    async with ScriptedServer(Watching()) as server:
        report = await check_server(server.url, only=["welcome", "token"], timeout=PATIENCE)
    assert report.of(Verdict.KEPT) == ["welcome", "token"]
    assert len(report.findings) == 2
    assert not queued


async def test_without_a_server_there_is_no_report() -> None:
    """If no server listens at the address, or it is not a WebSocket, the check fails at once and says so."""
    async with ScriptedServer() as server:
        url = server.url
        with pytest.raises(NotReached, match="404"):
            await check_server(url.replace("/ws", "/elsewhere"), timeout=PATIENCE)
    with pytest.raises(NotReached, match="no connection"):
        await check_server(url, timeout=PATIENCE)
