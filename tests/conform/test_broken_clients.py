"""Clients that break a rule: the example client with one line changed. The check must name what that breaks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from parlour.conform.client_check import FAULTS, check_client
from parlour.conform.report import Verdict
from parlour.conform.rules import CLIENT_RULES
from parlour.conform.witness import ALWAYS

EXAMPLE = Path(__file__).parents[2] / "docs" / "clients" / "random_player.py"

# A start of Python, a game and a second of politeness on a busy machine. A client that hangs is waited for so long.
LIMIT = 6.0

AT_ONCE = 'socket.send(packb({"t": "hello", "client": "random_player.py", "token": token, "rooms": rooms}))'
SEND = 'socket.send(packb({"id": id, **pending[id]}))'
TAKE = "message = unpackb(socket.recv())"
LATER = '("try_again", "too_fast")'
WHOLE = 'if message["t"] == "room":'


class Case(NamedTuple):
    """What is changed in the example, which rules are looked at, and which of these are then broken."""

    name: str
    old: str
    new: str
    broken: set[str]
    kept: set[str] = {"plays"}  # noqa: RUF012 # a tuple's default is never changed


CASES = [
    Case("offers-nothing", ', subprotocols=["parlour.v1+msgpack"]', "", {"subprotocol", "plays"}, set()),
    Case("says-hello-twice", AT_ONCE, f"{AT_ONCE}\n        {AT_ONCE}", {"hello-first", "plays"}, set()),
    Case("does-not-wait", AT_ONCE, f"{AT_ONCE}\n        id = 1\n        {SEND}", {"waits-for-welcome"}),
    Case("sends-nonsense", SEND, f'{SEND}\n                socket.send(packb({{"t": "ping", "n": "one"}}))', {"well-formed", "plays"}, set()),
    Case("has-one-id", "ids = iter(range(2, 2**53))", "ids = iter([2] * 9999)", {"fresh-ids", "plays"}, set()),
    Case("makes-up-moves", '"picks": picks}', '"picks": [9999]}', {"legal", "plays"}, set()),
    Case("leaves-in-anger", "        while not result:", "        while not result or exit(3):", {"plays"}, {"subprotocol"}),
    Case("explores-nothing", '"explore" if more else "play"', '"play"', {"explores"}),
    Case("gives-up", "    time.sleep(0.2)", "    raise SystemExit(not result)",
         {"reconnects-early", "reconnects-later", "reconnects-restart", "resends", "takes-room"}),
    Case("ends-with-the-server", TAKE, f'{TAKE}\n            message.get("t") == "closing" and exit()'.replace("message.get", "dict(message).get if 0 else (message if isinstance(message, dict) else {}).get"),
         {"reconnects-restart"}, {"reconnects-later"}),
    Case("forgets-its-token", '"token": token', '"token": None', {"resumes"}, {"reconnects-early"}),
    Case("stands-nowhere", "[[room, *known]] if scene else []", "[]", {"stands"}, {"resumes"}),
    Case("renumbers", "], 0  #", "], 0\n        pending = {next(ids): command for command in pending.values()}  #",
         {"resends"}, {"reconnects-early"}),
    Case("takes-only-asked-rooms", WHOLE, f"{WHOLE[:-1]} and done:", {"takes-room"}, {"reconnects-later"}),
    Case("asks-about-repeats", "if new > known", "if new != known", {"ignores-repeats"}),
    Case("overlooks-gaps", "if new > known", "if new > known == (0, 0)", {"asks-for-missed"}, {"asks-for-whole"}),
    Case("overlooks-hashes", 'crc32(packb(scene)) == message["hash"]', "scene",
         {"asks-for-whole", "checks-hash", "checks-room"}, {"asks-for-missed"}),
    Case("asks-for-too-little", "else (0, 0)  #", "else (1, 1)  #", {"asks-for-whole", "checks-hash", "checks-room"}),
    Case("has-no-patience", LATER, '("too_fast",)', {"tries-again"}, {"chooses-again"}),
    Case("insists", LATER, '("try_again", "too_fast", "stale_ply")', {"chooses-again"}, {"tries-again"}),
    Case("knows-all-fields", TAKE, f'{TAKE}\n            assert "weather" not in message', {"fields-unknown"}, {"messages-unknown"}),
    Case("knows-all-messages", TAKE, f'{TAKE}\n            assert "sky" not in message', {"messages-unknown"}, {"fields-unknown"}),
    Case("cannot-listen", TAKE, f'{TAKE}\n            assert "watchers" not in message or "board" in message', {"talk"}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_a_broken_rule_is_named(case: Case, tmp_path: Path) -> None:
    """A client that breaks a rule is told so, while rules that it keeps are called kept."""
    source = EXAMPLE.read_text()
    assert source.count(case.old) >= 1
    client = tmp_path / f"{case.name}.py"
    client.write_text(source.replace(case.old, case.new, 1))
    looked_at = case.broken | case.kept
    report = await check_client([sys.executable, str(client)], only=looked_at, limit=LIMIT, at_once=3)
    assert set(report.of(Verdict.BROKEN)) == case.broken, report.table()
    assert set(report.of(Verdict.KEPT)) == case.kept, report.table()
    assert report.exit_code == 1


def test_every_rule_can_be_broken() -> None:
    """For every rule of a client there is one here that breaks it."""
    assert set().union(*(case.broken for case in CASES)) == {rule.key for rule in CLIENT_RULES}


def test_every_rule_is_looked_at() -> None:
    """Every rule of a client is decided by a fault or watched all the time, and none by both."""
    assert sorted({*ALWAYS, *(fault.rule for fault in FAULTS)}) == sorted(rule.key for rule in CLIENT_RULES)


async def test_a_client_that_does_nothing_reaches_nothing(tmp_path: Path) -> None:
    """A program that ends at once breaks the rule to play, and all others are not reached."""
    report = await check_client([sys.executable, "-c", "print('no idea')"], limit=LIMIT)
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert len(report.of(Verdict.NOT_REACHED)) == len(CLIENT_RULES) - 1
    assert "exited with 0, before any game; its last words: no idea" in report.table()


async def test_a_program_that_is_not_there_cannot_be_checked() -> None:
    """Without a program there is no report but an OSError."""
    with pytest.raises(OSError, match="no-such-program"):
        await check_client(["no-such-program"], limit=LIMIT)


async def test_nothing_is_left_of_a_client_that_hangs(tmp_path: Path) -> None:
    """A client that does not end in time is ended, with the processes that it has started."""
    note = tmp_path / "child"
    script = (
        "import subprocess, sys, pathlib, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    report = await check_client([sys.executable, "-c", script], only=["plays"], limit=1.0)
    assert report.of(Verdict.BROKEN) == ["plays"]
    assert "was running after 1 s" in report.table()
    assert not _runs(int(note.read_text()))


def _runs(process: int) -> bool:
    """Whether a process is there and not just waiting to be forgotten by its parent."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"
