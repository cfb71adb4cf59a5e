"""The defaults of a bot, and running one as a program."""

from __future__ import annotations

import pytest

from parlour.client import Bot, Terms
from parlour.client.bot import BotConfig
from tests.client.bots import RandomBot, tokens
from tests.e2e.processes import ServerProcess


class FakeTable:
    """As much of a table as the defaults look at."""

    def __init__(self, rated: bool) -> None:
        self.terms = Terms("replica", rated=rated)


def test_the_default_answers_to_offers() -> None:
    """Rematches are accepted, draws are not, and takebacks only in casual games."""
    casual, rated = FakeTable(False), FakeTable(True)
    bot = Bot()

    assert bot.accept_offer("rematch", rated)  # type: ignore[arg-type]
    assert not bot.accept_offer("draw", casual)  # type: ignore[arg-type]
    assert bot.accept_offer("takeback", casual)  # type: ignore[arg-type]
    assert not bot.accept_offer("takeback", rated)  # type: ignore[arg-type]


def test_a_bot_must_choose() -> None:
    """A subclass without `choose` fails loudly."""
    with pytest.raises(NotImplementedError):
        Bot().choose(None)  # type: ignore[arg-type]


def test_the_default_config_plays_everything() -> None:
    """Every game, from queues and challenges, without an end."""
    config = BotConfig()

    assert (config.games, config.queue, config.challenges, config.max_games) == ((), True, True, None)


async def test_play_ends_after_max_games(server: ServerProcess) -> None:
    """A bot that may play no game at all is done at once."""
    [token] = await tokens(server.url, "Robbie")

    await RandomBot().play(server.url, f" {token}\n", BotConfig(max_games=0))


def test_a_failure_exits_with_a_sentence() -> None:
    """`run` is for programs: an error ends the process with its message instead of a traceback."""
    with pytest.raises(SystemExit, match="server address"):
        RandomBot().run("not an address", "token")
