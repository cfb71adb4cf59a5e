"""An operator's actions on tournaments, and the withdrawal of players who are suspended, banned or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from parlour.protocol.messages import TournamentSummary
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.game_actions import GameActions
from parlour.server.store.store import Store
from parlour.server.tournaments.erasure import TournamentErasure
from parlour.server.tournaments.games import current_games
from parlour.server.tournaments.runner import TournamentRunner
from parlour.tournaments import commands
from parlour.tournaments.events import Event
from parlour.tournaments.state import TournamentState

_decode_summary = msgspec.msgpack.Decoder(TournamentSummary).decode


class TournamentActions:
    """Ends tournaments. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        store: Store,
        runner: TournamentRunner,
        game_actions: GameActions,
        erasure: TournamentErasure,
        audit: AuditWriter,
    ) -> None:
        self._store = store
        self._runner = runner
        self._games = game_actions
        self._audit = audit
        self.erase = erasure.erase

    async def list(self) -> Sequence[TournamentSummary]:
        """Return the tournaments that are open or running, the earliest first."""
        return [_decode_summary(each) for each in await self._store.tournaments.current()]

    async def cancel(self, context: ActionContext, tournament: str) -> None:
        """Cancel a tournament, open or running, and its running games."""
        opened = await self._runner.open(tournament)
        before = opened.tournament.state
        commands.terminate(before, self._store.clock.now())  # refused before it is written to the audit log
        await self._audit.write(context, "cancel-tournament", tournament, detail=before.settings.name)
        await self._runner.change(opened, commands.terminate)
        await self._runner.put_on_list(opened.tournament)  # before the operator is told that it is done
        for game in current_games(tournament, before):
            await self._games.cancel(game.room)

    async def withdraw(self, player: str) -> None:
        """Withdraw a player, by id, from all tournaments that are not over."""
        for opened in await self._runner.current_of(player):
            entry = opened.tournament.state.entry_of(player)
            if entry is not None:
                await self._runner.change(opened, partial(_expel, entry.player))


def _expel(name: str, state: TournamentState, now: int) -> list[Event]:
    return commands.expel(state, name, now)
