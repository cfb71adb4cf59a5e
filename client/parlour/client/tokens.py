"""The user's tokens, one per server, kept in a file between runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import msgspec


def config_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory for the user's own files."""
    given = environ.get("XDG_CONFIG_HOME", "")
    # The XDG specification says to ignore relative paths.
    return (Path(given) if Path(given).is_absolute() else Path.home() / ".config") / "parlour"


def profile_dir(profile: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of a profile, which has tokens and settings of its own; without a name, that of the user."""
    return config_dir(environ) / "profiles" / profile if profile else config_dir(environ)


class TokenFile:
    """Tokens by server. Only the owner can read the file. A file that is missing or broken counts as empty."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_dir() / "tokens.json"

    def get(self, server: str) -> str | None:
        """Return the token for a server, or None."""
        return self._read().get(server)

    def save(self, server: str, token: str) -> None:
        """Store a token, replacing the previous one for that server."""
        tokens = self._read()
        if tokens.get(server) != token:
            self._write({**tokens, server: token})

    def remove(self, server: str) -> None:
        """Delete the token for a server."""
        tokens = self._read()
        if tokens.pop(server, None) is not None:
            self._write(tokens)

    @contextmanager
    def used(self, server: str) -> Iterator[bool]:
        """Mark the token for a server as in use by this program; yield whether another program uses it, too.

        The mark is a lock that ends with its process. Without such locks, or a folder for them, the answer is no.
        """
        try:
            import fcntl  # noqa: PLC0415  # not on Windows

            name = sha256(server.encode()).hexdigest()[:16]
            folder = self.path.parent / "in-use"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            mark = (folder / f"{self.path.stem}-{name}.lock").open("wb")
        except (ImportError, OSError):
            yield False
            return
        with mark:
            try:
                fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                is_shared = False
            except BlockingIOError:
                is_shared = True
            fcntl.flock(mark, fcntl.LOCK_SH)
            yield is_shared

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}

    def _write(self, tokens: dict[str, str]) -> None:
        """Replace the file atomically, so that it is complete at any moment."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".tokens")  # created with mode 600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(tokens)) + b"\n")
            Path(name).replace(self.path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
