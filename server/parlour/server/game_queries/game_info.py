"""Replies that need no store: the rules of a game, and a preview of a room."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

from parlour import games
from parlour.bots import levels
from parlour.bots.ladder import rating
from parlour.games.lessons import lesson
from parlour.games.rulebook import rulebook
from parlour.protocol.messages import GetRules, Preview, Previewed, Rules
from parlour.protocol.types import GameCard, Level
from parlour.server.rooms.setup import complete_options
from parlour.server.rooms.state import starting_state
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session


def game_card(key: str) -> GameCard:
    """Return a game as welcome lists it."""
    game = games.find(key)
    info = game.info
    offered = [
        Level(name, levels.title(game, name), rating(key, name), levels.summary(game, name), levels.alias(game, name))
        for name in levels.names(game)
    ]
    taught = lesson(key)
    minutes = 0 if taught is None else taught.content.minutes
    if all(level.rating is not None for level in offered):
        offered.sort(key=lambda level: level.rating or 0)
    return GameCard(
        info.key, info.name, info.summary, info.seats, info.options, tuple(offered),
        dict(info.reasons), minutes, dict(info.loser_reasons),
    )  # fmt: skip


async def get_rules(session: Session, command: GetRules) -> None:
    """Reply with the rules of a game."""
    # The examples are drawn when they are asked for the first time, which takes up to 200 ms.
    book = await asyncio.to_thread(rulebook, command.game)
    session.send(Rules(id=command.id, game=command.game, text=book.text, examples=book.examples))


async def preview(session: Session, command: Preview) -> None:
    """Reply with the board that a room would start with. Without a seed a random board is that of seed 0."""
    options = complete_options(command.terms, command.position, Random(0))
    game = games.find(command.terms.game)
    state = starting_state(game, options, command.position)
    session.send(Previewed(id=command.id, board=game.board(options), scene=game.scene(state)))


HANDLERS: dict[type[Any], Handler] = {GetRules: get_rules, Preview: preview}
