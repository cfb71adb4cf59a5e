"""The HTML of a page: the built page, with what a reader sees before its script runs. Pure."""

from __future__ import annotations

from html import escape

from msgspec import Struct

from parlour.server.pages.link_image import HEIGHT, WIDTH

MAIN = "<main></main>"  # in the built page: the place of the content
HEAD_END, BODY_END = "</head>", "</body>"


class PageText(Struct, frozen=True):
    """What the HTML of a page says. Texts are plain, not markup."""

    title: str
    description: str
    url: str = ""  # the absolute address of the page
    picture: str = ""  # the absolute address of its picture, if it has one
    content: str = "<main></main>"  # the main element, as markup
    data: str = ""  # JSON for the script
    is_indexed: bool = True  # whether search engines should list the page


def complete(template: str, text: PageText) -> str:
    """Return the HTML of a page. A template without a title is not the built page and is returned as it is."""
    if "<title>" not in template:
        return template
    title = "Parlour" if text.title == "Parlour" else f"{text.title} · Parlour"
    start, _, rest = template.partition("<title>")
    head = f"{_without_description(start)}<title>{escape(title)}</title>{rest.partition('</title>')[2]}"
    data = ""
    if text.data:
        # Not a script that runs. A `<` inside JSON can only be part of a text, where the escape means the same.
        escaped = text.data.replace("<", "\\u003c")
        data = f'<script type="application/json" id="page-data">{escaped}</script>'
    head = head.replace(HEAD_END, f"{_metadata(text, title)}{HEAD_END}", 1)
    return head.replace(MAIN, text.content, 1).replace(BODY_END, f"{data}{BODY_END}", 1)


def _metadata(text: PageText, title: str) -> str:
    properties = {
        "og:site_name": "Parlour",
        "og:type": "website",
        "og:title": text.title,
        "og:description": text.description,
        "og:url": text.url,
        "og:image": text.picture,
        "og:image:width": str(WIDTH) if text.picture else "",
        "og:image:height": str(HEIGHT) if text.picture else "",
        "og:image:alt": title if text.picture else "",
    }
    names = {
        "description": text.description,
        "twitter:card": "summary_large_image" if text.picture else "summary",
        "robots": "" if text.is_indexed else "noindex",
    }
    tags = [f'<meta name="{name}" content="{escape(value)}" />' for name, value in names.items() if value]
    tags += [f'<meta property="{name}" content="{escape(value)}" />' for name, value in properties.items() if value]
    return "".join(f"  {tag}\n  " for tag in tags)


def _without_description(head: str) -> str:
    """Return the start of the built page without the description that it has by default."""
    return "\n".join(line for line in head.split("\n") if 'name="description"' not in line)
