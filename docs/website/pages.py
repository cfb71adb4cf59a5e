"""Which files of the repository are on the site, and under which paths.

The site begins with docs/README.md. Every document to which links lead from there is a page, wherever it is in the
repository. The pictures and data files that pages name are copied, as are all test vectors. Links to source code, which
a server does not serve, become plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from posixpath import relpath
from typing import NamedTuple

from docs.website import asyncapi_page, openapi_page

ROOT = Path(__file__).resolve().parents[2]
START = PurePosixPath("docs/README.md")
VECTORS = ROOT / "protocol" / "vectors"

# Pages made from data, by the file that has the data. A link to the file leads to its page.
RENDERED: dict[PurePosixPath, tuple[str, Callable[[str], str]]] = {
    PurePosixPath("docs/protocol.asyncapi.json"): ("asyncapi.md", asyncapi_page.text),
    PurePosixPath("docs/http-api.openapi.json"): ("openapi.md", openapi_page.text),
}

_FENCE = re.compile(r"^( *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!`)(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_ATTRIBUTE = re.compile(r'(src|href)="([^":]+)"')
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_RULES = re.compile(r"server/parlour/games/(\w+)/rules\.md")


class Site(NamedTuple):
    """The contents of the site by path: the Markdown of pages, and files that are copied."""

    pages: dict[str, str]
    copies: dict[str, Path]


def collect() -> Site:
    """Return everything that links lead to, from the start page on."""
    pages: dict[str, str] = {}
    copies = {path.relative_to(ROOT).as_posix(): path for path in VECTORS.rglob("*.json")}
    left = [START]
    while left:
        source = left.pop()
        path = site_path(source)
        assert path is not None, source
        if path in pages or path in copies:
            continue
        file = ROOT / source
        if source in RENDERED:
            name, render = RENDERED[source]
            pages[name] = render(file.read_text("utf-8"))
        if source.suffix == ".md":
            pages[path], linked = rewritten(file.read_text("utf-8"), source)
            left += linked
        else:
            copies[path] = file
    return Site(pages, copies)


def site_path(source: PurePosixPath) -> str | None:
    """Return where a file of the repository is on the site; None if it is not there."""
    name = source.as_posix()
    if (rules := _RULES.fullmatch(name)) is not None:
        return f"rules/{rules[1]}.md"
    if source.suffix == ".md":
        if name == "README.md":
            return START.name  # the repository's front page has what the start page has
        return name.removeprefix("docs/") if source.stem == "README" else name.removeprefix("docs/").lower()
    is_example = source.parts[:2] in (("docs", "clients"), ("docs", "pictures"), ("protocol", "vectors"))
    is_schema = name.startswith("docs/") and source.suffix == ".json"
    return name.removeprefix("docs/") if is_example or is_schema else None


def rewritten(markdown: str, source: PurePosixPath) -> tuple[str, list[PurePosixPath]]:
    """Return a document with the links of the site, and the files on the site that it names."""
    linked: list[PurePosixPath] = []
    here = site_path(source)
    assert here is not None

    def target_of(link: str) -> tuple[str | None, str]:
        """Return the path on the site, None if there is none, and the anchor of a relative link."""
        path, _, anchor = link.partition("#")
        file = PurePosixPath(relpath(source.parent / path, "."))
        is_shown = (ROOT / file).is_file() and not (anchor and file.as_posix() == "README.md")
        found = site_path(file) if is_shown else None
        if found is not None:
            linked.append(START if found == START.name else file)
            if file in RENDERED:
                found = RENDERED[file][0]
        return found, f"#{anchor}" if anchor else ""

    def link(match: re.Match[str]) -> str:
        image, label, goal = match.groups()
        if goal.startswith(("#", "https:", "http:", "mailto:")):
            return match[0]
        found, anchor = target_of(goal)
        return label if found is None else f"{image}[{label}]({relpath(found, PurePosixPath(here).parent)}{anchor})"

    def attribute(match: re.Match[str]) -> str:
        name, goal = match.groups()
        found, anchor = target_of(goal)
        # HTML is not changed by MkDocs, so the address is that which a browser resolves.
        path = PurePosixPath(here)
        folder = path.parent if path.stem == "README" else path.with_suffix("")
        return match[0] if found is None else f'{name}="{relpath(found, folder)}{anchor}"'

    def prose(text: str) -> str:
        text = text.replace("<details>", '<details markdown="1">')  # with Markdown inside, as on GitHub
        return _ATTRIBUTE.sub(attribute, _LINK.sub(link, _COMMENT.sub("", text)))

    parts = _FENCE.split(markdown)
    return "".join(part if _FENCE.fullmatch(part) else prose(part) for part in parts), linked


def navigation(start: str) -> list[dict[str, list[dict[str, str]]]]:
    """Return the sections of the start page for MkDocs, each with the pages that it lists."""
    sections = []
    for section in re.split(r"^## ", start, flags=re.MULTILINE)[1:]:
        title, _, rest = section.partition("\n")
        links = {goal: label for _, label, goal in _LINK.findall(rest) if goal.endswith(".md")}
        sections.append({title: [{_capitalised(label): goal} for goal, label in links.items()]})
    return sections


def anchor(title: str, separator: str = "-") -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", separator)


def _capitalised(label: str) -> str:
    return label[:1].upper() + label[1:]
