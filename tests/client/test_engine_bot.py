"""Engines in any language as bots: the requests they get, and how good, bad and missing replies are handled."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from parlour.client import Clock, Table, Terms, connect, engine_bot
from parlour.client.engine_bot import EngineBot
from tests.client.bots import invite, running, tokens
from tests.client.playing import play_out
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN

THINK = [sys.executable, "-m", "parlour.cli", "think"]

# Logs its requests, and replies to each with what the code in `answer` assigns.
FRAME = """\
import json, os, sys, time
for line in sys.stdin:
    with open(os.path.join(sys.path[0], "asked.jsonl"), "a") as file:
        file.write(line)
    asked, times = json.loads(line), len(open(os.path.join(sys.path[0], "asked.jsonl")).readlines())
{answer}
    print(json.dumps(answer), flush=True)
"""


class Engine:
    """An engine of a few lines, and the requests that it got."""

    def __init__(self, folder: Path, answer: str) -> None:
        self._folder = folder
        lines = "\n".join(f"    {line}" for line in answer.splitlines())
        (folder / "engine.py").write_text(FRAME.format(answer=lines))

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(self._folder / "engine.py")]

    @property
    def asked(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self._folder / "asked.jsonl").read_text().splitlines()]


@asynccontextmanager
async def opposite(bot: EngineBot, server: ServerProcess, terms: Terms) -> AsyncIterator[Table]:
    """A game against the engine."""
    [token] = await tokens(server.url, "Robbie")
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada, bot, running(bot, server.url, token):
        yield await invite(ada, "Robbie", terms)


async def test_our_own_engine_plays(server: ServerProcess) -> None:
    """`parlour think` is an engine: it plays a whole game at the given level."""
    bot = EngineBot(THINK, level="2", seconds=0.2)
    async with opposite(bot, server, Terms("replica", clock=Clock("fischer", 60_000, 1_000))) as table:
        result = await play_out(table, 1)
        assert result is not None
        assert result.reason not in ("resigned", "flag", "aborted")


async def test_a_request_is_self_contained(server: ServerProcess, tmp_path: Path) -> None:
    """Each line has everything: game, options, moves, thinking time, table and legal turns."""
    engine = Engine(tmp_path, 'answer = {"picks": asked["legal"][0], "comment": "the first one"}')
    clock = Clock("fischer", 60_000, 1_000)
    bot = EngineBot(engine.command, legal=True, level="5", seconds=0.75)
    async with opposite(bot, server, Terms("mapello", clock=clock)) as table:
        await play_out(table, 1, turns=1)
        await table.until(lambda table: table.ply == 2)
        moves = list(table.moves)
    [asked] = engine.asked
    at = asked.pop("table")
    assert at.pop("left") == [[60_000, 0], [60_000, 0]]
    assert at == {
        "room": table.room, "seat": 1, "rated": False, "opponent": "Ada",
        "clock": {"kind": "fischer", "main": 60_000, "step": 1_000},
    }  # fmt: skip
    assert [0 <= asked.pop("seed") < 2**31, len(asked.pop("legal")) > 1] == [True, True]
    assert asked == {
        "game": "mapello", "options": dict(table.terms.options), "moves": moves[:1], "level": "5", "seconds": 0.75,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("sys.exit(3)", "exited with code 3; restarting it"),
        ("answer = []", "malformed"),
        ('answer = {"move": 7}', "malformed"),
        ('answer = {"score": 7}', "neither move nor picks"),
        ('answer = {"move": "xyzzy"}', "[move_malformed]"),
        ('answer = {"picks": [9999]}', "[move_illegal]"),
        ('answer = {"error": {"code": "tired", "message": "I am tired."}}', "the engine says: I am tired. [tired]"),
        ('answer = "x" * (1 << 21)', "longer than 1 MiB"),
    ],
)
async def test_a_bad_reply_is_logged_and_the_game_goes_on(
    server: ServerProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture, answer: str, words: str
) -> None:
    """An engine that crashes or sends nonsense is asked again and restarted if necessary, and the log says why."""
    good = 'else:\n    answer = {"picks": asked["legal"][0]}'
    engine = Engine(tmp_path, f"if times == 1:\n    {answer}\n{good}")
    with caplog.at_level(logging.INFO, "parlour.bot"):
        async with opposite(EngineBot(engine.command, legal=True), server, Terms("mapello")) as table:
            await play_out(table, 1, turns=1)
            await table.until(lambda table: table.ply == 2)
    assert words in caplog.text
    assert "Traceback" not in caplog.text
    assert len(engine.asked) == 2
    assert [asked["moves"] for asked in engine.asked] == [list(table.moves[:1])] * 2


async def test_a_slow_engine_is_not_waited_for(
    server: ServerProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine that does not reply in time is restarted, and the log says so."""
    monkeypatch.setattr(engine_bot, "REPLY_TIMEOUT", 0.5)
    engine = Engine(tmp_path, 'if times == 1:\n    time.sleep(600)\nanswer = {"picks": asked["legal"][0]}')
    async with opposite(EngineBot(engine.command, legal=True), server, Terms("mapello")) as table:
        await play_out(table, 1, turns=1)
        await table.until(lambda table: table.ply == 2)
    assert "did not reply within" in caplog.text
    assert len(engine.asked) == 2


async def test_an_engine_may_resign(server: ServerProcess, tmp_path: Path) -> None:
    """After a reply with resign it is not asked again."""
    answer = 'answer = {"resign": True} if len(asked["moves"]) > 2 else {"picks": asked["legal"][0]}'
    engine = Engine(tmp_path, answer)
    async with opposite(EngineBot(engine.command, legal=True), server, Terms("replica")) as table:
        await play_out(table, 1, turns=2)
        assert (await table.over()).reason == "resigned"
    assert len(engine.asked) == 2


async def test_a_missing_engine(server: ServerProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing hangs: the game is aborted, and the log says why."""
    async with opposite(EngineBot([str(tmp_path / "nothing")]), server, Terms("replica")) as table:
        await play_out(table, 1, turns=1)
        assert (await table.over()).reason == "aborted"
    assert "cannot start the engine" in caplog.text


async def test_processes_end_with_the_bot(server: ServerProcess, tmp_path: Path) -> None:
    """An engine that does not exit when its input is closed is killed."""
    keep_pid = 'open(os.path.join(sys.path[0], "pid"), "w").write(str(os.getpid()))'
    engine = Engine(tmp_path, keep_pid + '\nanswer = {"picks": asked["legal"][0]}')
    path = tmp_path / "engine.py"
    path.write_text(path.read_text() + "time.sleep(600)\n")
    pid_file = tmp_path / "pid"
    bot = EngineBot(engine.command, legal=True)
    async with opposite(bot, server, Terms("replica")) as table:
        await play_out(table, 1, turns=1)
        await table.until(lambda table: table.ply == 2)
        os.kill(int(pid_file.read_text()), 0)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
