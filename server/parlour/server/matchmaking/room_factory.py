"""Creates the room of two players exactly once, although several nodes may try, and repeatedly."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from random import Random, SystemRandom

from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Paired
from parlour.protocol.types import OptionValue, Player, Terms
from parlour.server.configuration.settings import Settings
from parlour.server.players.glicko2 import Rating
from parlour.server.players.ratings import Ratings
from parlour.server.rooms.commands import PRIVATE_LENGTH, PUBLIC_LENGTH, room_id
from parlour.server.rooms.events import Created, Participant
from parlour.server.rooms.fair_play import SAME_NETWORK, unrated_from_start
from parlour.server.rooms.outline import AnyRoom
from parlour.server.rooms.registry import RoomRegistry
from parlour.server.rooms.setup import complete_options, create, create_rematch
from parlour.server.rooms.state import RoomState
from parlour.server.sessions.session import Session
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.store import Store

MAX_ROOM_IDS = 8  # tried for one room; the first one is almost always free


class RoomFactory:
    """Creates rooms, and knows which running games a player has."""

    def __init__(self, store: Store, registry: RoomRegistry, settings: Settings) -> None:
        self._store = store
        self._ratings = Ratings(store.ratings)
        self._registry = registry
        self._rooms_per_player = settings.rooms_per_player
        self._delay = int(settings.spectator_delay * 1000)
        self._claim_after = int(settings.claim_after * 1000)
        self._random = SystemRandom()

    # -- rooms

    def resolve_terms(self, terms: Terms, position: str | None = None) -> tuple[dict[str, OptionValue], str | None]:
        """Return the complete options and the first position. Refuse terms that cannot be played."""
        return complete_options(terms, position, self._random), position

    async def open_room(
        self,
        seed: str,
        terms: Terms,
        options: dict[str, OptionValue],
        position: str | None,
        players: tuple[Participant, Participant],
        host: int | None,
        networks: tuple[str, str] = ("", ""),
        *,
        private: bool = False,
    ) -> AnyRoom:
        """Return the room of these players: the one created earlier with the same seed, or a new one.

        `host` is the seat of the player who chose the board, if one of them did. `networks` are those of the two
        players, in any order. A private game is not listed.
        """
        now = self._store.clock.now()
        unrated = await self._unrated(players, networks) if terms.rated else ""
        event = create(
            terms, options, position, players, now,
            host=host, delay=self._delay, claim_after=self._claim_after, private=private, unrated=unrated,
        )  # fmt: skip
        for id in room_ids(seed, private):
            room = await self._registry.create(id, event) or await self._registry.find(id)
            if room is not None and all(room.seat_of(each.id) is not None for each in players):
                await self._record_seats(room, now)
                await self._record_pair(event, id)
                return room
        raise Refusal(ErrorCode.TRY_AGAIN, "No free room name was found. Send the same command again.")

    async def open_tournament_game(
        self,
        id: str,
        terms: Terms,
        players: tuple[Participant, Participant],
        tournament: str,
        *,
        berserk: bool = False,
        first_move_factor: int = 1,
    ) -> AnyRoom:
        """Return the room with this id: one that exists, or a new game of a tournament."""
        now = self._store.clock.now()
        first, second = [await self._with_current_rating(each, terms.game, now) for each in players]
        unrated = await self._unrated((first, second), ("", "")) if terms.rated else ""
        event = create(
            terms, complete_options(terms, None, Random(id)), None, (first, second), now,
            delay=self._delay, claim_after=self._claim_after, unrated=unrated, tournament=tournament, berserk=berserk,
            first_move_factor=first_move_factor,
        )  # fmt: skip
        created = await self._registry.create(id, event)
        if created is not None:
            await self._record_pair(event, id)
        room = created or await self._registry.find(id)
        if room is None:
            raise StoreUnavailable("a room was neither created nor found")
        await self._record_seats(room, now)
        return room

    async def find_room(self, seed: str, player: str) -> AnyRoom | None:
        """Return the room that was created with this seed, if the player has a seat in it."""
        for private in (False, True):
            for id in room_ids(seed, private):
                room = await self._registry.find_live(id)
                if room is None:
                    break
                if room.seat_of(player) is not None:
                    return room
        return None

    async def rematch(self, room: RoomState) -> None:
        """Create the next game of the same two players, unless it exists."""
        assert room.next is not None
        now = self._store.clock.now()
        first, second = [await self._with_current_rating(each, room.game, now) for each in room.players]
        unrated = "" if not room.rated else await self._unrated((first, second), ("", ""))
        if room.unrated == SAME_NETWORK:
            unrated = SAME_NETWORK
        event = create_rematch(replace(room, players=(first, second)), now, self._random, unrated)
        created = await self._registry.create(room.next, event)
        if created is not None:
            await self._record_seats(created, now)
            await self._record_pair(event, created.id)

    async def _unrated(self, players: tuple[Participant, Participant], networks: tuple[str, str]) -> str:
        """Return why a rated game of these players would not count; empty if it would count."""
        first, second = players
        return unrated_from_start(networks, await self._store.pairings.count(first.id, second.id))

    async def _record_pair(self, event: Created, room: str) -> None:
        """Record a game that counts, for the limit on games of the same two players."""
        if event.rated and not event.unrated:
            first, second = event.players
            await self._store.pairings.add(first.id, second.id, room)

    async def _record_seats(self, room: AnyRoom, now: int) -> None:
        players = [None if each.level is not None else each.id for each in room.players]
        await self._store.seats.seat(room.id, room.game, players, now)

    async def _with_current_rating(self, participant: Participant, game: str, now: int) -> Participant:
        if participant.level is not None:
            return participant
        rating, provisional = (await self._ratings.get(participant.id, game)).shown(now)
        return replace(participant, player=replace(participant.player, rating=rating, provisional=provisional))

    # -- players

    async def participant(self, session: Session, game: str) -> Participant:
        """Return a session's player as a participant, with the current rating."""
        return participant_of(session, await self._ratings.get(session.player, game), self._store.clock.now())

    async def host_goes_first(self, host: str, guest: str, game: str, seed: str) -> bool:
        """Return whether the host gets the first seat; see `goes_first`."""
        last_first = [await self._store.seats.first_seat(player, game) for player in (host, guest)]
        return goes_first(last_first[0], last_first[1], seed)

    async def running_games(self, player: str) -> list[AnyRoom]:
        """Return the player's games that are not over, including those whose rules this node does not support."""
        rooms = []
        for id in await self._store.seats.rooms(player):
            room = await self._registry.find_live(id)
            if room is None or room.seat_of(player) is None or room.is_over:
                await self._store.seats.remove(player, id)
            else:
                rooms.append(room)
        return rooms

    async def seats(self, player: str) -> int:
        """Return the number of games in which a player has a seat, including some that are over."""
        return await self._store.seats.count(player)

    async def check_limit(self, player: str) -> None:
        """Refuse another game to a player who has too many."""
        if await self.seats(player) < self._rooms_per_player:
            return
        number = len(await self.running_games(player))
        if number >= self._rooms_per_player:
            raise Refusal(ErrorCode.LIMIT_REACHED, f"You already have {number} games. Finish one first.")


def participant_of(session: Session, rating: Rating | None = None, now: int = 0) -> Participant:
    """Return a session's player as a participant."""
    number, provisional = (None, False) if rating is None else rating.shown(now)
    kind = session.kind
    return Participant(session.player, Player(session.name, number, provisional, kind == "bot", kind == "guest"))


def paired_message(room: AnyRoom, player: str, seek: str | None = None) -> Paired:
    """Return the message that tells a player about a room in which the player has a seat."""
    seat = room.seat_of(player)
    assert seat is not None
    return Paired(room=room.id, seat=seat, seek=seek, tournament=room.tournament or None)


def goes_first(mine: int, theirs: int, seed: str) -> bool:
    """Return whether a player whose last first seat was at `mine` goes first against one whose was at `theirs`.

    The player whose last first seat is longer ago goes first. If both are equal, the seed decides, on all nodes alike.
    """
    return mine < theirs or (mine == theirs and short_hash(seed)[0] % 2 == 0)


def room_ids(seed: str, private: bool) -> Iterator[str]:
    """Yield the ids to try for the room with this seed, equal on all nodes. Ids of other games are skipped."""
    for number in range(MAX_ROOM_IDS):
        hashed = int.from_bytes(short_hash(f"{seed} {number}"), "big")
        yield room_id(hashed, PRIVATE_LENGTH if private else PUBLIC_LENGTH)


def short_hash(text: str) -> bytes:
    """Return nine bytes that identify a text without revealing it."""
    return blake2b(text.encode(), digest_size=9).digest()
