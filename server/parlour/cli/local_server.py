"""The server behind `parlour play --local`: it listens on this machine only, and stops together with the client."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.settings import default_data

START_TIMEOUT = 60.0
STOP_TIMEOUT = 10.0
MAX_SERVERS = 9  # that may run at the same time, each with its own folder

CHILD = "import sys; from parlour.cli.local_server import main; sys.exit(main(sys.argv[1:]))"

_ADDRESS = re.compile(rb"ws://[^\s)]+")


@asynccontextmanager
async def local_server(game_folders: Sequence[Path] = ()) -> AsyncIterator[tuple[str, str]]:
    """Run a server; yield its address and the name under which its players are remembered. Games are kept."""
    error = b""
    for number in range(1, MAX_SERVERS + 1):
        name = "local" if number == 1 else f"local-{number}"
        process = await _start(default_data() / name, game_folders)
        try:
            assert process.stdout is not None
            async with asyncio.timeout(START_TIMEOUT):
                line = await process.stdout.readline()
            found = _ADDRESS.search(line)
            if found is not None:
                yield found[0].decode(), name
                return
            error = await _read_error(process)
        finally:
            await _stop(process)
        if b"uses the folder" not in error:
            break
    sentence = error.decode(errors="replace").strip().removeprefix("parlour: ") or "It printed no reason."
    raise Refusal(ErrorCode.TRY_AGAIN, f"The local server does not start. {sentence}")


async def _start(data: Path, game_folders: Sequence[Path]) -> asyncio.subprocess.Process:
    data.mkdir(parents=True, exist_ok=True)
    folders = [argument for folder in game_folders for argument in ("--games", str(folder.absolute()))]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD, *folders, "serve", "--host", "127.0.0.1", "--port", "0",
        "--data", str(data), "--log-level", "error", "--stop-grace", "0", "--metrics", "off",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=data,  # so that it ignores a parlour.toml in the current folder
        process_group=0,  # so that Ctrl-C reaches the client only
        env={name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
    )  # fmt: skip


async def _read_error(process: asyncio.subprocess.Process) -> bytes:
    """Return the message of a server that did not start."""
    assert process.stderr is not None
    return await process.stderr.read()


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        async with asyncio.timeout(STOP_TIMEOUT):
            await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()


def main(arguments: Sequence[str]) -> int:
    """Run in the child process: a server that stops when its parent process ends, even if that was killed."""
    from parlour import cli  # noqa: PLC0415  # which imports this module

    def watch() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
    return cli.main(arguments)
