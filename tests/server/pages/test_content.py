"""The content of pages before their script has run."""

from __future__ import annotations

from parlour import games
from parlour.games.rulebook import Rulebook, rulebook
from parlour.server.game_queries.game_info import game_card
from parlour.server.game_queries.lessons import lesson_of
from parlour.server.pages import content


def test_the_lobby_shows_every_game() -> None:
    """Each game has its name and summary, and the first one is chosen."""
    html = content.lobby([game_card(key) for key in games.keys()])

    for key in games.keys():
        assert f"<b>{games.find(key).info.name}</b>" in html
    assert html.count(" checked") == 1


def test_rules_have_room_for_their_boards() -> None:
    """An image that names an example becomes an empty drawing with the size and the description of the board."""
    book = rulebook("mapello")
    html = content.rules([game_card("mapello")], "mapello", book, "/prefix")

    assert html.count("<figure>") == len(book.examples)
    assert "<img" not in html
    assert '<div class="pictures"><figure><div class="board"><svg viewBox="0 0 1088 1088"' in html
    assert '<a href="/prefix/rules/mapello" aria-current=page>' in html


def test_html_in_rules_stays_text() -> None:
    """The rules of a game from elsewhere cannot run anything in the page."""
    book = Rulebook("# Halma\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![y](pictures/none.svg)\n", ())
    html = content.rules([], "halma", book, "")

    assert "<script" not in html
    assert 'href="javascript' not in html
    assert "<figure" not in html


def test_a_lesson_shows_its_first_step() -> None:
    """The first task, the board and the number of steps are known at once."""
    taught = lesson_of("replica")
    html = content.lesson(taught)

    assert f"<h1>{taught.steps[0].title}</h1>" in html
    assert html.count("<li>") == len(taught.steps)


def test_an_invitation_shows_its_terms() -> None:
    """Names are text, never markup."""
    board = lesson_of("isaac").board
    html = content.invitation("<b>fern</b> invites you", "A game.", {"Clock": "no clock"}, board)

    assert "<h1>&lt;b&gt;fern&lt;/b&gt; invites you</h1>" in html
    assert "<dt>Clock</dt><dd>no clock</dd>" in html
