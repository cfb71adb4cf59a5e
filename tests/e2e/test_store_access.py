"""A node on a Redis that lets it do only what the documentation says, over TLS with a client certificate."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from parlour.client.connection import Connection
from parlour.protocol.messages import Register
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.pipeline import Pipeline
from tests.e2e.conftest import MakeServer
from tests.e2e.players import RandomPlayer
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store.tls_proxy import run_tls_proxy
from tests.waiting import WITHIN

DOCUMENT = Path(__file__).parents[2] / "docs" / "store.md"


def documented_acl() -> list[str]:
    found = re.search(r"<!-- acl -->\n```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return shlex.split(found[1].replace("PASSWORD", "hidden"))


@pytest.fixture
def valkey() -> Iterator[PrivateValkey]:
    server = PrivateValkey()
    server.start()
    yield server
    server.close()


async def test_the_documented_permissions_are_enough(
    valkey: PrivateValkey, make_server: MakeServer, tmp_path: Path
) -> None:
    """A game is played to its end and an account is created, and Redis has refused nothing."""
    operator = client(valkey.url)
    await operator.execute_command(*documented_acl())  # type: ignore[no-untyped-call]
    async with run_tls_proxy(valkey.socket, tmp_path, require_certificate=True) as proxy:
        certificate = f"ssl_certfile={proxy.certificate}&ssl_keyfile={proxy.key}"
        url = f"{proxy.url.replace('//', '//parlour:hidden@')}?ssl_ca_certs={proxy.certificate}&{certificate}"
        node = make_server("--redis", url, "--bot-workers", "1")
        await node.start()
        async with Connection([node.url]) as one, Connection([node.url]) as two:
            await one.call(Register(id=0, name="Ada", password="a long password"))
            async with asyncio.timeout(WITHIN):
                players = [RandomPlayer(each, Random(1)) for each in (one, two)]
                await asyncio.gather(*(player.play("replica") for player in players))
        assert await node.stop() == 0
    refused = await operator.acl_log()
    assert refused == []
    await operator.aclose()


async def test_a_node_without_a_certificate(valkey: PrivateValkey, tmp_path: Path) -> None:
    """It is refused where one is required, with one sentence."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the proxy logs the failed handshake
    async with run_tls_proxy(valkey.socket, tmp_path, require_certificate=True) as proxy:
        with pytest.raises(StoreUnavailable, match=r"^Redis at rediss://localhost:.* cannot be used: "):
            await Pipeline(f"{proxy.url}?ssl_ca_certs={proxy.certificate}").open(within=5)
