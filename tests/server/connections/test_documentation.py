"""The documentation is read when it is first asked for, and served below /docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.server.connections.documentation import Documentation, is_documentation
from parlour.server.connections.http import SECURITY_HEADERS, Routes
from parlour.server.connections.site import Site
from tests.server.connections.conftest import Raw, Serve
from tests.server.connections.raw_client import request
from tests.server.connections.test_http import ask


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "index.html").write_text('<a href="protocol/">start</a>')
    (tmp_path / "protocol" / "index.html").write_text("protocol")
    (tmp_path / "site.css").write_text("a{}")
    return tmp_path


async def test_files_are_found_by_their_paths(folder: Path) -> None:
    """A page is its folder, which ends with a slash; files are read once."""
    site = Documentation(folder)
    start = await site.find("/docs/")
    assert start is not None
    assert start.body == b'<a href="protocol/">start</a>'
    assert await site.find("/docs/site.css") is not None
    assert await site.find("/docs/protocol") is None
    assert await site.is_folder("/docs/protocol")
    assert await site.is_folder("/docs")
    assert not await site.is_folder("/docs/nothing")
    (folder / "index.html").write_text("changed")
    assert await site.find("/docs/") == start


def test_only_paths_below_docs_belong_to_it() -> None:
    """A path that only begins with the same letters does not."""
    assert [path for path in ("/docs", "/docs/", "/docs/x", "/docsx", "/", "/x/docs") if is_documentation(path)] == [
        "/docs", "/docs/", "/docs/x",
    ]  # fmt: skip


async def test_the_documentation_is_served(folder: Path, serve: Serve, raw: Raw, direct: bool) -> None:
    """Pages have the policy of all responses and can be kept by browsers; a missing slash is added below any prefix."""
    transport = await serve(routes=Routes(docs=folder), site=Site("/parlour"), direct=direct)
    page = await ask(raw, transport, request("/docs/"))
    assert (page.status, page.body) == (200, b'<a href="protocol/">start</a>')
    assert page.headers["Content-Security-Policy"] == SECURITY_HEADERS["Content-Security-Policy"]
    assert page.headers["ETag"]
    assert (await ask(raw, transport, request("/parlour/docs/protocol/"))).body == b"protocol"

    for path, location in {"/docs": "docs/", "/parlour/docs": "docs/", "/docs/protocol": "protocol/"}.items():
        moved = await ask(raw, transport, request(path))
        assert (moved.status, moved.headers["Location"]) == (308, location)
    assert (await ask(raw, transport, request("/docs/nothing"))).error == "not_found"


async def test_a_folder_that_cannot_be_read(tmp_path: Path, serve: Serve, raw: Raw) -> None:
    """The request fails; the server goes on."""
    transport = await serve(routes=Routes(docs=tmp_path / "gone"))
    assert (await ask(raw, transport, request("/docs/"))).error == "internal"
