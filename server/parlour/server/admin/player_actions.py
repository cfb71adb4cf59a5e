"""An operator's actions on players. They take effect on every node within a second."""

from __future__ import annotations

import secrets

from parlour import games
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.admin.audit_writer import ActionContext, AuditWriter
from parlour.server.admin.game_actions import GameActions
from parlour.server.admin.tournament_actions import TournamentActions
from parlour.server.archive.erasure import Erasure
from parlour.server.players.accounts import Accounts, game_names
from parlour.server.players.names import fold_name, name_taken, tidy_name
from parlour.server.restrictions import Restriction, moment
from parlour.server.sessions.player_sessions import PlayerChanged, PlayerSessions
from parlour.server.store.players import StoredPlayer
from parlour.server.store.store import Store

# No two of these letters and digits look alike, since passwords are read out or copied by hand.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
GROUPS, GROUP_LENGTH = 4, 4


class PlayerActions:
    """Changes players. The coroutines raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        store: Store,
        sessions: PlayerSessions,
        accounts: Accounts,
        game_actions: GameActions,
        tournament_actions: TournamentActions,
        erasure: Erasure,
        audit: AuditWriter,
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._accounts = accounts
        self._games = game_actions
        self._tournaments = tournament_actions
        self._erasure = erasure
        self._audit = audit

    async def find(self, who: str) -> StoredPlayer:
        """Return the player with this name or this id. Refuse one that does not exist."""
        named = await self._store.players.id_of(fold_name(who))
        for id in (named, who):
            (player,) = (None,) if id is None else await self._store.players.get([id])
            if player is not None:
                return player
        raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"There is no player with the name or id “{who}”. Check the spelling.")

    async def warn(self, context: ActionContext, who: str) -> None:
        """Show a player the reason as a warning, now or at the next visit."""
        player = await self._begin(context, "warn", who)
        await self._store.moderation.warn(player.id, context.reason)
        self._tell(player.id)

    async def mute(self, context: ActionContext, who: str, until: int) -> None:
        """Keep a player from chatting, until a time in milliseconds since 1970, or with 0 for good."""
        player = await self._begin(context, "mute", who, _until(until))
        await self._store.moderation.mute(player.id, Restriction(until, context.reason))
        self._tell(player.id)

    async def unmute(self, context: ActionContext, who: str) -> None:
        """Let a player chat again."""
        player = await self._begin(context, "unmute", who)
        await self._store.moderation.mute(player.id, None)
        self._tell(player.id)

    async def suspend(self, context: ActionContext, who: str, until: int) -> None:
        """Refuse to serve a player until a time, cancel the player's games, and withdraw from tournaments."""
        await self._suspend(context, "suspend", who, until)

    async def ban(self, context: ActionContext, who: str) -> None:
        """Refuse to serve a player for good, cancel the player's games, and withdraw from tournaments."""
        await self._suspend(context, "ban", who, 0)

    async def _suspend(self, context: ActionContext, action: str, who: str, until: int) -> None:
        player = await self._begin(context, action, who, _until(until))
        await self._store.moderation.suspend(player.id, Restriction(until, context.reason))
        for id in (player.id, *await self._store.players.bots(player.id)):
            self._tell(id)
            await self._tournaments.withdraw(id)  # before the games are cancelled: the opponents win those
            await self._games.cancel_all(id)

    async def unban(self, context: ActionContext, who: str) -> None:
        """End a suspension or a ban."""
        player = await self._begin(context, "unban", who)
        await self._store.moderation.suspend(player.id, None)

    async def rename(self, context: ActionContext, who: str, name: str) -> None:
        """Give a player another name, and tell the player why."""
        player = await self.find(who)
        name = tidy_name(name, game_names())
        folded = fold_name(name)
        if await self._store.players.is_taken(folded, player.id):
            raise name_taken(name)
        await self._begin(context, "rename", player.id, name)
        if not await self._store.moderation.rename(player.id, name, folded):
            raise name_taken(name)
        text = f"The operator has changed your name to {name}. Reason: {context.reason}"
        await self._store.moderation.warn(player.id, text)
        self._tell(player.id)

    async def reset_password(self, context: ActionContext, who: str) -> str:
        """Return a new password for one sign-in; it revokes all tokens of the account."""
        player = await self.find(who)
        if player.kind != "account":
            raise Refusal(ErrorCode.ACCOUNT_NEEDED, f"{player.name} is not an account and has no password.")
        groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
        password = "-".join(groups)
        hash = await self._accounts.passwords.hash(password)
        await self._begin(context, "reset-password", player.id)
        await self._store.moderation.reset_password(player.id, hash)
        await self._store.push_subscriptions.clear(player.id)
        self._tell(player.id)
        return password

    async def remove_rating(self, context: ActionContext, who: str, game: str) -> None:
        """Remove a player's rating in a game; the next rated game begins a new one."""
        games.find(game)
        player = await self.find(who)
        if not await self._store.ratings.get(player.id, game):
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"{player.name} has no rating in {game}.")
        await self._begin(context, "remove-rating", player.id, game)
        await self._store.ratings.remove(player.id, game)

    async def delete(self, context: ActionContext, who: str) -> int:
        """Delete a player, and the bots of an account; return in how many games the name was erased.

        An interrupted deletion can be repeated with the id of the player.
        """
        player = await self._begin(context, "delete", who)
        erased = 0
        for id in (*await self._store.players.bots(player.id), player.id):
            await self._tournaments.withdraw(id)
            await self._games.cancel_all(id)
            if player.owner is not None:
                await self._store.accounts.remove_bot(player.owner, fold_name(player.name))
            await self._store.push_subscriptions.clear(id)
            await self._store.moderation.delete(id)
            await self._store.reports.forget(id)
            self._tell(id)
            for game in games.keys():
                await self._store.ratings.remove(id, game)
            await self._tournaments.erase(id)
            erased += await self._erasure.erase(id)
        return erased

    async def _begin(self, context: ActionContext, action: str, who: str, detail: str = "") -> StoredPlayer:
        """Return the player, once the action is in the audit log."""
        player = await self.find(who)
        await self._audit.write(context, action, player=player.id, detail=detail)
        return player

    def _tell(self, id: str) -> None:
        self._sessions.send(id, PlayerChanged())


def _until(until: int) -> str:
    return f"until {moment(until)}" if until else "for good"
