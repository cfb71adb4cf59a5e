"""A room's state as a value, and how events change it. Pure: no wall clock, no network, no randomness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from parlour import games
from parlour.games.api import Game, Move
from parlour.games.state_codec import decode_state, encode_state
from parlour.protocol.types import Clock, OptionValue, Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.clock import Times
from parlour.server.rooms.events import (
    CLAIM_AFTER,
    AnyEvent,
    Berserked,
    Chose,
    Closed,
    CommandEvent,
    Created,
    Declined,
    Disconnected,
    Ended,
    Excused,
    Offered,
    Participant,
    Played,
    Reconnected,
    Rematch,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.shared_list import SharedList, shared_list

Status = Literal["choosing", "playing", "over"]

# How many moves, and how many other commands, a room remembers in order to recognise one that is sent again: more than
# a client can have in flight.
REMEMBERED = 64

# The clocks start with this ply: the first move of each side is free.
CLOCKS_RUN_FROM = 2


class ProcessedCommand(Struct, frozen=True, array_like=True, gc=False):
    """A command that was executed, and the seq of its event."""

    player: str
    id: int
    seq: int
    session: str = ""
    digest: int = 0


class Ply(Struct, frozen=True, array_like=True, gc=False):
    """A move that was made."""

    move: Move
    text: str  # in the game's notation
    seat: int
    took: int  # milliseconds
    id: int = -1  # of the command
    seq: int = 0  # of the event
    session: str = ""  # of the mover
    digest: int = 0  # of the command


class RoomState(Struct, frozen=True, gc=False):
    """The state of a room, folded from its log."""

    id: str
    seq: int  # of the last event
    game: str
    options: dict[str, OptionValue]
    clock: Clock
    rated: bool
    position: str | None  # where the game started; None: at the game's usual start
    delay: int
    chooser: int | None
    follows: str | None
    created: int
    state: Any  # the game's own
    previous_state: Any  # before the last move; None before the first
    times: Times
    status: Status
    to_move: int | None  # the seat to move
    players: tuple[Participant, Participant]
    offline_since: tuple[int | None, int | None] = (None, None)  # by seat; None: connected
    plies: SharedList[Ply] = field(default_factory=shared_list)
    position_hashes: SharedList[bytes] = field(default_factory=shared_list)  # of every position, if repetition matters
    turn_began: int = 0
    offers: tuple[tuple[int, str], ...] = ()  # open offers: seat and kind
    offers_made: tuple[tuple[int, str, int], ...] = ()  # all offers so far: seat, kind and ply
    result: Result | None = None
    next: str | None = None  # the room of the rematch
    processed: tuple[ProcessedCommand, ...] = ()  # the newest; `plies` has the commands of moves
    claim_after: int = CLAIM_AFTER
    private: bool = False  # not listed among the live games
    excused_until: int = 0  # the end of the newest outage that was excused
    ended: int = 0  # when the game ended
    rules_version: int = 1  # by which the game is played
    is_archived: bool = False  # restored from the archive: the log is gone, so nothing can happen any more
    closed: bool = False  # by an operator
    lag_cap: int = clocks.LAG_CAP  # milliseconds of network delay per move that are not charged, at most
    unrated: str = ""  # why a rated game does not count, if that was known from the start
    tournament: str = ""  # that the game is part of
    berserk: tuple[bool, bool] | None = None  # by seat: whether the player has halved the clock; None: not possible
    first_move_factor: int = 1  # how many times longer than usual first moves are awaited

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def rules(self) -> Game[Any]:
        return games.find(self.game)

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return self.plies.length

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(ply.text for ply in self.plies)

    @property
    def movers(self) -> tuple[int, ...]:
        return tuple(ply.seat for ply in self.plies)

    @property
    def level_to_move(self) -> str | None:
        """The level of the bot to move; None if a person, or neither player, is to move."""
        return None if self.to_move is None else self.players[self.to_move].level

    @property
    def people(self) -> list[str]:
        """The ids of the players that are not bots of the server."""
        return [participant.id for participant in self.players if participant.level is None]

    def seat_of(self, player: str) -> int | None:
        """Return a player's seat; None for a spectator."""
        first, second = self.players
        if first.id == player:
            return 0
        return 1 if second.id == player else None

    def opponent_of(self, player: str) -> Participant | None:
        """Return a player's opponent; None for a spectator, and against a bot of the server."""
        seat = self.seat_of(player)
        opponent = None if seat is None else self.players[1 - seat]
        return None if opponent is None or opponent.level is not None else opponent

    def pack(self) -> bytes:
        """Return the room as bytes, for a snapshot."""
        return encode_state(replace(self, plies=self.plies.unshared(), position_hashes=self.position_hashes.unshared()))

    def find_processed(self, player: str, session: str, id: int) -> ProcessedCommand | None:
        """Return the command with this id that was executed before; None if none was, or it is no longer remembered."""
        for ply in self.plies.newest_first(REMEMBERED):
            if ply.id == id and ply.session == session and self.players[ply.seat].id == player:
                return self.command_of(ply)
        for done in self.processed:
            if done.id == id and done.session == session and done.player == player:
                return done
        return None

    def highest_command_ids(self) -> dict[tuple[str, str], int]:
        """Return the highest id of the executed commands, by player and session."""
        highest: dict[tuple[str, str], int] = {}
        for done in (*map(self.command_of, self.plies), *self.processed):
            highest[done.player, done.session] = max(done.id, highest.get((done.player, done.session), -1))
        return highest

    def command_of(self, ply: Ply) -> ProcessedCommand:
        """Return the command of a move."""
        return ProcessedCommand(self.players[ply.seat].id, ply.id, ply.seq, ply.session, ply.digest)


Transition = tuple[AnyEvent, RoomState]  # an event, and the room after it


def unpack(data: bytes) -> RoomState:
    """Return the room in a snapshot. Raise Refusal if this node does not support its rules."""
    room = decode_state(RoomState, data)
    # Only the game knows the type of its state.
    kind = type(games.find_version(room.game, room.rules_version).initial(room.options))
    previous = None if room.previous_state is None else msgspec.convert(room.previous_state, kind)
    return replace(room, state=msgspec.convert(room.state, kind), previous_state=previous)


def position_hash(state: Any) -> bytes:
    """Return a short hash of a position, the same in every process."""
    return blake2b(encode_state(state), digest_size=8).digest()


def starting_state(game: Game[Any], options: Mapping[str, OptionValue], position: str | None) -> Any:
    """Return a game's state before the first move."""
    return game.initial(options) if position is None else game.parse(position, options)


def initial_state(id: str, event: Created) -> RoomState:
    """Return the room after its first event. Raise Refusal if this node does not support its rules."""
    game = games.find_version(event.game, event.rules_version)
    state = starting_state(game, event.options, event.position)
    has_started = event.chooser is None
    return RoomState(
        id=id,
        seq=1,
        game=event.game,
        options=event.options,
        clock=event.clock,
        rated=event.rated,
        position=event.position,
        delay=event.delay,
        chooser=event.chooser,
        follows=event.follows,
        created=event.at,
        state=state,
        previous_state=None,
        times=clocks.fresh(event.clock),
        status="playing" if has_started else "choosing",
        to_move=game.to_move(state) if has_started else None,
        players=event.players,
        position_hashes=shared_list(position_hash(state)) if game.info.repetition else shared_list(),
        turn_began=event.at if has_started else 0,
        claim_after=event.claim_after,
        private=event.private,
        rules_version=event.rules_version,
        lag_cap=event.lag_cap,
        unrated=event.unrated,
        tournament=event.tournament,
        berserk=(False, False) if event.berserk else None,
        first_move_factor=event.first_move_factor,
    )


def evolve(room: RoomState, event: AnyEvent) -> RoomState:
    """Return the room after an event. Events are facts, so nothing is checked here."""
    if type(event) is Played:
        return _played(room, event)
    changed = _changed(room, event)
    seq, processed = room.seq + 1, changed.processed
    if isinstance(event, CommandEvent) and event.by:
        done = ProcessedCommand(event.by, event.id, seq, event.session, event.digest)
        processed = _remembered(processed, done)
    return replace(changed, seq=seq, processed=processed)


def transitions(room: RoomState, events: Sequence[AnyEvent]) -> list[Transition]:
    """Return each event with the room after it."""
    found = []
    for event in events:
        room = evolve(room, event)
        found.append((event, room))
    return found


def _remembered(processed: tuple[ProcessedCommand, ...], newest: ProcessedCommand) -> tuple[ProcessedCommand, ...]:
    return (*processed[-REMEMBERED + 1 :], newest)


def _changed(room: RoomState, event: AnyEvent) -> RoomState:
    match event:
        case Chose():
            return _chose(room, event)
        case Berserked():
            return _berserk(room, event.seat)
        case Started():
            return replace(room, status="playing", turn_began=event.at, to_move=room.rules.to_move(room.state))
        case Offered():
            offers = (*room.offers, (event.seat, event.what))
            return replace(room, offers=offers, offers_made=(*room.offers_made, (event.seat, event.what, room.ply)))
        case Declined():
            return replace(room, offers=tuple(offer for offer in room.offers if offer[1] != event.what))
        case TakenBack():
            return _taken_back(room, event)
        case Disconnected():
            return _presence(room, event.seat, event.at)
        case Reconnected():
            return _presence(room, event.seat, None)
        case Ended():
            times, now = _stopped(room, event.at), event.at
            return replace(room, status="over", to_move=None, result=event.result, offers=(), times=times, ended=now)
        case Rematch():
            return replace(room, next=event.next, offers=())
        case Excused():
            return _excused(room, event)
        case Closed():
            return replace(room, closed=True, offers=())
        case Played():
            return _played(room, event)
        case Created():
            raise ValueError("a room is created only once")


def _chose(room: RoomState, event: Chose) -> RoomState:
    if not event.swap:
        return replace(room, chooser=None)
    (first, second), (first_since, second_since) = room.players, room.offline_since
    return replace(room, chooser=None, players=(second, first), offline_since=(second_since, first_since))


def _berserk(room: RoomState, seat: int) -> RoomState:
    (first, second), (did_first, did_second) = room.times.left, room.berserk or (False, False)
    left = (first, clocks.halved(second)) if seat else (clocks.halved(first), second)
    return replace(
        room, times=replace(room.times, left=left), berserk=(did_first or not seat, did_second or bool(seat))
    )


def _played(room: RoomState, event: Played) -> RoomState:
    game, before, move, now = games.find(room.game), room.state, event.move, event.at
    seat = room.to_move
    assert seat is not None
    after = game.apply(before, move)
    next_seat = game.to_move(after)
    plies, hashes, times = room.plies, room.position_hashes, room.times
    if times.running is not None:
        times = clocks.press(room.clock, times, now, event.lag, next_seat)
    elif next_seat is not None and plies.length + 1 >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, next_seat, now)
    took, seq, text = now - room.turn_began, room.seq + 1, game.write(before, move)
    return replace(
        room,
        seq=seq,
        state=after,
        previous_state=before,
        to_move=next_seat,
        times=times,
        plies=plies.append(Ply(move, text, seat, took if took > 0 else 0, event.id, seq, event.session, event.digest)),
        position_hashes=hashes.append(position_hash(after)) if hashes.length else hashes,
        turn_began=now,
        offers=(),
    )


def _taken_back(room: RoomState, event: TakenBack) -> RoomState:
    """Return to an earlier position. Used time stays used; the clock of the seat to move runs from now."""
    game, plies = room.rules, event.plies
    state = starting_state(game, room.options, room.position)
    previous = None
    kept = room.plies.truncate(plies)
    for ply in kept:
        previous, state = state, game.apply(state, ply.move)
    times = clocks.stop(room.clock, room.times, event.at)
    seat = game.to_move(state)
    if seat is not None and plies >= CLOCKS_RUN_FROM:
        times = clocks.run(room.clock, times, seat, event.at)
    hashes = room.position_hashes
    return replace(
        room,
        state=state,
        previous_state=previous,
        to_move=seat,
        times=times,
        plies=kept,
        position_hashes=hashes.truncate(plies + 1) if hashes else hashes,
        turn_began=event.at,
        offers=(),
        offers_made=tuple(made for made in room.offers_made if made[2] <= plies),
        processed=_processed_with_moves(room, plies),
    )


def _processed_with_moves(room: RoomState, first: int) -> tuple[ProcessedCommand, ...]:
    """Return the processed commands, with those of the moves from `first` on, which `plies` is about to lose."""
    done = room.processed
    for ply in room.plies.items[first : room.plies.length]:
        if ply.id >= 0:
            done = _remembered(done, room.command_of(ply))
    return done


def _excused(room: RoomState, outage: Excused) -> RoomState:
    """Shift every time that is being counted by the part of the outage that came after it."""

    def lost(since: int) -> int:
        return max(0, outage.until - max(outage.since, since))

    first, second = (
        since if since is None or outage.seat == 1 - seat else since + lost(since)
        for seat, since in enumerate(room.offline_since)
    )
    is_of_mover = outage.seat is None or outage.seat == room.to_move
    return replace(
        room,
        times=clocks.excuse(room.times, lost(room.times.since)) if is_of_mover else room.times,
        turn_began=room.turn_began + lost(room.turn_began) if is_of_mover else room.turn_began,
        offline_since=(first, second),
        excused_until=outage.until,
    )


def _stopped(room: RoomState, now: int) -> Times:
    """Return the clocks, stopped at this time."""
    first, second = (clocks.left_at(room.clock, room.times, seat, now) for seat in (0, 1))
    return Times((first, second))


def _presence(room: RoomState, seat: int, offline_since: int | None) -> RoomState:
    first, second = room.offline_since
    return replace(room, offline_since=(first, offline_since) if seat else (offline_since, second))
