"""The private server behind `parlour play` without a server: one for all terminals of a user.

The first terminal starts it, and every terminal holds a connection to its Unix socket, on which it is told the address.
The server stops soon after the last of these connections has been closed, however the client ended. If the server was
killed, its socket refuses connections, and the next terminal starts another one.
"""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.configuration.settings import default_data

START_TIMEOUT = 60.0  # seconds
POLL = 0.05  # seconds
IDLE_TIMEOUT = 2.0  # seconds without a terminal after which the server stops
FIRST_TIMEOUT = 30.0  # seconds that it waits for the first one

CHILD = "import sys; from parlour.cli.local_server import main; sys.exit(main(sys.argv[1], sys.argv[2:]))"
FOLDER_IN_USE = "uses the folder"  # in the message of a server whose predecessor is still stopping

_ADDRESS = re.compile(rb"ws://[^\s)]+")


# -- in the terminal


@asynccontextmanager
async def local_server(game_folders: Sequence[Path] = ()) -> AsyncIterator[tuple[str, str]]:
    """Use the user's private server, and start it if it does not run.

    Yield its address and the name under which its players are remembered. Games are kept. Servers with other game
    folders are separate.
    """
    folders = [str(folder.absolute()) for folder in game_folders]
    name = "local" if not folders else f"local-{sha256(repr(folders).encode()).hexdigest()[:8]}"
    data = default_data() / name
    data.mkdir(parents=True, exist_ok=True)
    _prepare_socket_folder(_socket_path(data).parent)
    lease, address = await _lease(data, folders)
    with lease:
        yield address, name


async def _lease(data: Path, folders: Sequence[str]) -> tuple[socket.socket, str]:
    """Return a connection that keeps the server running, and the server's address."""
    try:
        async with asyncio.timeout(START_TIMEOUT):
            while True:
                if (found := await asyncio.to_thread(_ask, data)) is not None:
                    return found
                with _starting(data) as is_first:
                    if is_first and (found := await _start(data, folders)) is not None:
                        return found
                await asyncio.sleep(POLL)
    except TimeoutError:
        raise Refusal(ErrorCode.TRY_AGAIN, "The local server does not start. It gave no reason.") from None


def _ask(data: Path) -> tuple[socket.socket, str] | None:
    """Connect to a running server and return the connection and the server's address; None if there is no server."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(_socket_path(data)))
        line = connection.makefile("rb").readline()
    except OSError:
        line = b""
    if not line.endswith(b"\n"):  # no server, or one that is stopping
        connection.close()
        return None
    return connection, line.decode().strip()


@contextmanager
def _starting(data: Path) -> Iterator[bool]:
    """Yield whether this process may start the server: only one at a time may."""
    import fcntl  # noqa: PLC0415  # not on Windows

    with (data / "starting.lock").open("wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


async def _start(data: Path, folders: Sequence[str]) -> tuple[socket.socket, str] | None:
    """Start the server and return the same as `_ask`; None if the previous server is still stopping.

    Raise Refusal if it does not start.
    """
    arguments = [argument for folder in folders for argument in ("--games", folder)]
    command = [
        sys.executable, "-c", CHILD, str(_socket_path(data)), *arguments, "serve", "--host", "127.0.0.1", "--port", "0",
        "--data", str(data), "--log-level", "error", "--stop-grace", "0", "--metrics", "off",
    ]  # fmt: skip
    log = data / "server.log"
    # Neither `subprocess` nor asyncio, which want to wait for the process: it outlives the terminal.
    pid = os.posix_spawn(
        sys.executable,
        command,
        {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        ],
        setsigdef=[signal.SIGINT],
    )
    while (found := await asyncio.to_thread(_ask, data)) is None:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            error = log.read_text(encoding="utf-8", errors="replace").strip()
            if FOLDER_IN_USE in error:
                return None
            sentence = error.removeprefix("parlour: ") or "It gave no reason."
            raise Refusal(ErrorCode.TRY_AGAIN, f"The local server does not start. {sentence}")
        await asyncio.sleep(POLL)
    return found


def _socket_path(data: Path) -> Path:
    """Return the socket of the server with this data folder. It is short, because the system limits its length."""
    digest = sha256(str(data.absolute()).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"parlour-{os.getuid()}" / f"{digest}.sock"


def _prepare_socket_folder(folder: Path) -> None:
    """Create the folder. Refuse one that another user has created, in a folder that all users share."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise Refusal(ErrorCode.TRY_AGAIN, f"{folder} belongs to another user. Set TMPDIR to a folder of your own.")
    folder.chmod(0o700)


# -- in the process of the server


def main(path: str, arguments: Sequence[str]) -> int:
    """Run `parlour serve` with these arguments until no terminal is connected to the socket at `path` any more."""
    from parlour import cli  # noqa: PLC0415  # which imports this module

    os.setsid()  # so that neither Ctrl-C nor a closed terminal stops it
    os.chdir(Path(path).parent)  # so that it ignores a parlour.toml in the current folder
    reading, writing = os.pipe()
    os.dup2(writing, sys.stdout.fileno())  # the server prints its address when it is ready
    threading.Thread(target=_serve_terminals, args=(Path(path), reading), daemon=True).start()
    return cli.main(arguments)


def _serve_terminals(path: Path, output: int) -> None:
    """Tell terminals the address, and stop this process when the last of them is gone."""
    found = _ADDRESS.search(os.fdopen(output, "rb").readline())
    if found is None:
        return
    new_path = path.with_suffix(f".{os.getpid()}")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(new_path))
        listening.listen()
        new_path.rename(path)  # replaces the socket of a server that was killed
        _wait_until_unused(listening, found[0] + b"\n")
        path.unlink(missing_ok=True)
    # A terminal that connected meanwhile was told nothing, and starts another server.
    os.kill(os.getpid(), signal.SIGTERM)


def _wait_until_unused(listening: socket.socket, line: bytes) -> None:
    terminals: set[socket.socket] = set()
    timeout = FIRST_TIMEOUT
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        while ready := selector.select(None if terminals else timeout):
            timeout = IDLE_TIMEOUT
            for key, _ in ready:
                if key.fileobj is listening:
                    terminal, _ = listening.accept()
                    terminal.sendall(line)
                    selector.register(terminal, selectors.EVENT_READ)
                    terminals.add(terminal)
                elif isinstance(key.fileobj, socket.socket) and not _is_open(key.fileobj):
                    selector.unregister(key.fileobj)
                    terminals.remove(key.fileobj)
                    key.fileobj.close()


def _is_open(terminal: socket.socket) -> bool:
    try:
        return bool(terminal.recv(64))
    except OSError:
        return False
