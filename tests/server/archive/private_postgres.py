"""A PostgreSQL of the tests' own: an ordinary process in a temporary folder, on a Unix socket."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Any

from sqlalchemy import URL, create_engine, text
from sqlalchemy.exc import OperationalError

from tests.waiting import PAUSE, WITHIN

SYSTEM_USER = "postgres"  # PostgreSQL refuses to run as root
OPTIONS = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60", "-c", "shared_buffers=32MB")


class PrivatePostgres:
    """A server that can be stopped and started again, like one that an operator restarts."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="pg-"))  # the path of a Unix socket must be short
        self._data = self.folder / "data"
        self._bin = _programs()
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(SYSTEM_USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        initdb: list[str | Path] = [
            self._bin / "initdb",
            "-D",
            self._data,
            "-U",
            "parlour",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        subprocess.run(initdb, check=True, capture_output=True, cwd=self.folder, **self._as)

    def url(self, database: str) -> URL:
        return URL.create("postgresql", "parlour", database=database, query={"host": str(self.folder)})

    def start(self) -> None:
        """Start, and wait until it accepts connections."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, "-k", self.folder, *OPTIONS],
                cwd=self.folder, stdout=log, stderr=log, **self._as,
            )  # fmt: skip
        end = monotonic() + WITHIN
        while not self._accepts():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert monotonic() < end, "PostgreSQL does not start"
            sleep(PAUSE)

    def stop(self) -> None:
        """Stop at once; clients see their connections closed."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.wait()

    def new_database(self) -> URL:
        """Return the address of an empty database."""
        name = f"test{next(self._numbers)}"
        self._execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accepts(self) -> bool:
        try:
            self._execute("SELECT 1")
        except OperationalError:
            return False
        return True

    def _execute(self, statement: str) -> None:
        engine = create_engine(self.url("postgres").set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                connection.execute(text(statement))
        finally:
            engine.dispose()


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs, which Debian does not put on the PATH."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    assert folders, "PostgreSQL is not installed; `make tools` installs it"
    return folders[-1]
