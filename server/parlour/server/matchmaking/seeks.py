"""Open seeks, visible to all players, and invitations, addressed to one player or shared as a code."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Accept, Challenge, ChallengeClosed, Challenged, Message, Ok, OpenSeek, Seek
from parlour.protocol.types import OptionValue, Terms
from parlour.server.matchmaking.reservations import MAX_SEEKS, reserve
from parlour.server.matchmaking.room_factory import RoomFactory, paired_message, short_hash
from parlour.server.players.blocking import Blocking
from parlour.server.players.glicko2 import MAX_RATING
from parlour.server.players.names import fold_name, player_unknown
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.events import Participant
from parlour.server.rooms.outline import AnyRoom
from parlour.server.sessions.session import Session
from parlour.server.store.seeks import Acceptance, Owner, SeekStatus
from parlour.server.store.store import Store

CODE_TTL = 24 * 3600 * 1000  # milliseconds, for an invitation that is shared as a code
CHALLENGE_TTL = 10 * 60 * 1000  # milliseconds, for an invitation addressed to a player


NOT_POSTED = {
    SeekStatus.LIST_FULL: "There are too many open seeks. Accept one of them instead.",
    SeekStatus.PLAYER_LIMIT: "You have too many open seeks. Withdraw one first.",
    SeekStatus.ADDRESS_LIMIT: "There are too many open seeks from your network. Accept one of them instead.",
}


class StoredSeek(Struct, frozen=True):
    """A seek or an invitation, as it is stored."""

    host: Participant
    terms: Terms
    options: dict[str, OptionValue]
    seat: str  # the host's: any, first or second
    position: str | None = None
    ratings: tuple[int, int] | None = None  # of players who may accept it
    private: bool = False
    to: str | None = None  # the player to whom an invitation is addressed
    network: str = ""  # of the host


class Guest(Participant, frozen=True):
    """The player who accepts a seek, as stored with the seek."""

    network: str = ""


encode = msgspec.msgpack.Encoder().encode
decode_seek = msgspec.msgpack.Decoder(StoredSeek).decode
decode_guest = msgspec.msgpack.Decoder(Guest).decode


class PostedSeek(Struct, frozen=True):
    """A seek of a session on this node."""

    session: Session
    data: bytes


class Seeks:
    """The seeks of this node's sessions, and the invitations of all players."""

    def __init__(
        self,
        store: Store,
        room_factory: RoomFactory,
        owner_of: Callable[[Session], Owner],
        network_of: Callable[[Session], str],
        send: Callable[[str, Message], None],
        blocking: Blocking,
    ) -> None:
        """`send` sends a message to a player on every node."""
        self.on_challenge: Callable[[str, StoredSeek, str], None] = lambda player, challenge, id: None
        self._store = store
        self._blocking = blocking
        self._ratings = Ratings(store.ratings)
        self._room_factory = room_factory
        self._owner_of = owner_of
        self._network_of = network_of
        self._send = send
        self._posted: dict[str, PostedSeek] = {}

    @property
    def posted(self) -> int:
        """How many open seeks the players on this node have."""
        return len(self._posted)

    # -- creating

    async def seek(self, session: Session, command: Seek) -> None:
        """Post a seek."""
        options, _ = self._room_factory.resolve_terms(command.terms)
        _check_rating_range(command.ratings)
        id = _id(session, command)
        room = await self._room_factory.find_room(id, session.player)
        if room is not None:  # a repeated command
            session.send(Ok(id=command.id, seek=id))
            session.send(paired_message(room, session.player, id))
            return
        await self._room_factory.check_limit(session.player)
        with reserve(session.seeks, id, "seeks and queued games"):
            host = await self._room_factory.participant(session, command.terms.game)
            network = self._network_of(session)
            data = encode(
                StoredSeek(host, command.terms, options, command.seat, ratings=command.ratings, network=network)
            )
            status = await self._store.seeks.post(id, data, self._owner_of(session))
            if isinstance(status, SeekStatus) and status in NOT_POSTED:
                raise Refusal(ErrorCode.LIMIT_REACHED, NOT_POSTED[status])
        session.send(Ok(id=command.id, seek=id))
        if isinstance(status, Acceptance):
            session.seeks.discard(id)
            await self._open_room(id, data, status)
        elif session.is_closed:
            await self._store.seeks.suspend(id)
        else:
            self._posted[id] = PostedSeek(session, data)

    async def challenge(self, session: Session, command: Challenge) -> None:
        """Create an invitation."""
        options, position = self._room_factory.resolve_terms(command.terms, command.position)
        to = None if command.to is None else await self._addressee(session, command.to)
        id = _id(session, command)
        if await self._room_factory.find_room(id, session.player) is None:
            await self._room_factory.check_limit(session.player)
            await self._discard_closed(session)
            host = await self._room_factory.participant(session, command.terms.game)
            network = self._network_of(session)
            invitation = StoredSeek(
                host, command.terms, options, command.seat, position, private=True, to=to, network=network
            )
            ttl = CODE_TTL if to is None else CHALLENGE_TTL
            with reserve(session.invites, id, "open invitations"):
                await self._store.seeks.invite(id, encode(invitation), ttl, to)
            if to is not None:
                self._send(to, Challenged(seek=id, player=host.player, terms=command.terms))
                self.on_challenge(to, invitation, id)
        session.send(Ok(id=command.id, seek=id))

    async def invitation(self, code: str) -> StoredSeek:
        """Return an open invitation that is shared as a code. Raise Refusal if there is none."""
        if await self._store.seeks.is_open(code):
            found = await self.find(code)
            if found.private and found.to is None:
                return found
        raise _unknown()

    async def send_invitations(self, session: Session) -> None:
        """Send a session the open invitations addressed to its player."""
        for id, data in (await self._store.seeks.invitations(session.player)).items():
            invitation = decode_seek(data)
            if invitation.host.id in session.block_lists.blocked:
                continue
            session.send(Challenged(seek=id, player=invitation.host.player, terms=invitation.terms))

    async def _addressee(self, session: Session, name: str) -> str:
        player = await self._store.players.id_of(fold_name(name))
        if player is None:
            raise player_unknown(name)
        if player == session.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play against yourself. Invite another player.")
        await self._blocking.check_pair(session, player, name)
        return player

    async def _discard_closed(self, session: Session) -> None:
        """Stop counting closed invitations of a session that has reached the limit."""
        if len(session.invites) >= MAX_SEEKS:
            for id in tuple(session.invites):
                if not await self._store.seeks.is_open(id):
                    session.invites.discard(id)

    # -- accepting

    async def accept(self, session: Session, command: Accept) -> None:
        """Accept a seek or an invitation."""
        try:
            room = await self._accept(session, command.seek)
        except Refusal:
            # A repeated command finds the room that the first one created.
            found = await self._room_factory.find_room(command.seek, session.player)
            if found is None:
                raise
            room = found
        session.send(Ok(id=command.id, room=room.id))

    async def _accept(self, session: Session, id: str) -> AnyRoom:
        seek = await self.find(id)
        game = seek.terms.game
        if seek.host.id == session.player:
            raise Refusal(ErrorCode.OWN_SEEK, "You cannot play against yourself. Wait for another player.")
        if seek.to not in (None, session.player):
            raise Refusal(ErrorCode.INVITE_UNKNOWN, "That invitation is for another player. Ask for one of your own.")
        await self._blocking.check_pair(session, seek.host.id, seek.host.player.name)
        participant = await self._room_factory.participant(session, game)
        if seek.ratings is not None:
            low, high = seek.ratings
            rating = round((await self._ratings.get(session.player, game)).rating)
            if not low <= rating <= high:
                sentence = f"That seek is for players rated {low} to {high}, and you are rated {rating}. Post your own."
                raise Refusal(ErrorCode.RATING_OUT_OF_RANGE, sentence)
        await self._room_factory.check_limit(session.player)
        guest = Guest(participant.id, participant.player, network=self._network_of(session))
        found = await self._store.seeks.accept(id, session.player, encode(guest))
        if not isinstance(found, tuple):
            sentence = "That seek was withdrawn, or another player was faster. Choose another one."
            raise Refusal(ErrorCode.SEEK_GONE, sentence)
        return await self._open_room(id, *found)

    async def find(self, id: str) -> StoredSeek:
        """Return a seek or an invitation, accepted or not. Raise Refusal if there is none."""
        data = await self._store.seeks.get(id)
        if data is None:
            raise _unknown()
        return decode_seek(data)

    async def _open_room(self, id: str, data: bytes, acceptance: Acceptance) -> AnyRoom:
        """Open the room of an accepted seek, unless another node has done so, and tell both players."""
        seek = decode_seek(data)
        host, accepting = seek.host, decode_guest(acceptance.payload)
        guest = Participant(accepting.id, accepting.player)
        if seek.seat == "any":
            host_first = await self._room_factory.host_goes_first(host.id, guest.id, seek.terms.game, id)
        else:
            host_first = seek.seat == "first"
        players = (host, guest) if host_first else (guest, host)
        networks = (seek.network, accepting.network)
        room = await self._room_factory.open_room(
            id, seek.terms, seek.options, seek.position, players, 0 if host_first else 1, networks, private=seek.private
        )
        for each in players:
            self._send(each.id, paired_message(room, each.id, id))
        return room

    # -- closing

    async def withdraw(self, session: Session, id: str) -> None:
        """Withdraw the player's own seek or invitation, or decline one that is addressed to the player."""
        self._remove(session, id)
        data = await self._store.seeks.get(id)
        if data is None:
            raise _unknown()
        seek = decode_seek(data)
        if session.player not in (seek.host.id, seek.to):
            raise Refusal(ErrorCode.SEEK_GONE, "That seek is another player's. You can only withdraw your own.")
        status = await self._store.seeks.withdraw(id)
        if isinstance(status, Acceptance):
            await self._open_room(id, data, status)
            raise Refusal(ErrorCode.SEEK_GONE, "Too late: it was just accepted. Resign if you do not want to play.")
        if status is SeekStatus.CLOSED:
            raise _unknown()
        session.invites.discard(id)
        if seek.to is not None:
            declined = session.player == seek.to
            self._send(seek.host.id if declined else seek.to, ChallengeClosed(seek=id, declined=declined))

    def paired(self, id: str) -> None:
        """Remove a posted seek whose player has been paired."""
        posted = self._posted.get(id)
        if posted is not None:
            self._remove(posted.session, id)

    async def session_closed(self, session: Session) -> None:
        """Suspend the seeks of a session."""
        for id in list(session.seeks):
            posted = self._remove(session, id)
            if posted is not None:
                status = await self._store.seeks.suspend(id)
                if isinstance(status, Acceptance):
                    await self._open_room(id, posted.data, status)

    def _remove(self, session: Session, id: str) -> PostedSeek | None:
        """Remove and return a seek of this session; None if a newer session of the player has it."""
        if id not in self._posted or self._posted[id].session is not session:
            return None
        session.seeks.discard(id)
        return self._posted.pop(id)

    async def refresh(self) -> None:
        """Renew the seeks of this node, and open the rooms of seeks accepted on other nodes. Call this every second."""
        ids = list(self._posted)
        for id, renewed in zip(ids, await self._store.seeks.renew(ids), strict=True):
            posted = self._posted.get(id)
            if posted is None:
                continue  # withdrawn or accepted during the call
            # A closed seek may be one that the store has lost, or that expired before it was renewed.
            status = renewed
            if renewed is SeekStatus.CLOSED:
                status = await self._store.seeks.post(id, posted.data, self._owner_of(posted.session))
            if status is SeekStatus.CLOSED or status in NOT_POSTED:  # withdrawn by another session of the player
                self._remove(posted.session, id)
            elif isinstance(status, Acceptance):
                await self._open_room(id, posted.data, status)


def open_seek(id: str, data: bytes) -> OpenSeek:
    """Return a stored seek as all players see it."""
    seek = decode_seek(data)
    return OpenSeek(id, seek.host.player, seek.terms, seek.seat, seek.ratings)


def _id(session: Session, command: Seek | Challenge) -> str:
    """Return an id that cannot be guessed, because players' ids are secret, and is the same for a repeated command."""
    return urlsafe_b64encode(short_hash(session.command_key(command))).decode()


def _unknown() -> Refusal:
    return Refusal(ErrorCode.INVITE_UNKNOWN, "That seek or invitation is no longer open. Choose another one.")


def _check_rating_range(ratings: tuple[int, int] | None) -> None:
    if ratings is not None and not 0 <= ratings[0] <= ratings[1] <= MAX_RATING:
        sentence = f"A rating range is two whole numbers from 0 to {MAX_RATING:.0f}, the lower one first."
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence)
