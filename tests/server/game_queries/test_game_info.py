"""Games as clients are shown them: cards, rules and previews."""

from __future__ import annotations

from typing import cast

import pytest

from parlour import games
from parlour.bots import levels
from parlour.bots.ladder import rating
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import GetRules, Message, Moved, Preview, Previewed, Rules
from parlour.protocol.types import Terms
from parlour.server.game_queries.game_info import game_card, get_rules, preview
from parlour.server.sessions.session import Session

GAME = pytest.mark.parametrize("key", games.keys())


class ScriptedSession:
    """A session that keeps what is sent to it."""

    def __init__(self) -> None:
        self.sent: list[Message | Moved] = []

    def send(self, message: Message | Moved) -> None:
        self.sent.append(message)


@GAME
def test_a_card_has_what_a_client_needs_to_offer_a_game(key: str) -> None:
    """Its name, seats and options, and the levels of its bots with their ratings."""
    card, game = game_card(key), games.find(key)
    assert (card.key, card.name, card.options) == (key, game.info.name, game.info.options)
    assert {level.key for level in card.levels} == set(levels.names(game))
    assert [level.rating for level in card.levels] == sorted(rating(key, name) or 0 for name in levels.names(game))
    assert all(level.summary for level in card.levels)


@GAME
async def test_the_rules_are_sent_with_their_examples(key: str) -> None:
    """As text with pictures of boards."""
    session = ScriptedSession()
    await get_rules(cast("Session", session), GetRules(id=4, game=key))
    (rules,) = session.sent
    assert isinstance(rules, Rules)
    assert (rules.id, rules.game) == (4, key)
    assert rules.text
    assert rules.examples


async def test_an_unknown_game_is_refused() -> None:
    """Nothing is sent then."""
    session = ScriptedSession()
    with pytest.raises(Refusal) as refused:
        await get_rules(cast("Session", session), GetRules(id=4, game="chess"))
    assert refused.value.code == ErrorCode.GAME_UNKNOWN
    assert session.sent == []


@GAME
async def test_a_preview_shows_the_starting_position(key: str) -> None:
    """Or the position that is given."""
    session, game = ScriptedSession(), games.find(key)
    options = game.options({"seed": 0} if any(spec.key == "seed" for spec in game.info.options) else {})
    start = game.initial(options)
    later = game.apply(start, game.moves(start)[0])
    for position, state in ((None, start), (game.print(later), later)):
        await preview(cast("Session", session), Preview(id=4, terms=Terms(key), position=position))
        assert session.sent[-1] == Previewed(id=4, board=game.board(options), scene=game.scene(state))


async def test_a_preview_is_not_random() -> None:
    """Without a seed the preview of a random board is always the same."""
    session = ScriptedSession()
    for _ in range(2):
        await preview(cast("Session", session), Preview(id=4, terms=Terms("mapello", {"board": "random"})))
    assert session.sent[0] == session.sent[1]
