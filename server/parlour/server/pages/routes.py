"""The HTTP endpoints of pages: their HTML, and the pictures of links to them."""

from __future__ import annotations

from collections import OrderedDict
from http import HTTPStatus
from urllib.parse import quote

import msgspec

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.connections.http import HttpReply, HttpRequest
from parlour.server.limits.costs import PAGE_COST, PICTURE_COST
from parlour.server.node import Node
from parlour.server.pages import content
from parlour.server.pages.html import PageText, complete
from parlour.server.pages.link_image import render
from parlour.server.pages.page_info import PageDirectory, PageInfo, picture_path
from parlour.server.store.errors import StoreUnavailable

HTML_TYPE = "text/html; charset=utf-8"
PICTURES = "/pictures/"
PICTURE_CACHE = "public, max-age=300"  # the position of a running game changes soon
CACHED_PICTURES = 100  # of about 35 kB


class PageRoutes:
    """Answers requests for pages and their pictures.

    `template` is the HTML of the built page, `path_prefix` the path below which users reach the server, `public_url`
    its address if an operator has set it; else it is taken from each request.
    """

    def __init__(self, node: Node, template: str, path_prefix: str, public_url: str | None) -> None:
        self._node = node
        self._template = template
        self._prefix = path_prefix
        self._public_url = None if public_url is None else public_url.rstrip("/")
        self._directory = PageDirectory(node, path_prefix)
        self._pictures: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    async def page(self, request: HttpRequest) -> HttpReply:
        """Return the HTML of any path. Whatever happens, it is a page whose script can show the rest."""
        path = request.rest
        try:
            info = await self._info(path, request.address)
        except (Refusal, StoreUnavailable, ArchiveUnavailable):
            info = self._directory.lobby  # the script explains what is wrong
        base = self._base(request)
        is_found = info.status == HTTPStatus.OK
        text = PageText(
            title=info.title,
            description=info.description,
            url=base + quote(path) if is_found else "",
            picture=base + picture_path(path) if is_found and info.picture is not None else "",
            content=info.content or content.simple(info.title, info.description, home=f"{self._prefix}/"),
            data=msgspec.json.encode({**self._directory.data, **info.data}).decode(),
            is_indexed=info.is_indexed,
        )
        return HttpReply(complete(self._template, text).encode(), HTML_TYPE, info.status, "no-cache")

    async def picture(self, request: HttpRequest) -> HttpReply:
        """Return the picture of a page as PNG."""
        path = request.rest.removesuffix(".png")
        try:
            info = await self._info("" if path == "lobby" else path, request.address)
            if info.picture is None or path == request.rest:
                raise Refusal(ErrorCode.RECORD_UNKNOWN, "There is no such picture. Check the link.")
            drawn = await self._draw(path, info, request.address)
        except (StoreUnavailable, ArchiveUnavailable):
            raise Refusal(ErrorCode.TRY_AGAIN, "The store does not answer. Try again in a few seconds.") from None
        return HttpReply(drawn, "image/png", cache_control=PICTURE_CACHE)

    async def _info(self, path: str, address: str) -> PageInfo:
        if path == "/" or path.count("/", 1) > 0:  # the lobby, or about a game, a player or an invitation
            await self._node.accounting.charge_address(address, PAGE_COST)
        return await self._directory.find(path)

    async def _draw(self, path: str, info: PageInfo, address: str) -> bytes:
        assert info.picture is not None
        key, picture = (path, info.version), info.picture
        if key not in self._pictures:
            await self._node.accounting.charge_address(address, PICTURE_COST)
            self._pictures[key] = await self._node.compute.run(address, lambda: render(picture()))
        self._pictures.move_to_end(key)
        while len(self._pictures) > CACHED_PICTURES:
            self._pictures.popitem(last=False)
        return self._pictures[key]

    def _base(self, request: HttpRequest) -> str:
        return self._public_url or f"{request.origin}{self._prefix}"
