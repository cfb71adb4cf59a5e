"""Clients that break a rule: the check of the example client with one line changed names the broken rule."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from parlour.conform.client_check import FAULTS, check_client
from parlour.conform.report import Verdict
from parlour.conform.rules import CLIENT_RULES

EXAMPLE = Path(__file__).parents[2] / "docs" / "clients" / "random_player.py"

LIMIT = 60.0  # seconds for one game, generous enough for a busy machine; none of these clients hangs

HELLO = 'socket.send(packb({"t": "hello", "client": "random_player.py", "rooms": rooms, **who}))'
SEND = 'socket.send(packb({"id": sent, **pending[sent]}))'
TAKE = "message, quiet = unpackb(socket.recv(timeout=2)), 0"
LATER = '("try_again", "too_fast")'
WHOLE = 'if "scene" in message else'
CLOSING = 'isinstance(message, dict) and message["t"] == "closing" and exit()'


class Case(NamedTuple):
    """A change to the example client, and the rules that it then breaks and keeps."""

    name: str
    old: str
    new: str
    broken: tuple[str, ...]
    kept: tuple[str, ...] = ("plays",)


CASES = [
    Case("offers-nothing", 'URL, subprotocols=["parlour.v1+msgpack"]) as socket:', "URL) as socket:\n        exit(4)",
         ("subprotocol", "plays"), ()),
    Case("says-hello-twice", HELLO, f"{HELLO}; {HELLO}", ("hello-first", "plays"), ()),
    Case("does-not-wait", HELLO, f"{HELLO}; sent = 1; {SEND}; sent = 0", ("waits-for-welcome",)),
    Case("sends-nonsense", SEND, f'{SEND}; socket.send(packb({{"t": "ping", "n": "one"}}))',
         ("well-formed", "plays"), ()),
    Case("uses-ids-twice", SEND, f'{SEND}; socket.send(packb({{"t": "resign", "id": sent, "room": "mine"}}))',
         ("fresh-ids", "plays"), ()),
    Case("makes-up-moves", '"picks": picks}', '"picks": [9999]}', ("legal", "plays"), ()),
    Case("leaves-in-anger", "    time.sleep(0.2)", "    raise SystemExit(3)", ("plays",), ("legal",)),
    Case("explores-nothing", '(more and "explore") or "play"', '"play"', ("explores",)),
    Case("gives-up", "    time.sleep(0.2)", "    raise SystemExit(not result)",
         ("reconnects-early", "reconnects-later", "reconnects-restart", "resends", "takes-room")),
    Case("leaves-the-queue", HELLO, f'{HELLO}; who["token"] and not room and exit()',
         ("queues-again",), ("reconnects-early",)),
    Case("ends-with-the-server", TAKE, f"{TAKE}; {CLOSING}", ("reconnects-restart",), ("reconnects-later",)),
    Case("waits-for-ever", "and quiet < 2", "and quiet < 600", ("leaves-silence",), ("reconnects-later",)),
    Case("forgets-its-token", HELLO, HELLO.replace("who}", 'who, "token": None}') + '; who["token"] and exit()',
         ("resumes",), ("reconnects-early",)),
    Case("forgets-its-session", HELLO, HELLO.replace("who}", 'who, "session": None}') + '; who["token"] and exit()',
         ("continues-session",), ("resumes",)),
    Case("stands-nowhere", HELLO, HELLO.replace(": rooms", ": []") + '; who["token"] and exit()',
         ("stands",), ("resumes",)),
    Case("renumbers", HELLO, f"{HELLO}; pending = {{next(ids): command for command in pending.values()}}",
         ("resends",), ("reconnects-early",)),
    Case("takes-only-asked-rooms", WHOLE, 'if "scene" in message and done else',
         ("takes-room",), ("reconnects-later",)),
    Case("asks-about-repeats", "if new > known", "if new != known", ("ignores-repeats",)),
    Case("overlooks-gaps", "if new > known", "if new > known == (0, 0)", ("asks-for-missed",), ("asks-for-whole",)),
    Case("overlooks-hashes", 'crc32(packb(scene)) == message["hash"]', "scene",
         ("asks-for-whole", "checks-hash", "checks-room"), ("asks-for-missed",)),
    Case("has-no-timeout", LATER, '("too_fast",)', ("tries-again",), ("chooses-again",)),
    Case("insists", LATER, '("try_again", "too_fast", "stale_ply")', ("chooses-again",), ("tries-again",)),
    Case("knows-all-fields", TAKE, f'{TAKE}; assert "weather" not in message',
         ("fields-unknown",), ("messages-unknown",)),
    Case("knows-all-messages", TAKE, f'{TAKE}; assert "sky" not in message',
         ("messages-unknown",), ("fields-unknown",)),
    Case("cannot-listen", TAKE, f'{TAKE}; assert "online" not in message', ("talk",)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_broken_rule_is_named(case: Case, tmp_path: Path) -> None:
    """The report names the rule that a client breaks, and reports the other rules as kept."""
    source = EXAMPLE.read_text()
    assert case.old in source
    client = tmp_path / f"{case.name}.py"
    client.write_text(source.replace(case.old, case.new, 1))
    only = {*case.broken, *case.kept}
    report = await check_client([sys.executable, str(client)], only=only, limit=LIMIT)
    assert set(report.of(Verdict.BROKEN)) == set(case.broken), report.table()
    assert set(report.of(Verdict.KEPT)) == set(case.kept), report.table()
    assert report.exit_code == 1


def test_every_rule_can_be_broken() -> None:
    """For every client rule there is a case that breaks it."""
    assert set().union(*(case.broken for case in CASES)) == {rule.key for rule in CLIENT_RULES}


def test_every_rule_is_checked() -> None:
    """Every client rule is decided by a fault or observed during one."""
    assert {rule for fault in FAULTS for rule in (fault.rule, *fault.shows)} == {rule.key for rule in CLIENT_RULES}


async def test_a_client_that_does_nothing_reaches_nothing() -> None:
    """A program that exits at once breaks the rule that a client plays; the other rules are not reached."""
    report = await check_client([sys.executable, "-c", "print('no idea')"], limit=LIMIT)
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert len(report.of(Verdict.NOT_REACHED)) == len(CLIENT_RULES) - 1
    (plays,) = (finding for finding in report.findings if finding.rule == "plays")
    assert "exited with 0, before any game; its last line of output: no idea" in plays.detail


async def test_a_missing_program_cannot_be_checked() -> None:
    """If the program does not exist, the check raises OSError."""
    with pytest.raises(OSError, match="no-such-program"):
        await check_client(["no-such-program"], limit=LIMIT)


async def test_a_hanging_client_is_killed_with_its_children(tmp_path: Path) -> None:
    """A client that does not exit in time is killed together with its child processes."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reading, True)
    # The client's child process keeps the other end of the pipe open while it lives.
    child = f"import time; pipe = open({str(pipe)!r}, 'w'); print('alive', file=pipe, flush=True); time.sleep(600)"
    client = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    report = await check_client([sys.executable, "-c", client], only=["plays"], limit=2.0)
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert "was running after 2 s, before any game" in report.findings[0].detail
    with os.fdopen(reading, "rb") as end:
        assert await asyncio.wait_for(asyncio.to_thread(end.read), 10) == b"alive\n"
