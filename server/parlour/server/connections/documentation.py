"""The files of the documentation, which are read when they are first asked for: most nodes never are."""

from __future__ import annotations

import asyncio
from pathlib import Path

from parlour.server.connections.static_files import File, Files, load

DOCS_PATH = "/docs"


class Documentation:
    """The site in a folder, as it is served below `DOCS_PATH`. Its pages refer to each other by relative paths."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: Files | None = None
        self._reading = asyncio.Lock()

    async def find(self, path: str) -> File | None:
        """Return the file at a path of the server; None if none. Raise OSError if it cannot be read."""
        return (await self._read()).get(path.removeprefix(DOCS_PATH))

    async def is_folder(self, path: str) -> bool:
        """Return whether a path lacks only the slash at its end."""
        return f"{path.removeprefix(DOCS_PATH)}/" in await self._read()

    async def _read(self) -> Files:
        async with self._reading:
            if self._files is None:
                self._files = await asyncio.to_thread(load, self._folder)
            return self._files


def is_documentation(path: str) -> bool:
    """Return whether a path belongs to the documentation."""
    return path == DOCS_PATH or path.startswith(f"{DOCS_PATH}/")
