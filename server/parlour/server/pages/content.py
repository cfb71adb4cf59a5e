"""The main content of pages as HTML, visible before the script runs. Pure.

The markup is that of the browser client, so that nothing moves when its script takes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from parlour.games.rulebook import Rulebook
from parlour.protocol.messages import Lesson
from parlour.protocol.scene import BoardSpec
from parlour.protocol.types import GameCard

# The drawing units of the browser client: the longer inner side of a board, and the frame around it.
SIDE, FRAME = 1000, 44


def simple(heading: str, *paragraphs: str, home: str) -> str:
    """Return a heading and paragraphs, with a link to the lobby."""
    texts = "".join(f"<p>{escape(each)}</p>" for each in paragraphs)
    link = f'<a class="button primary" href="{escape(home)}">Back to the lobby</a>'
    return f'<main id="content" class="page narrow"><h1>{escape(heading)}</h1>{texts}{link}</main>'


def lobby(cards: Iterable[GameCard]) -> str:
    """Return the games to choose from."""
    cards = tuple(cards)
    games = "".join(
        '<label class="game">'
        f'<input type="radio" name="game" value="{escape(card.key)}"{" checked" if n == 0 else ""} />'
        f'<span class="picture"></span><b>{escape(card.name)}</b><small>{escape(card.summary)}</small>'
        '<small class="count"></small></label>'
        for n, card in enumerate(cards)
    )
    column = (
        f'<h1>Choose a game</h1><div class="games" role="radiogroup" aria-label="Game">{games}</div>'
        f'<p class="muted chosen-summary" aria-hidden="true">{escape(cards[0].summary) if cards else ""}</p>'
    )
    return f'<main id="content" class="page lobby"><div class="column">{column}</div></main>'


def rules(cards: Iterable[GameCard], key: str, book: Rulebook, path_prefix: str) -> str:
    """Return the rules of a game, with room for the boards of its examples."""
    links = "".join(
        f'<a href="{path_prefix}/rules/{escape(card.key)}"{" aria-current=page" if card.key == key else ""}>'
        f"{escape(card.name)}</a>"
        for card in cards
    )
    boards = {example.name: example.board for example in book.examples}
    text = _markdown.render(book.text, {"boards": boards})
    nav = f'<nav class="rules-nav" aria-label="Games">{links}</nav>'
    return f'<main id="content" class="page rules">{nav}<article>{text}</article></main>'


def lesson(taught: Lesson) -> str:
    """Return the first step of a lesson, and the number of steps."""
    steps = "".join(f'<li><button type="button">{n}</button></li>' for n in range(1, len(taught.steps) + 1))
    first = taught.steps[0]
    return (
        f'<main id="content" class="lesson">'
        f'<nav class="lesson-steps" aria-label="Steps of the lesson"><ol>{steps}</ol></nav>'
        f'<div class="lesson-board">{_board(taught.board)}</div>'
        f'<section class="card lesson-card" aria-label="Task"><div class="lesson-text"><h1>{escape(first.title)}</h1>'
        f"<p>{escape(first.prompt)}</p></div></section></main>"
    )


def study(title: str, board: BoardSpec) -> str:
    """Return the analysis board, without its pieces."""
    heading = f'<h1 class="visually-hidden">{escape(title)}</h1>'
    return f'<main id="content" class="page replay-page">{heading}<div class="stage study">{_board(board)}</div></main>'


def invitation(title: str, summary: str, facts: Mapping[str, str], board: BoardSpec) -> str:
    """Return an invitation: its host, its game and its terms."""
    terms = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return (
        f'<main id="content" class="page join"><div class="card invited-to"><div class="stage">{_board(board)}</div>'
        f'<div class="details"><h1>{escape(title)}</h1><p class="muted summary">{escape(summary)}</p>'
        f"<dl>{terms}</dl></div></div></main>"
    )


def _board(spec: BoardSpec, label: str = "Board") -> str:
    """Return an empty drawing with the size of a board."""
    unit = SIDE / max(spec.columns, spec.rows)
    width, height = (unit * count + 2 * FRAME for count in (spec.columns, spec.rows))
    svg = f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}"></svg>'
    return f'<div class="board">{svg}</div>'


def _in_rows(state: StateCore) -> None:
    """Make a row of boards of each paragraph that has only images."""
    for opening, inline, closing in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        parts = [part for part in inline.children or () if part.type == "image" or part.content.strip()]
        if opening.type == "paragraph_open" and parts and all(part.type == "image" for part in parts):
            opening.tag = closing.tag = "div"
            opening.attrSet("class", "pictures")


def _without_empty_headings(state: StateCore) -> None:
    """Make a plain cell of the empty heading above a column of headings."""
    for opening, inline, closing in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.tag = closing.tag = "td"


def _figure(tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Return the board that an image of the rules stands for."""
    image = tokens[index]
    board = env["boards"].get(image.attrs.get("src"))
    return "" if board is None else f"<figure>{_board(board, image.content)}</figure>"


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
_markdown.core.ruler.push("rows of boards", _in_rows)
_markdown.core.ruler.push("no empty headings", _without_empty_headings)
_markdown.renderer.rules["image"] = _figure  # type: ignore[attr-defined]
