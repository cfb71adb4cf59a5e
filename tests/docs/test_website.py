"""The documentation as a site: complete, without broken links and what the server's policy forbids."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from posixpath import normpath

import pytest
from docs.website import asyncapi_page, openapi_page, pages, sdk_pages
from docs.website.python_attributes import attributes
from markdown_it import MarkdownIt

from parlour import games
from parlour.client import Bot, BotConfig, Client, ConnectCode, ConnectError, Lobby, RefusedError
from parlour.server.connections.static_files import DOCS, installed_page

COMPARED = ("table", "tr", "ul", "ol", "li", "pre", "h1", "h2", "h3", "h4", "blockquote")

pytestmark = pytest.mark.usefixtures("tools")  # which builds the site


class Outline(HTMLParser):
    """The elements of a page, its links and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: Counter[str] = Counter()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in COMPARED:
            self.elements[tag] += 1
        found = dict(attrs)
        self.links += [link for name in ("href", "src") if (link := found.get(name)) is not None]
        self.anchors.add(found.get("id") or "")


def outline(html: str) -> Outline:
    parsed = Outline()
    parsed.feed(html)
    return parsed


@cache
def site() -> dict[str, str]:
    """Return the HTML of each page by its path, which ends with a slash."""
    folder = installed_page(DOCS)
    assert folder is not None
    return {
        f"/{path.parent.relative_to(folder).as_posix()}/".replace("/./", "/"): path.read_text("utf-8")
        for path in folder.rglob("*.html")
    }


def test_every_document_is_a_page() -> None:
    """The site has the documents for every audience, the rules of every game, and what is generated."""
    expected = {f"/{path.stem.lower()}/" for path in (pages.ROOT / "docs").glob("*.md") if path.stem != "README"}
    expected |= {f"/rules/{key}/" for key in games.keys()}
    expected |= {"/", "/asyncapi/", "/clients/", "/contributing/", "/changelog/", "/protocol/vectors/"}

    assert sorted(expected - set(site())) == []


def test_no_link_is_broken() -> None:
    """Every link leads to a page or a file of the site, or to the lobby above it, and every anchor exists."""
    folder = installed_page(DOCS)
    assert folder is not None
    anchors = {path: outline(html).anchors for path, html in site().items()}
    broken = []
    for page, html in site().items():
        for link in outline(html).links:
            path, _, anchor = link.partition("#")
            if path.startswith(("https:", "http:", "mailto:")):
                continue
            goal = normpath(PurePosixPath("/docs") / page.strip("/") / path) if path else f"/docs{page}"
            if goal == "/":
                continue  # the lobby
            inside = goal.removeprefix("/docs").strip("/")
            found = f"/{inside}/" if inside else "/"
            exists = found in anchors or (folder / inside).is_file()
            if not exists or (anchor and anchor not in anchors.get(found, set())):
                broken.append(f"{page}: {link}")
    assert broken == []


def test_nothing_is_inline_and_nothing_is_elsewhere() -> None:
    """No page has an inline script or style, which the server's policy forbids, or loads anything from another host."""
    for page, html in site().items():
        assert re.search(r"<style|\sstyle=|<script(?![^>]* src=)|\son\w+=\"", html) is None, page
        loaded = re.findall(r"<(?:script|img|link)[^>]* (?:src|href)=\"([^\"]+)\"", html)
        assert [address for address in loaded if "//" in address] == [], page


def test_pages_have_the_structure_of_their_documents() -> None:
    """Lists, tables and code are those that CommonMark, and so GitHub, finds in the text of a page."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    for path, text in pages.collect().pages.items():
        name = PurePosixPath(path)
        page = f"/{name.parent if name.stem == 'README' else name.with_suffix('')}/".replace("/./", "/")
        article = site()[page].partition("<article>")[2].partition("</article>")[0]
        assert outline(article).elements == outline(markdown.render(text)).elements, path


def test_the_navigation_is_by_audience() -> None:
    """Each page shows the sections of the start page, and its own place in them."""
    sections = re.findall(r"^## (.+)$", (pages.ROOT / pages.START).read_text("utf-8"), re.MULTILINE)
    html = site()["/protocol/"]

    assert re.findall(r"<section>\s*<h2>(.+?)</h2>", html) == sections
    assert '<a href="./" aria-current="page">The protocol</a>' in html


def test_the_search_finds_every_page() -> None:
    """The index has the text of each page and of its sections."""
    folder = installed_page(DOCS)
    assert folder is not None
    index = json.loads((folder / "search" / "search_index.json").read_text("utf-8"))
    found = {f"/{entry['location'].partition('#')[0]}" for entry in index["docs"]}

    assert found == set(site())
    assert any("retry_after" in entry["text"] for entry in index["docs"])


def test_links_to_source_code_are_text() -> None:
    """A server does not serve its source, so the label stays without a link."""
    text, linked = pages.rewritten(
        "See [the archive](../server/parlour/server/archive) and [lobby](lobby.md#x).\n\n```text\n[a](b)\n```\n",
        PurePosixPath("docs/records.md"),
    )
    assert text == "See the archive and [lobby](lobby.md#x).\n\n```text\n[a](b)\n```\n"
    assert linked == [PurePosixPath("docs/lobby.md")]


@pytest.mark.parametrize("path", [sdk_pages.DOCS / "python-sdk.md", sdk_pages.DOCS / "typescript-sdk.md"], ids=str)
def test_the_references_of_the_sdks_are_current(path: Path) -> None:
    """They have what the sources say now; `make publish` writes them."""
    assert path.read_text("utf-8") == sdk_pages.pages()[path]


def test_signatures_are_python() -> None:
    """Every block of the Python reference can be parsed, with the quotes of its defaults."""
    page = (sdk_pages.DOCS / "python-sdk.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(?:async def|def|class) (\w+\(.*?)\n```", page, re.MULTILINE | re.DOTALL)
    signatures = [block for block in blocks if not block.partition("\n")[0].endswith(":")]
    for signature in signatures:
        ast.parse(f"def {signature}: ...")

    assert len(signatures) > 100
    assert "seat: SeatPreference = 'any'" in page


def test_attributes_are_read_from_the_source() -> None:
    """Fields, what `__init__` sets and members of enums, with the types and the comments of the source."""
    assert ("games", "tuple[str, ...]", "their keys; empty: every game of the server") in attributes(BotConfig)
    assert ("seeks", "dict[str, OpenSeek]", "by id, oldest first") in attributes(Lobby)
    assert ("records", "Records", "finished games") in attributes(Client)
    assert ("code", "ConnectCode", "") in attributes(ConnectError)
    assert [each for each in attributes(RefusedError) if each.name == "code"] == [
        ("code", "", "a text, as it was received")
    ]
    assert [each.name for each in attributes(ConnectCode)] == [code.name for code in ConnectCode]
    assert attributes(Bot) == []


def test_asyncapi_is_shown() -> None:
    """The page has every operation with its replies, every message with an example, and every schema."""
    document = json.loads((pages.ROOT / "docs" / "protocol.asyncapi.json").read_text("utf-8"))
    text = asyncapi_page.text(json.dumps(document))

    assert "| `sync` | receive | [sync](#sync) | [ok](#ok), [room](#room), [refused](#refused) |" in text
    for kind in ("messages", "schemas"):
        assert all(f"\n### {name}\n" in text for name in document["components"][kind])


OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "Parlour", "version": "1.0.0"},
    "servers": [{"url": "/api/v1"}],
    "paths": {
        "/games/{room}": {
            "parameters": [{"$ref": "#/components/parameters/room"}],
            "get": {
                "summary": "Return the record of a game.",
                "parameters": [{"name": "moves", "in": "query", "schema": {"type": "boolean", "default": True}}],
                "responses": {
                    "200": {
                        "description": "The record.",
                        "content": {
                            "application/json": {
                                "schema": {"$ref": "#/components/schemas/Record"},
                                "example": {"room": "aB3dEf"},
                            }
                        },
                    },
                    "404": {"description": "There is no such game."},
                },
            },
            "post": {
                "summary": "Play a move.",
                "security": [{"token": ["play"]}],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["ply"],
                                "properties": {
                                    "ply": {"type": "integer", "description": "How many moves have been played."},
                                    "move": {"type": "string", "default": ""},
                                },
                            }
                        }
                    },
                },
                "responses": {"200": {"description": "Done."}},
            },
        }
    },
    "components": {
        "parameters": {
            "room": {"name": "room", "in": "path", "required": True, "schema": {"type": "string", "maxLength": 24}}
        },
        "schemas": {
            "Record": {
                "description": "The record of a game.",
                "type": "object",
                "required": ["room"],
                "properties": {
                    "room": {"type": "string", "description": "Its id."},
                    "winner": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 1}, {"type": "null"}]},
                    "moves": {"type": "array", "items": {"$ref": "#/components/schemas/Move"}, "default": []},
                },
            },
            "Move": {"type": "array", "prefixItems": [{"type": "string", "title": "move"}]},
        },
    },
}


def test_openapi_is_shown() -> None:
    """The page has operations with parameters, responses and examples, and schemas with links between them."""
    text = openapi_page.text(json.dumps(OPENAPI))

    assert "\n\nAll paths are below `/api/v1`.\n\n" in text
    assert "| [`GET /games/{room}`](#get-gamesroom) | Return the record of a game. |" in text
    assert "| `room` | path | string (at most 24 characters) | required |  |" in text
    assert "| `moves` | query | boolean | `true` |  |" in text
    assert "| `200` | The record. | `application/json` [Record](#record) |" in text
    assert '```json\n{"room": "aB3dEf"}\n```' in text
    assert "Play a move.\n\nNeeds a token with the scope `play`.\n\n" in text
    assert text.count("Needs a token") == 1
    assert "\n\nBody: `application/json` object.\n\n" in text
    assert "| `ply` | integer | required | How many moves have been played. |" in text
    assert '| `move` | string | `""` |  |' in text
    assert "| `winner` | integer (0 to 1) or null | optional |  |" in text
    assert "| `moves` | array of [Move](#move) | `[]` |  |" in text
