"""Pages and pictures over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.connections.http import HttpReply, HttpRequest
from parlour.server.pages.routes import PageRoutes
from tests.server.running_node import RunningNode, running_node

TEMPLATE = '<html><head><title>Parlour</title></head><body><div id="app"><main></main></div></body></html>'


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    own = (ip_network("127.0.0.0/8"),)
    async with running_node(valkey, unlimited_networks=own, processor_rate=0.2, players_per_address=1) as running:
        yield running


def routes(node: RunningNode, public_url: str | None = None) -> PageRoutes:
    return PageRoutes(node.node, TEMPLATE, "/prefix", public_url)


def request(path: str, address: str = "127.0.0.1") -> HttpRequest:
    return HttpRequest(path, {}, address, origin="http://host")


def text(reply: HttpReply) -> str:
    return reply.body.decode()


async def test_a_page_names_its_address_and_picture_below_the_prefix(node: RunningNode) -> None:
    """The address is that of the request, or the one that the operator has set."""
    page = await routes(node).page(request("/rules/isaac"))
    assert (page.status, page.content_type) == (200, "text/html; charset=utf-8")
    assert 'content="http://host/prefix/pictures/rules/isaac.png"' in text(page)
    assert '<a href="/prefix/rules/mapello">Mapello</a>' in text(page)
    public = await routes(node, "https://games.example/prefix/").page(request("/rules/isaac"))
    assert 'content="https://games.example/prefix/rules/isaac"' in text(public)


async def test_a_missing_page_has_the_status_404_and_a_way_out(node: RunningNode) -> None:
    """It says what is missing, links to the lobby, and is not indexed."""
    page = await routes(node).page(request("/players/Nemo"))
    assert page.status == 404
    assert "There is no player named Nemo" in text(page)
    assert 'href="/prefix/"' in text(page)
    assert "noindex" in text(page)


async def test_a_page_is_served_even_without_the_store(node: RunningNode) -> None:
    """Its script can then tell the player what is wrong."""
    await node.store.close()
    page = await routes(node).page(request("/table/x"))
    assert page.status == 200
    with pytest.raises(Refusal) as refused:
        await routes(node).picture(request("table/x.png"))
    assert refused.value.code is ErrorCode.TRY_AGAIN


async def test_pictures_are_drawn_once_and_charged_to_the_address(node: RunningNode) -> None:
    """A picture that is known costs nothing; an address cannot make the server draw without end."""
    pages = routes(node)
    first = await pages.picture(request("rules/isaac.png", "192.0.2.1"))
    assert first.content_type == "image/png"
    assert first.body.startswith(b"\x89PNG")
    with pytest.raises(Refusal) as refused:
        await pages.picture(request("rules/mapello.png", "192.0.2.1"))
    assert refused.value.code is ErrorCode.OVER_BUDGET
    assert (await pages.picture(request("rules/isaac.png", "192.0.2.1"))).body is first.body
    for missing in ("rules/isaac", "rules/halma.png", "no.png"):
        with pytest.raises(Refusal):
            await pages.picture(request(missing))
