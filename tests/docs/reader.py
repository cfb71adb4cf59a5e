"""A reader who follows a page: saves its files, and runs its commands."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from tests.waiting import WITHIN

PART = re.compile(
    r"<!-- (save: (?P<name>\S+)|step|step: stays) -->\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

ADDRESS, SOCKET = "http://127.0.0.1:8765", "ws://127.0.0.1:8765/ws"


class Reader:
    """A reader who follows the page in an empty folder."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.printed: list[str] = []
        self.running: list[Process] = []
        self._address = address

    async def follow(self, part: re.Match[str]) -> None:
        """Save a file or run a step."""
        text = (
            part["text"].replace(ADDRESS, self._address).replace(SOCKET, f"ws{self._address.removeprefix('http')}/ws")
        )
        if part["name"] is not None:
            (self.folder / part["name"]).write_text(text, encoding="utf-8")
        elif part[1].endswith("stays"):
            self.running.append(await self._start(text))
        else:
            process = await self._start(text)
            try:
                async with asyncio.timeout(WITHIN):
                    output, errors = await process.communicate()
            except TimeoutError:
                self.running.append(process)
                raise
            assert process.returncode == 0, errors.decode()
            assert b"Traceback" not in errors, errors.decode()
            self.printed.append(output.decode())

    async def _start(self, script: str) -> Process:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "PATH": path, "PARLOUR_PASSWORD": "wooden bishop"}
        return await asyncio.create_subprocess_exec(
            "sh", "-ec", script,
            cwd=self.folder, env=environ, stdin=PIPE, stdout=PIPE, stderr=PIPE,
            process_group=0,  # as a shell does, so that `stop` can interrupt all of it
        )  # fmt: skip

    async def stop(self) -> str:
        """Interrupt what is still running, as Ctrl-C does, and return what it wrote to standard error."""
        errors = ""
        for process in self.running:
            os.killpg(process.pid, signal.SIGINT)
            async with asyncio.timeout(WITHIN):
                errors += (await process.communicate())[1].decode()
        return errors
