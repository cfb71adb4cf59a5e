"""Tables that wait for a second player: seeks, which everybody sees, and invitations, for one player or by a code."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Accept, Challenge, Challenged, InviteGone, Message, Ok, OpenSeek, Seek
from parlour.protocol.tables import OptionValue, Terms
from parlour.server.allowance import Allowance, Kind
from parlour.server.lobby.quick_match import MOST_SEEKS, reserved
from parlour.server.lobby.tables import Tables, digest, face, paired
from parlour.server.rating import HIGHEST
from parlour.server.rooms.core import Room
from parlour.server.rooms.opening import Guest
from parlour.server.store.seeks import State, Taken
from parlour.server.store.store import Store
from parlour.server.visitor import Visitor

CODE_LASTS = 24 * 3600 * 1000  # milliseconds for an invitation that is passed on as a code
CHALLENGE_LASTS = 10 * 60 * 1000  # milliseconds for one to a player, who knows of it at once


class Table(Struct, frozen=True):
    """A seek or an invitation, as it is stored."""

    host: Guest
    terms: Terms
    options: dict[str, OptionValue]
    seat: str  # which one the host takes: any, first or second
    position: str | None = None
    ratings: tuple[int, int] | None = None
    private: bool = False
    to: str | None = None  # the player who is meant


class Posted(Struct, frozen=True):
    """A seek that somebody who is connected here has made."""

    visitor: Visitor
    data: bytes


class Seeks:
    """The seeks of those who are connected here, and everybody's invitations."""

    def __init__(
        self, store: Store, tables: Tables, allowance: Allowance, tell: Callable[[str, Message], None]
    ) -> None:
        self._store = store
        self._tables = tables
        self._allowance = allowance
        self._tell = tell  # a player, wherever he is connected
        self._posted: dict[str, Posted] = {}

    # -- making them

    async def seek(self, visitor: Visitor, command: Seek) -> None:
        options, _ = self._tables.agreed(command.terms)
        _check_range(command.ratings)
        id = _name("seek", visitor, command.id)
        await self._allowance.check(Kind.SEEK, visitor)
        room = await self._tables.made_of(id, visitor.player)
        if room is not None:  # the same command, sent again
            visitor.send(Ok(id=command.id, seek=id))
            visitor.send(paired(room, visitor.player, id))
            return
        await self._tables.check_limit(visitor.player)
        with reserved(visitor.seeks, id):
            host = await self._tables.guest(visitor, command.terms.game)
            data = msgspec.msgpack.encode(Table(host, command.terms, options, command.seat, ratings=command.ratings))
            state = await self._store.seeks.post(id, data)
            if state is State.TOO_MANY:
                raise Refusal(ErrorCode.LIMIT_REACHED, "There are too many open seeks. Accept one of them.")
        visitor.send(Ok(id=command.id, seek=id))
        if isinstance(state, Taken):
            visitor.seeks.discard(id)
            await self._seat(id, data, state)
        elif visitor.is_gone:
            await self._store.seeks.drop(id)
        else:
            self._posted[id] = Posted(visitor, data)

    async def challenge(self, visitor: Visitor, command: Challenge) -> None:
        options, position = self._tables.agreed(command.terms, command.position)
        to = None if command.to is None else await self._invited(visitor, command.to)
        code = _name("challenge", visitor, command.id)
        await self._allowance.check(Kind.CHALLENGE, visitor)
        if await self._tables.made_of(code, visitor.player) is None:
            await self._tables.check_limit(visitor.player)
            await self._forget_taken(visitor)
            host = await self._tables.guest(visitor, command.terms.game)
            table = Table(host, command.terms, options, command.seat, position, private=True, to=to)
            lasts = CODE_LASTS if to is None else CHALLENGE_LASTS
            with reserved(visitor.invites, code, "open invitations"):
                await self._store.seeks.invite(code, msgspec.msgpack.encode(table), lasts, to)
            if to is not None:
                self._tell(to, Challenged(seek=code, player=face(host), terms=command.terms))
        visitor.send(Ok(id=command.id, seek=code))

    async def remind(self, visitor: Visitor) -> None:
        """Tell somebody who came back which invitations are still open."""
        for id, data in (await self._store.seeks.invitations(visitor.player)).items():
            table = msgspec.msgpack.decode(data, type=Table)
            visitor.send(Challenged(seek=id, player=face(table.host), terms=table.terms))

    async def _invited(self, visitor: Visitor, name: str) -> str:
        player = await self._store.players.named(name)
        if player is None:
            raise Refusal(ErrorCode.PLAYER_UNKNOWN, f"Nobody is called {name}.")
        if player == visitor.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play yourself.")
        return player

    async def _forget_taken(self, visitor: Visitor) -> None:
        """Of somebody with many invitations, forget those that are not open any more."""
        if len(visitor.invites) >= MOST_SEEKS:
            for code in tuple(visitor.invites):
                if not await self._store.seeks.is_open(code):
                    visitor.invites.discard(code)

    # -- taking them

    async def accept(self, visitor: Visitor, command: Accept) -> None:
        try:
            room = await self._take(visitor, command.seek)
        except Refusal:
            # The same command sent again finds the room that was made of it.
            found = await self._tables.made_of(command.seek, visitor.player)
            if found is None:
                raise
            room = found
        visitor.send(Ok(id=command.id, room=room.id))

    async def _take(self, visitor: Visitor, id: str) -> Room:
        table = await self._find(id)
        game = table.terms.game
        if table.host.player == visitor.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play yourself.")
        if table.to not in (None, visitor.player):
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That invitation is for somebody else.")
        guest = await self._tables.guest(visitor, game)
        if table.ratings is not None:
            low, high = table.ratings
            mine = round((await self._store.ratings.rating(visitor.player, game)).rating)
            if not low <= mine <= high:
                sentence = f"That seek is for players rated {low} to {high}; your rating is {mine}."
                raise Refusal(ErrorCode.RATING_OUT_OF_RANGE, sentence)
        await self._tables.check_limit(visitor.player)
        found = await self._store.seeks.accept(id, visitor.player, msgspec.msgpack.encode(guest))
        if not isinstance(found, tuple):
            raise Refusal(ErrorCode.SEEK_GONE, "Somebody else was faster, or it was withdrawn.")
        return await self._seat(id, *found)

    async def _find(self, id: str) -> Table:
        data = await self._store.seeks.find(id)
        if data is None:
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That does not exist any more.")
        return msgspec.msgpack.decode(data, type=Table)

    async def _seat(self, id: str, data: bytes, taken: Taken) -> Room:
        """Somebody took it: have the room made, by whatever node is first, and tell both."""
        table = msgspec.msgpack.decode(data, type=Table)
        host, guest = table.host, msgspec.msgpack.decode(taken.note, type=Guest)
        if table.seat == "any":
            host_first = await self._tables.fair(host.player, guest.player, table.terms.game, id)
        else:
            host_first = table.seat == "first"
        guests = [host, guest] if host_first else [guest, host]
        room = await self._tables.open_table(
            id, table.terms, table.options, table.position, guests, 0 if host_first else 1, private=table.private
        )
        for each in guests:
            self._tell(each.player, paired(room, each.player, id))
        return room

    # -- taking them back

    async def withdraw(self, visitor: Visitor, id: str) -> None:
        """Withdraw an own one, or decline an invitation."""
        self._give_up(visitor, id)
        data = await self._store.seeks.find(id)
        if data is None:
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That does not exist any more.")
        table = msgspec.msgpack.decode(data, type=Table)
        if visitor.player not in (table.host.player, table.to):
            raise Refusal(ErrorCode.SEEK_GONE, "That is not yours to withdraw.")
        state = await self._store.seeks.withdraw(id)
        if isinstance(state, Taken):
            await self._seat(id, data, state)
            raise Refusal(ErrorCode.SEEK_GONE, "Somebody has taken it in this very moment.")
        if state is State.GONE:
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That does not exist any more.")
        visitor.invites.discard(id)
        if table.to is not None:
            declined = visitor.player == table.to
            self._tell(table.host.player if declined else table.to, InviteGone(seek=id, declined=declined))

    def forget(self, id: str) -> None:
        """Somebody who made a seek here has a game now."""
        posted = self._posted.get(id)
        if posted is not None:
            self._give_up(posted.visitor, id)

    async def left(self, visitor: Visitor) -> None:
        """A connection is gone, and its seeks with it."""
        for id in list(visitor.seeks):
            posted = self._give_up(visitor, id)
            if posted is not None:
                state = await self._store.seeks.drop(id)
                if isinstance(state, Taken):
                    await self._seat(id, posted.data, state)

    def _give_up(self, visitor: Visitor, id: str) -> Posted | None:
        """The seek that this connection has no longer; None if a newer connection of the player has it."""
        if id not in self._posted or self._posted[id].visitor is not visitor:
            return None
        visitor.seeks.discard(id)
        return self._posted.pop(id)

    async def refresh(self) -> None:
        """Keep the seeks of those who are here, and finish what other nodes have begun. Call this every second."""
        ids = list(self._posted)
        for id, kept in zip(ids, await self._store.seeks.keep(ids), strict=True):
            posted = self._posted.get(id)
            if posted is None:
                continue  # withdrawn or taken since this began
            # The store may have lost it, or it was kept too late.
            state = await self._store.seeks.post(id, posted.data) if kept is State.GONE else kept
            if state is State.GONE:  # withdrawn by another connection of the player
                self._give_up(posted.visitor, id)
            elif isinstance(state, Taken):
                await self._seat(id, posted.data, state)


def open_seek(id: str, data: bytes) -> OpenSeek:
    """A stored seek, as everybody may see it."""
    table = msgspec.msgpack.decode(data, type=Table)
    return OpenSeek(id, face(table.host), table.terms, table.seat, table.ratings)


def _name(kind: str, visitor: Visitor, id: int) -> str:
    """Nobody can guess it, because a player's id is secret; the same command sent again has the same one."""
    return urlsafe_b64encode(digest(f"{kind} {visitor.player} {id}")).decode()


def _check_range(ratings: tuple[int, int] | None) -> None:
    if ratings is not None and not 0 <= ratings[0] <= ratings[1] <= HIGHEST:
        sentence = f"A range of ratings is two whole numbers from 0 to {HIGHEST:.0f}, the lower one first."
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence)
