"""A player that is a program: subclass `Bot`, decide what to play, and `run` it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence

from msgspec import Struct

from parlour.client.bot_move import BotMove
from parlour.client.bot_scheduler import BotScheduler
from parlour.client.client import connect
from parlour.client.connection import RefusedError
from parlour.client.position import Position
from parlour.client.table import OfferKind, Table
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Challenged
from parlour.protocol.types import Clock

logger = logging.getLogger("parlour.bot")

CONNECT_TIMEOUT = 20.0  # seconds
FIVE_PLUS_THREE = Clock("fischer", 300_000, 3_000)  # five minutes, plus three seconds a move


class BotConfig(Struct, frozen=True, kw_only=True):
    """Which games a bot plays, and how many."""

    games: tuple[str, ...] = ()  # their keys; empty: every game of the server
    queue: bool = True  # look for opponents in the matchmaking queues
    challenges: bool = True  # accept challenges
    rated: bool = True  # queue for rated games; challenges are accepted either way
    clock: Clock = FIVE_PLUS_THREE  # in the queues
    concurrency: int = 4  # games at a time
    tournament: str = ""  # the id of a tournament to enter, and to play to its end
    code: str = ""  # the entry code of that tournament
    team: str | None = None  # the team to enter for, in a tournament of teams
    # Stop after this many games; None: run until stopped. The bot never holds more queue places than it may play games.
    max_games: int | None = None


class Bot:
    """A player that is a program. Subclass it, implement `choose`, and call `run`."""

    def choose(self, position: Position) -> BotMove | Awaitable[BotMove]:
        """Return the move to play.

        A plain function runs in a separate thread and may take its time; an async one runs on the connection's event
        loop. If it raises, or returns an illegal move, it is asked once more; after that the bot gives up the game.
        """
        raise NotImplementedError

    def accept_challenge(self, challenge: Challenged) -> bool:
        """Return whether to accept a challenge to one of the bot's games. Only asked while it can play another one."""
        return True

    def accept_offer(self, kind: OfferKind, table: Table) -> bool:
        """Return whether to accept an offer: by default rematches, and takebacks in casual games, but no draws."""
        return kind == "rematch" or (kind == "takeback" and not table.terms.rated)

    def on_game_start(self, table: Table) -> None:
        """A game has started, or continues after a restart."""
        logger.info("%s against %s at table %s", table.terms.game, _opponent_name(table), table.room)

    def on_game_end(self, table: Table) -> None:
        """A game has ended."""
        result = table.result
        assert result is not None
        outcome = "drawn" if result.winner is None else "won" if result.winner == table.seat else "lost"
        outcome = result.reason if result.reason in ("aborted", "cancelled") else outcome
        logger.info("%s against %s %s (%s)", table.terms.game, _opponent_name(table), outcome, result.reason)

    # -- running

    def run(
        self,
        addresses: str | Sequence[str],
        token: str,
        *,
        games: Sequence[str] = (),
        queue: bool = True,
        challenges: bool = True,
        rated: bool = True,
        clock: Clock = FIVE_PLUS_THREE,
        concurrency: int = 4,
        tournament: str = "",
        code: str = "",
        team: str | None = None,
        max_games: int | None = None,
        wait: bool = False,
    ) -> None:
        """Play until stopped with Ctrl-C, until `max_games` are over, or until the tournament is.

        `BotConfig` describes the options.
        `wait`: keep trying if the server cannot be reached at first; otherwise exit with the reason.
        """
        if not logging.getLogger().hasHandlers():
            logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
            logging.getLogger("websockets").setLevel(logging.WARNING)
        config = BotConfig(
            games=tuple(games),
            queue=queue,
            challenges=challenges,
            rated=rated,
            clock=clock,
            concurrency=concurrency,
            tournament=tournament,
            code=code,
            team=team,
            max_games=max_games,
        )
        try:
            asyncio.run(self.play(addresses, token, config, wait=wait))
        except KeyboardInterrupt:
            return
        except (Refusal, ConnectionError) as error:
            raise SystemExit(str(error)) from None

    async def play(
        self, addresses: str | Sequence[str], token: str, config: BotConfig | None = None, *, wait: bool = False
    ) -> None:
        """Do the same inside a running event loop. Cancel the task to stop."""
        logger.info("connecting to %s", addresses if isinstance(addresses, str) else " or ".join(addresses))
        connecting = connect(
            addresses,
            token=token.strip(),
            program="parlour bot",
            guest_if_unknown=False,
            wait=wait,
            timeout=None if wait else CONNECT_TIMEOUT,
            on_problem=_log_problem,
        )
        try:
            async with connecting as client:
                await BotScheduler(self, client, config or BotConfig()).run()
        except RefusedError as refused:
            if refused.code != ErrorCode.TOKEN_UNKNOWN:
                raise
            sentence = "The server does not know this token. Create a new one with `parlour token BOT --output FILE`."
            raise Refusal(ErrorCode.TOKEN_UNKNOWN, sentence) from None


def _log_problem(problem: str) -> None:
    logger.info("%s", problem or "connected again")


def _opponent_name(table: Table) -> str:
    opponent = table.opponent
    return "an empty seat" if opponent is None else opponent.name
