"""Answers that need no store: the rules of a game, and what a table would look like."""

from __future__ import annotations

from random import Random

from parlour import games
from parlour.bots import levels
from parlour.bots.ladder import rating
from parlour.games.rulebook import rulebook
from parlour.protocol.messages import AskRules, Preview, Previewed, Rules
from parlour.protocol.tables import GameCard, Level
from parlour.server.rooms.opening import agreed
from parlour.server.visitor import Visitor


def game_card(key: str) -> GameCard:
    """A game as welcome lists it."""
    game = games.find(key)
    info = game.info
    offered = tuple(Level(name, levels.title(game, name), rating(key, name)) for name in levels.names(game))
    return GameCard(info.key, info.name, info.summary, info.seats, info.options, offered, dict(info.reasons))


async def ask_rules(visitor: Visitor, command: AskRules) -> None:
    book = rulebook(command.game)
    visitor.send(Rules(id=command.id, game=command.game, text=book.text, examples=book.examples))


async def preview(visitor: Visitor, command: Preview) -> None:
    """A board by chance is drawn with the seed that is given, or with 0: a look must not depend on luck."""
    options, position = agreed(command.terms, command.position, Random(0))
    game = games.find(command.terms.game)
    state = game.initial(options) if position is None else game.parse(position, options)
    visitor.send(Previewed(id=command.id, board=game.board(options), scene=game.scene(state)))
