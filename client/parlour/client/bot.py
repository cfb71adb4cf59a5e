"""A player that is a program. Say what to play, and the rest is done for you."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence

from msgspec import Struct

from parlour.client.choice import Choice
from parlour.client.engagements import Engagements
from parlour.client.parlour import connect
from parlour.client.position import Position
from parlour.client.table import Table, What
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Challenged
from parlour.protocol.tables import Clock

log = logging.getLogger("parlour.bot")

QUICK = Clock("fischer", 300_000, 3_000)  # five minutes, and three seconds a move


class Wishes(Struct, frozen=True, kw_only=True):
    """Which games a bot wants to play, and how."""

    games: tuple[str, ...] = ()  # their keys; none: all games of the server
    queue: bool = True  # wait in the queues for whoever comes
    challenges: bool = True  # accept invitations
    rated: bool = True  # in the queues; invitations are accepted either way
    clock: Clock = QUICK  # in the queues
    at_once: int = 4  # games; more are not looked for while there are so many
    # Stop after so many; None: go on until somebody stops it. There are never more places in queues than games to play.
    games_in_all: int | None = None


class Bot:
    """Make a class of your own with `choose`, and `run` it."""

    def choose(self, position: Position) -> Choice | Awaitable[Choice]:
        """What to play here.

        A plain function runs in a thread of its own and may take its time; an async one runs beside the connection.
        If it fails, or gives what cannot be played, it is asked once more; after that the game is given up.
        """
        raise NotImplementedError

    def accepts(self, invitation: Challenged) -> bool:
        """Whether to accept an invitation to one of the games it plays, while there is room for another game."""
        return True

    def answers(self, what: What, table: Table) -> bool:
        """What to say to an offer: to rematches yes, to draws no, and moves may be taken back if it is not rated."""
        return what == "rematch" or (what == "takeback" and not table.terms.rated)

    def began(self, table: Table) -> None:
        """A game has begun, or goes on after a restart."""
        log.info("%s against %s at table %s", table.terms.game, _name(table), table.room)

    def finished(self, table: Table) -> None:
        """A game is over."""
        result = table.result
        assert result is not None
        outcome = "drawn" if result.winner is None else "won" if result.winner == table.seat else "lost"
        outcome = "called off" if result.reason == "aborted" else outcome
        log.info("%s against %s %s (%s)", table.terms.game, _name(table), outcome, result.reason)

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
        clock: Clock = QUICK,
        at_once: int = 4,
        games_in_all: int | None = None,
    ) -> None:
        """Play until it is stopped with Ctrl-C, or has played so many games. See `Wishes` for what the rest means."""
        if not logging.getLogger().hasHandlers():
            logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
            logging.getLogger("websockets").setLevel(logging.WARNING)
        wishes = Wishes(
            games=tuple(games),
            queue=queue,
            challenges=challenges,
            rated=rated,
            clock=clock,
            at_once=at_once,
            games_in_all=games_in_all,
        )
        try:
            asyncio.run(self.play(addresses, token, wishes))
        except KeyboardInterrupt:
            return
        except (Refusal, ConnectionError) as fault:
            raise SystemExit(str(fault)) from None

    async def play(self, addresses: str | Sequence[str], token: str, wishes: Wishes | None = None) -> None:
        """The same for programs with a loop of their own. Cancel it to stop."""
        async with connect(addresses, token=token.strip(), client="parlour bot", guest_if_unknown=False) as parlour:
            await Engagements(self, parlour, wishes or Wishes()).keep()


def _name(table: Table) -> str:
    opponent = table.opponent
    return "nobody" if opponent is None else opponent.name
