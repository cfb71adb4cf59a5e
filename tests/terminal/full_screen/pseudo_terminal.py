"""A real pseudo-terminal with a program in it, and an emulator that says what a person would see."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pyte

from tests.waiting import WITHIN

KEYS = {"tab": "\t", "enter": "\r", "backspace": "\x7f", "escape": "\x1b", "left": "\x1b[D", "right": "\x1b[C",
        "up": "\x1b[A", "down": "\x1b[B"}  # fmt: skip

# "Synchronized output": a program may ask for it, and then says where a picture begins and ends.
ASKED, ANSWER, MODE = b"\x1b[?2026$p", b"\x1b[?2026;2$y", 2026 << 5  # pyte moves the numbers of private modes up


class PseudoTerminal:
    """`parlour play` with these arguments, in a terminal of its own. Use it as an async context manager."""

    def __init__(self, arguments: Sequence[str], home: Path, columns: int = 80, lines: int = 24) -> None:
        self._arguments = arguments
        self._home = home
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._shown: list[str] = []
        self._changed = asyncio.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._master = -1

    @property
    def _environment(self) -> Mapping[str, str]:
        return {
            "HOME": str(self._home),
            "XDG_CONFIG_HOME": str(self._home / "config"),
            "XDG_DATA_HOME": str(self._home / "data"),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "PYTHONUTF8": "1",
        }

    async def __aenter__(self) -> Self:
        self._master, slave = pty.openpty()
        self._set_size(slave)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "parlour.cli", "play", *self._arguments],
            stdin=slave, stdout=slave, stderr=slave, env=dict(self._environment), start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        await asyncio.to_thread(self._process.wait, 30)
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)

    def _set_size(self, handle: int) -> None:
        size = struct.pack("HHHH", self._screen.lines, self._screen.columns, 0, 0)
        fcntl.ioctl(handle, termios.TIOCSWINSZ, size)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has ended
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        if ASKED in data:
            os.write(self._master, ANSWER)
        self._stream.feed(data)
        if MODE not in self._screen.mode:  # what is half drawn is not shown, as good terminals do it
            self._shown = [line.rstrip() for line in self._screen.display]
            self._changed.set()

    # -- what a person sees and does

    @property
    def lines(self) -> list[str]:
        return self._shown

    @property
    def text(self) -> str:
        return "\n".join(self._shown)

    async def until(self, fits: Callable[[], bool]) -> None:
        """Wait until the screen is like that."""
        try:
            async with asyncio.timeout(WITHIN):
                while not fits():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"this is still on the screen:\n{self.text}") from None

    async def shows(self, *words: str) -> None:
        await self.until(lambda: all(word in self.text for word in words))

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode())

    def click(self, x: int, y: int) -> None:
        """A press and a release of the left button, counted from the top left corner, which is 0, 0."""
        os.write(self._master, f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m".encode())

    def resize(self, columns: int, lines: int) -> None:
        self._screen.resize(lines, columns)
        self._set_size(self._master)
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGWINCH)

    def find(self, words: str) -> tuple[int, int]:
        """Where that is on the screen: x and y of its first letter."""
        return next((line.index(words), y) for y, line in enumerate(self.lines) if words in line)

    async def exit_code(self) -> int:
        assert self._process is not None
        return await asyncio.to_thread(self._process.wait, WITHIN)
