"""Programs in a real tmux: what a person types there, and what is on the screen."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.waiting import until


class Tmux:
    """A tmux server of its own. Use it as a context manager; leaving it ends every program in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "tmux"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.run("kill-server", check=False)

    def run(self, *arguments: str, check: bool = True) -> str:
        """Run a tmux command and return what it prints."""
        command = ["tmux", "-f", "/dev/null", "-S", str(self._socket), *arguments]
        return subprocess.run(command, check=check, capture_output=True, encoding="utf-8").stdout

    def play(self, name: str, *arguments: str, columns: int = 80, lines: int = 24) -> Screen:
        """Run `parlour play` in a window of its own, as a user of its own."""
        home = self._folder / name
        home.mkdir(exist_ok=True)
        environment = {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
        }
        command = ["env", "-i", *(f"{key}={value}" for key, value in environment.items()), "TERM=screen-256color"]
        command += [sys.executable, "-m", "parlour.cli", "play", *arguments]
        self.run("new-session", "-d", "-s", name, "-x", str(columns), "-y", str(lines), shlex.join(command))
        return Screen(self, name)


class Screen:
    """One window."""

    def __init__(self, tmux: Tmux, name: str) -> None:
        self._tmux = tmux
        self._name = name

    @property
    def text(self) -> str:
        return self._tmux.run("capture-pane", "-p", "-t", self._name)

    def press(self, *keys: str) -> None:
        """Press keys, named as tmux names them."""
        self._tmux.run("send-keys", "-t", self._name, *keys)

    def type(self, text: str) -> None:
        """Type text, all of which arrives at once."""
        self._tmux.run("send-keys", "-t", self._name, "-l", text)

    async def shows(self, *words: str) -> str:
        """Wait until all of these words are on the screen, and return its text."""
        shown = ""

        def fits() -> bool:
            nonlocal shown
            shown = self.text
            return all(word in shown for word in words)

        try:
            await until(fits)
        except TimeoutError:
            raise AssertionError(f"{self._name} does not show {words}:\n{shown}") from None
        return shown
