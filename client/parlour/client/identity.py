"""Who somebody is on which server, kept in a file between two runs of a program."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec


def config_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where programs of Parlour keep what belongs to the user."""
    given = environ.get("XDG_CONFIG_HOME", "")
    # A path that is not absolute is to be ignored, says the XDG specification.
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".config") / "parlour"


class Identities:
    """The tokens of one user, by server. Nobody else can read the file. One that cannot be read counts as empty."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_folder() / "tokens.json"

    def token(self, server: str) -> str | None:
        """What to say hello with; None: nobody was here before."""
        return self._read().get(server)

    def keep(self, server: str, token: str) -> None:
        """Remember it, in place of what was known for that server."""
        tokens = self._read()
        if tokens.get(server) != token:
            self._write({**tokens, server: token})

    def forget(self, server: str) -> None:
        """Be nobody there."""
        tokens = self._read()
        if tokens.pop(server, None) is not None:
            self._write(tokens)

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}

    def _write(self, tokens: dict[str, str]) -> None:
        """Written beside and moved into place, so that the file is whole at any moment."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".tokens")  # for the owner alone, mode 600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(tokens)) + b"\n")
            Path(name).replace(self.path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
