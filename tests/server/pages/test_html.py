"""The HTML of pages."""

from __future__ import annotations

from parlour.server.pages.content import simple
from parlour.server.pages.html import PageText, complete

TEMPLATE = """<html>
  <head>
    <meta name="description" content="Default" />
    <title>Parlour</title>
    <script src="/app.js"></script>
  </head>
  <body><div id="app"><main></main></div></body>
</html>
"""


def test_texts_are_data_never_markup() -> None:
    """Whatever a player is called, it stays text in the head, in the content and in the data of the script."""
    name = '</title></script><script>alert("1")</script>'
    html = complete(TEMPLATE, PageText(name, name, data=f'{{"name":"{name}"}}', content=simple(name, name, home="/")))

    assert "<script>alert" not in html
    assert html.count("<script") == html.count("</script>") == 2
    assert html.count("</title>") == 1


def test_a_link_has_everything_that_services_show() -> None:
    """Title, description, address and picture replace the defaults; the rest of the page stays."""
    html = complete(TEMPLATE, PageText("A game", "Of two.", "http://x/game/a", "http://x/pictures/game/a.png"))

    assert "<title>A game · Parlour</title>" in html
    assert html.count('name="description"') == 1
    for tag in (
        '<meta property="og:title" content="A game" />',
        '<meta property="og:description" content="Of two." />',
        '<meta property="og:url" content="http://x/game/a" />',
        '<meta property="og:image" content="http://x/pictures/game/a.png" />',
        '<meta name="twitter:card" content="summary_large_image" />',
    ):
        assert tag in html
    assert '<script src="/app.js"></script>' in html
    assert "noindex" not in html


def test_a_page_without_a_picture_names_none() -> None:
    """Services then show the text alone, and a private page is not listed by search engines."""
    html = complete(TEMPLATE, PageText("Parlour", "Games.", is_indexed=False))

    assert "og:image" not in html
    assert '<meta name="robots" content="noindex" />' in html
    assert "<title>Parlour</title>" in html


def test_a_page_of_another_kind_is_left_alone() -> None:
    """An operator may serve a page of their own."""
    assert complete("<p>Closed</p>", PageText("A", "B")) == "<p>Closed</p>"
