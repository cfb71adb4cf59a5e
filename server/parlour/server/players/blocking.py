"""Blocking and muting: the commands about block lists, and what they rule out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Block, BlockList, GetBlockList, Message, Mute, Ok
from parlour.server.players.names import fold_name, player_unknown
from parlour.server.sessions.command_ids import Handler, with_claimed_id
from parlour.server.sessions.player_sessions import PlayerChanged
from parlour.server.sessions.session import Session
from parlour.server.store.block_lists import MAX_LISTED
from parlour.server.store.store import Store


class Blocking:
    """Answers the commands about block lists, and refuses what they rule out."""

    def __init__(self, store: Store, send: Callable[[str, Message], None]) -> None:
        """`send` sends a message to a player on every node."""
        self._store = store
        self._send = send
        self.handlers: dict[type[Message], Handler] = {
            Block: with_claimed_id(store.command_ids, self._block),
            Mute: with_claimed_id(store.command_ids, self._mute),
            GetBlockList: self._get_block_list,
        }

    async def refresh_session(self, session: Session) -> None:
        """Read a player's lists, because they may have changed on another node."""
        session.block_lists = await self._store.block_lists.read(session.player, is_guest=session.kind == "guest")

    async def check_pair(self, session: Session, other: str, name: str) -> None:
        """Refuse to bring a session's player together with another one if one of them has blocked the other."""
        if other in session.block_lists.blocked:
            raise Refusal(ErrorCode.BLOCKED_BY_YOU, f"You have blocked {name}. Unblock the player first.")
        if await self._store.block_lists.is_blocked(session.player, by=other):
            raise Refusal(ErrorCode.PLAYER_UNAVAILABLE, f"{name} is not available to you. Choose another player.")

    async def check_chat(self, session: Session, opponent: str) -> None:
        """Refuse chat to an opponent who has blocked the session's player."""
        if await self._store.block_lists.is_blocked(session.player, by=opponent):
            sentence = "Your opponent has left the chat. Play on without it."
            raise Refusal(ErrorCode.PLAYER_UNAVAILABLE, sentence)

    async def _block(self, session: Session, command: Block) -> None:
        await self._change(session, command, self._store.block_lists.block)

    async def _mute(self, session: Session, command: Mute) -> None:
        await self._change(session, command, self._store.block_lists.mute)

    async def _change(self, session: Session, command: Block | Mute, change: Callable[..., Awaitable[bool]]) -> None:
        other = await find_other(self._store, session, command.name)
        if not await change(session.player, other, on=command.on):
            sentence = f"Your list has {MAX_LISTED} players, which is the limit. Take one off first."
            raise Refusal(ErrorCode.LIMIT_REACHED, sentence)
        await self.refresh_session(session)
        session.send(Ok(id=command.id))
        self._send(session.player, PlayerChanged())

    async def _get_block_list(self, session: Session, command: GetBlockList) -> None:
        blocked, muted = await self.names(session.player)
        session.send(BlockList(id=command.id, blocked=blocked, muted=muted))

    async def names(self, player: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the players on a player's lists: blocked, and muted. Deleted players are taken off."""
        lists = await self._store.block_lists.read(player)
        ids = sorted(lists.hidden)
        found = await self._store.players.get(ids)
        names = {each.id: each.name for each in found if each is not None and each.kind != "deleted"}
        if gone := lists.hidden - names.keys():
            await self._store.block_lists.forget(player, gone)
        return _sorted(names, lists.blocked), _sorted(names, lists.muted)


async def find_other(store: Store, session: Session, name: str) -> str:
    """Return the id of the player with this name. Refuse one that does not exist, and the session's own."""
    other = await store.players.id_of(fold_name(name))
    if other is None:
        raise player_unknown(name)
    if other == session.player:
        raise Refusal(ErrorCode.NOT_YOURSELF, "That is your own name. Name another player.")
    return other


def _sorted(names: dict[str, str], ids: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted((names[id] for id in ids if id in names), key=str.casefold))
