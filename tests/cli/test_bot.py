"""`parlour bot`: an engine plays on a server, from the command line."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.cli import main
from parlour.cli.bot import engine_command, read_clock
from parlour.client import connect
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock
from tests.client.playing import rated
from tests.e2e.processes import ServerProcess
from tests.waiting import WITHIN


async def start(*arguments: str, token: str | None = None) -> Process:
    """Start the command."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    if token is not None:
        environ["PARLOUR_TOKEN"] = token
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "parlour.cli", "bot", *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environ
    )


async def ended(process: Process) -> tuple[int | None, str]:
    """Wait for the process; return its exit code and its standard error."""
    async with asyncio.timeout(WITHIN):
        output, errors = await process.communicate()
    assert output == b""
    return process.returncode, errors.decode()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    """A server without rate limits."""
    one = ServerProcess(tmp_path / "data", "--unlimited-networks", "127.0.0.0/8")
    await one.start()
    yield one
    await one.stop()


async def test_two_engines_play_a_rated_game(server: ServerProcess, tmp_path: Path) -> None:
    """Two bots with the built-in engine are paired in the queue, play, print the result, and exit with 0."""
    async with connect(server.url) as ann:
        await ann.register("Ann", "wooden bishop")
        tokens = [(await ann.create_bot(name)).token for name in ("Robbie", "Dora")]
    (tmp_path / "robbie.token").write_text(f"{tokens[0]}\n")
    options = ("--server", server.url, "--engine", "parlour think", "--game", "replica", "--count", "1", "--level", "1")
    first = await start(*options, "--token-file", str(tmp_path / "robbie.token"))
    second = await start(*options, token=tokens[1])
    done = await asyncio.gather(ended(first), ended(second))
    assert [code for code, _ in done] == [0, 0], done
    said = "".join(said for _, said in done)
    assert re.search(r"replica against Dora (won|lost|drawn) \(\w+\)", said)
    assert re.search(r"replica against Robbie (won|lost|drawn) \(\w+\)", said)
    async with connect(server.url) as eve:
        assert [line.games for line in (await rated(eve, "Robbie")).ratings] == [1]


async def test_ctrl_c_stops_it(server: ServerProcess) -> None:
    """An interrupted bot exits with 130, without a traceback."""
    async with connect(server.url) as ann:
        await ann.register("Ann", "wooden bishop")
        token = (await ann.create_bot("Robbie")).token
    process = await start("--server", server.url, "--engine", "parlour think", token=token)
    assert process.stderr is not None
    async with asyncio.timeout(WITHIN):
        assert f"connecting to {server.url}".encode() in await process.stderr.readline()
        online = await process.stderr.readline()
    assert b"Robbie is online for " in online
    assert b"; waiting for opponents in the queues for rated games and challenges" in online
    process.send_signal(signal.SIGINT)
    code, said = await ended(process)
    assert (code, said.strip()) == (130, "")


async def test_invalid_arguments(server: ServerProcess, tmp_path: Path) -> None:
    """Each is refused with a sentence and an error code, and the exit code is 2."""
    engine = ("--engine", "parlour think")
    for arguments, token, code in (
        (engine, None, ErrorCode.OPTION_INVALID),
        ((*engine, "--token-file", str(tmp_path / "missing")), None, ErrorCode.OPTION_INVALID),
        (("--engine", "no-such-program"), "t", ErrorCode.OPTION_INVALID),
        ((*engine, "--clock", "soon"), "t", ErrorCode.CLOCK_INVALID),
        ((*engine, "--server", "ftp://nowhere"), "t", ErrorCode.OPTION_INVALID),
        ((*engine, "--server", server.url), "unknown-token", ErrorCode.TOKEN_UNKNOWN),
    ):
        done, said = await ended(await start(*arguments, token=token))
        assert done == 2, said
        assert re.fullmatch(rf"(.+ connecting to .+\n)?parlour: .+\. \[{code}\]\n", said), said
    assert "`parlour token " in said  # how to get a token that is valid
    done, said = await ended(await start(*engine, "--server", "127.0.0.1:1", token="t"))
    assert (done, said.splitlines()[-1][-20:]) == (1, "[connection_refused]")


@pytest.mark.parametrize("option", ["--concurrency", "--count", "--processes", "--seconds"])
def test_numbers_must_be_positive(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Zero is refused before anything starts."""
    with pytest.raises(SystemExit, match="2"):
        main(["bot", "--engine", "parlour think", "--token", "t", option, "0"])

    assert f"argument {option}: it must be " in capsys.readouterr().err


def test_engines_are_commands() -> None:
    """A command is split like in a shell; `parlour` is this program itself."""
    assert engine_command(f"'{sys.executable}' -c 'print(1)'") == [sys.executable, "-c", "print(1)"]
    assert engine_command("parlour think --nice 5") == [sys.executable, "-m", "parlour.cli", "think", "--nice", "5"]
    for wrong in ("", "'", "no-such-program --fast"):
        with pytest.raises(Refusal) as refused:
            engine_command(wrong)
        assert refused.value.code == ErrorCode.OPTION_INVALID


def test_clock_notation() -> None:
    """A clock is minutes per game plus seconds per move, in the usual notation."""
    assert read_clock("5+3") == Clock("fischer", 300_000, 3_000)
    assert read_clock("0.5+0") == Clock("fischer", 30_000, 0)
    assert read_clock("none") == Clock()
    for wrong in ("", "5", "5+", "-5+3", "5+3s", "99999+1"):
        with pytest.raises(Refusal, match="such as 5"):
            read_clock(wrong)
