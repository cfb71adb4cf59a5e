"""A server of one's own behind `parlour play`: started with it, reached by nobody else, and ended with it."""

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
from parlour.server.config import default_data

STARTS_WITHIN = 60.0
STOPS_WITHIN = 10.0
MOST = 9  # how many may run at the same time, each with a folder of its own

CHILD = "import sys; from parlour.cli.local import main; sys.exit(main(sys.argv[1:]))"

_ADDRESS = re.compile(rb"ws://[^\s)]+")


@asynccontextmanager
async def local_server(game_folders: Sequence[Path] = ()) -> AsyncIterator[tuple[str, str]]:
    """Its address, and the name under which its players are remembered. Games are kept for the next time."""
    trouble = b""
    for number in range(1, MOST + 1):
        name = "local" if number == 1 else f"local-{number}"
        process = await _start(default_data() / name, game_folders)
        try:
            assert process.stdout is not None
            async with asyncio.timeout(STARTS_WITHIN):
                line = await process.stdout.readline()
            found = _ADDRESS.search(line)
            if found is not None:
                yield found[0].decode(), name
                return
            trouble = await _told(process)
        finally:
            await _end(process)
        if b"uses the folder" not in trouble:
            break
    sentence = trouble.decode(errors="replace").strip().removeprefix("parlour: ") or "It does not say why."
    raise Refusal(ErrorCode.TRY_AGAIN, f"The server behind this game does not start. {sentence}")


async def _start(data: Path, game_folders: Sequence[Path]) -> asyncio.subprocess.Process:
    data.mkdir(parents=True, exist_ok=True)
    folders = [argument for folder in game_folders for argument in ("--games", str(folder.absolute()))]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD, *folders, "serve", "--host", "127.0.0.1", "--port", "0",
        "--data", str(data), "--log-level", "error", "--stop-grace", "0", "--metrics", "off",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=data,  # no parlour.toml of somebody else
        process_group=0,  # Ctrl-C is for the player
        env={name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
    )  # fmt: skip


async def _told(process: asyncio.subprocess.Process) -> bytes:
    """What it said when it did not start."""
    assert process.stderr is not None
    return await process.stderr.read()


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        async with asyncio.timeout(STOPS_WITHIN):
            await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()


def main(arguments: Sequence[str]) -> int:
    """The child: a server that ends when whoever started it is gone, however that happened."""
    from parlour import cli  # noqa: PLC0415  # it imports this file

    def watch() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
    return cli.main(arguments)
