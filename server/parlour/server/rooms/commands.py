"""Decides what a command does in a room: the events that follow from it, or a refusal.

Pure: the room, the player, the command and the time are arguments, and nothing is changed. The caller appends the
events to the log and, once they are there, applies them with `evolve`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from parlour import games
from parlour.games.api import REPETITION, Move
from parlour.protocol.command_digest import command_digest
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    Berserk,
    ChooseFirst,
    Claim,
    Command,
    Offer,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.types import Result
from parlour.server.outages import Outage, SeatNodes
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.events import (
    AnyEvent,
    Berserked,
    Chose,
    Declined,
    Disconnected,
    Ended,
    Excused,
    Offered,
    Played,
    Reconnected,
    Rematch,
    Started,
    TakenBack,
)  # fmt: skip
from parlour.server.rooms.fair_play import counted
from parlour.server.rooms.state import RoomState, Transition, evolve

FIRST_MOVE_WITHIN = 60_000  # milliseconds for each player's first move; then a timed game between people is aborted

# After an outage players first have to reconnect: a client may wait 6 seconds between two attempts.
RETURN_WITHIN = 8_000

# A bot that has not moved by then is asked again: the first request may have been lost with its node.
BOT_MOVE_WITHIN = 10_000

# A game of guests without a clock is aborted after this time without a move: as long as an unused guest exists. A game
# between bots is aborted much earlier, because it goes on only while it is watched.
IDLE_WITHIN = 30 * 24 * 3_600_000
UNWATCHED_WITHIN = 3_600_000

OPEN_FOR = 50 * 60_000  # how long a room stays open after its game, for a rematch

# Endings that do not follow from the rules of the game.
RESIGNED, FLAG, AGREED, ABANDONED, ABORTED = "resigned", "flag", "agreed", "abandoned", "aborted"
ADJUDICATED, CANCELLED = "adjudicated", "cancelled"  # by an operator

WITHOUT_RESULT = frozenset({ABORTED, CANCELLED})  # such games are neither rated nor archived

Events = tuple[AnyEvent, ...]


# -- what players ask for


class Origin(NamedTuple):
    """Where an event comes from: the last fields of every event that a command can cause."""

    by: str
    id: int
    session: str
    digest: int


def decide(room: RoomState, player: str, command: Command, now: int, lag: int = 0, session: str = "") -> Events:
    """Return the events that follow from a player's command. Raise Refusal if it is not allowed now."""
    if type(command) is Play:
        return tuple(event for event, _ in decide_move(room, player, command, now, lag, session))
    seat = _seat(room, player, now)
    origin = Origin(player, command.id, session, command_digest(command))
    match command:
        case Offer():
            return _offer(room, seat, command, now, origin)
        case AnswerOffer():
            return _answer(room, seat, command, now, origin)
        case Resign():
            _check_playing(room)
            return (Ended(now, counted(room, Result(1 - seat, RESIGNED, _scores(room))), seat, *origin),)
        case Abort():
            _check_not_over(room)
            if room.tournament:
                raise Refusal(ErrorCode.TOO_LATE_TO_ABORT, "This is a game of a tournament. Resign, or offer a draw.")
            if room.ply >= 2:
                raise Refusal(ErrorCode.TOO_LATE_TO_ABORT, "Both players have moved. Resign, or offer a draw.")
            return (Ended(now, Result(None, ABORTED), seat, *origin),)
        case Claim():
            return _claim(room, seat, now, origin)
        case ChooseFirst():
            return _choose_first(room, seat, command, now, origin)
        case Berserk():
            return _berserk(room, seat, now, origin)
    raise Refusal(ErrorCode.REQUEST_MALFORMED, "A room has no such command.")


def decide_move(
    room: RoomState, player: str, command: Play, now: int, lag: int = 0, session: str = ""
) -> Sequence[Transition]:
    """Decide on a move like `decide`, and also return the resulting rooms, which it computes anyway."""
    seat = _seat(room, player, now)
    if room.status != "playing":
        _check_playing(room)
    if command.ply != room.plies.length:
        sentence = f"That was for move {command.ply + 1}, but the game is at move {room.ply + 1}."
        raise Refusal(ErrorCode.STALE_PLY, sentence)
    game = games.find(room.game)
    if room.to_move != seat:
        raise Refusal(ErrorCode.NOT_YOUR_TURN, f"It is {game.info.seats[1 - seat].name}'s turn.")
    move: Move
    if command.move is not None:
        move = game.read(room.state, command.move)
    elif command.picks is not None:
        move = game.check(room.state, command.picks)
    else:
        raise Refusal(ErrorCode.REQUEST_MALFORMED, "Send the move as `move` or as `picks`.")
    uncharged = lag if lag < room.lag_cap else room.lag_cap
    played = Played(now, move, uncharged, player, command.id, session, command_digest(command))
    after = evolve(room, played)
    outcome = game.outcome(after.state)
    hashes = after.position_hashes
    if outcome is not None:
        result = Result(outcome.winner, outcome.reason, outcome.scores)
    elif hashes.length and hashes.count(hashes.newest) == game.info.repetition:
        result = Result(None, REPETITION, game.scores(after.state))
    else:
        return ((played, after),)
    ended = Ended(now, result)
    return (played, after), (ended, evolve(after, ended))


# -- what happens without a command


def expire(room: RoomState, now: int, grace: int = clocks.LAG_CAP) -> Events:
    """Return the events caused by time alone: a player is out of time, or the game was not begun.

    `grace` is how long a move may still be in transit, which is known only for a move that has arrived.
    """
    if room.status != "playing":
        return ()
    if room.times.running is not None and clocks.flagged(room.clock, room.times, now, min(grace, room.lag_cap)):
        return (Ended(now, Result(1 - room.times.running, FLAG, _scores(room)), room.times.running),)
    if _awaits_first_move(room) and now >= _first_move_by(room):
        return (Ended(now, Result(None, ABORTED)),)
    idle_at = _idle_at(room)
    if idle_at is not None and now >= idle_at:
        return (Ended(now, Result(None, ABORTED)),)
    return ()


def deadline(room: RoomState) -> int | None:
    """Return the time of the room's next check if nothing else happens; None for never."""
    if room.status != "playing":
        return None
    flag = clocks.deadline(room.clock, room.times)
    first, second = room.players
    has_bot = first.level is not None or second.level is not None
    if flag is not None and not has_bot:
        return flag + room.lag_cap  # nothing else can be due while a clock runs between people
    due = [
        None if flag is None else flag + room.lag_cap,
        _first_move_by(room) if _awaits_first_move(room) else None,
        _idle_at(room),
        room.turn_began + BOT_MOVE_WITHIN if _awaits_bot(room) else None,
    ]
    return min(filter(None, due), default=None)


def _awaits_bot(room: RoomState) -> bool:
    """Return whether it is a bot's turn in a game that goes on without subscribers."""
    return room.level_to_move is not None and (bool(room.people) or bool(room.tournament))


def abort_in(room: RoomState, now: int) -> int | None:
    """Return in how many milliseconds the game is aborted if the player to move does not; None for never."""
    if room.status != "playing" or not _awaits_first_move(room):
        return None
    return max(0, _first_move_by(room) - now)


def current_outages(room: RoomState, outages: Sequence[Outage]) -> Sequence[Outage]:
    """Return the known outages during which time was counted in this room, without those already excused."""
    counted_since = [since for since in room.offline_since if since is not None]
    if room.clock.kind != "none":
        counted_since.append(room.turn_began)
    if room.status != "playing" or not counted_since:
        return ()
    considered_until = max(min(counted_since), room.excused_until)
    return [outage for outage in outages if outage.until + RETURN_WITHIN > considered_until]


def excuse_outages(room: RoomState, outages: Sequence[Outage], nodes: SeatNodes, now: int) -> Events:
    """Return the events that excuse outages, during which clocks stand still.

    They must come first in the log. `outages` are current ones, oldest first; `nodes` are those that serve the players.
    """
    events: list[AnyEvent] = []
    excused_until = room.excused_until
    for outage in outages:
        until = outage.until + RETURN_WITHIN
        hit = [seat for seat in (0, 1) if nodes[seat].was_hit_by(outage) and _counts_time(room, seat)]
        if hit and until > excused_until:
            seat = hit[0] if outage.node and len(hit) == 1 else None
            events.append(Excused(now, max(outage.since, excused_until), until, seat))
            excused_until = until
    return tuple(events)


def _counts_time(room: RoomState, seat: int) -> bool:
    """Return whether time is being counted against a seat: it is to move, or its player is offline."""
    return (seat == room.to_move and room.clock.kind != "none") or room.offline_since[seat] is not None


def disconnect(room: RoomState, seat: int, now: int) -> Events:
    """Record that a player has lost its last connection."""
    if room.offline_since[seat] is not None or room.players[seat].level is not None:
        return ()
    return () if room.status == "over" else (Disconnected(now, seat),)


def reconnect(room: RoomState, seat: int, now: int) -> Events:
    """Record that a player is connected again."""
    if room.offline_since[seat] is None or is_closed(room, now):
        return ()
    return (Reconnected(now, seat),)


def is_closed(room: RoomState, now: int) -> bool:
    """Return whether nothing can happen in a room any more, so that its log may be archived."""
    if room.closed:
        return True
    return room.status == "over" and (room.is_archived or now > room.ended + OPEN_FOR)


def claim_in(room: RoomState, seat: int, now: int) -> int | None:
    """Return the milliseconds until `seat` may claim the win.

    Return None while the opponent is online, and for clocks in days, where players need not stay online.
    """
    since = room.offline_since[1 - seat]
    if room.status != "playing" or since is None or room.clock.kind == "days":
        return None
    return max(0, since + room.claim_after - now)


# -- room ids

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # no two of them look alike


PUBLIC_LENGTH = 6  # letters; every update carries the id, so it is short
PRIVATE_LENGTH = 10  # a player who knows the id of a private game can watch it, so it cannot be guessed


def room_id(number: int, length: int = PUBLIC_LENGTH) -> str:
    """Return a room id made of a random number."""
    letters = []
    for _ in range(length):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(letters)


def rematch_room_id(room: RoomState, origin: Origin) -> str:
    """Return the id of a room's rematch, which only those can compute who know the session that agreed to it."""
    seed = f"{room.id} {origin.by} {origin.session} {origin.id}".encode()
    number = int.from_bytes(blake2b(seed, person=b"rematch", digest_size=9).digest(), "big")
    return room_id(number, PRIVATE_LENGTH if room.private else PUBLIC_LENGTH)


# -- one function per command


def _offer(room: RoomState, seat: int, command: Offer, now: int, origin: Origin) -> Events:
    if (1 - seat, command.kind) in room.offers:
        return _accept(room, seat, command.kind, now, origin)
    if command.kind == "rematch":
        if room.status != "over":
            raise Refusal(ErrorCode.OFFER_REFUSED, "You can offer a rematch when this game is over.")
        if room.tournament:
            raise Refusal(ErrorCode.OFFER_REFUSED, "A game of a tournament has no rematch.")
        if room.next is not None:
            raise Refusal(ErrorCode.OFFER_REFUSED, "The rematch has already started.")
    else:
        _check_playing(room)
    if command.kind == "takeback" and seat not in room.movers:
        raise Refusal(ErrorCode.OFFER_REFUSED, "You have not made a move that can be taken back.")
    if (seat, command.kind, room.ply) in room.offers_made:
        raise Refusal(ErrorCode.OFFER_REFUSED, "You have already offered that. Make a move first.")
    if room.players[1 - seat].level is not None:
        if command.kind == "draw":
            raise Refusal(ErrorCode.OFFER_REFUSED, "The computer does not accept draws.")
        return _accept(room, 1 - seat, command.kind, now, origin)
    return (Offered(now, seat, command.kind, *origin),)


def _answer(room: RoomState, seat: int, command: AnswerOffer, now: int, origin: Origin) -> Events:
    theirs, own = (1 - seat, command.kind) in room.offers, (seat, command.kind) in room.offers
    if not theirs and (command.accept or not own):
        raise Refusal(ErrorCode.NOTHING_OFFERED, "That offer is no longer open.")
    if command.accept:
        return _accept(room, seat, command.kind, now, origin)
    return (Declined(now, seat, command.kind, own and not theirs, *origin),)


def _accept(room: RoomState, seat: int, what: str, now: int, origin: Origin) -> Events:
    match what:
        case "draw":
            return (Ended(now, counted(room, Result(None, AGREED, _scores(room))), seat, *origin),)
        case "takeback":
            plies = max(ply for ply, mover in enumerate(room.movers) if mover == 1 - seat)
            return (TakenBack(now, seat, plies, *origin),)
        case _:
            return (Rematch(now, seat, rematch_room_id(room, origin), *origin),)


def _claim(room: RoomState, seat: int, now: int, origin: Origin) -> Events:
    _check_playing(room)
    if room.clock.kind == "days":
        raise Refusal(ErrorCode.CANNOT_CLAIM, "With days per move, players may be offline. Wait for the clock.")
    wait = claim_in(room, seat, now)
    if wait is None:
        raise Refusal(ErrorCode.CANNOT_CLAIM, "Your opponent is online.")
    if wait > 0:
        raise Refusal(ErrorCode.CANNOT_CLAIM, f"You can claim the win in {-(-wait // 1000)} seconds.")
    return (Ended(now, counted(room, Result(seat, ABANDONED, _scores(room))), seat, *origin),)


def _choose_first(room: RoomState, seat: int, command: ChooseFirst, now: int, origin: Origin) -> Events:
    if room.status != "choosing" or room.chooser != seat:
        raise Refusal(ErrorCode.OFFER_REFUSED, "Your opponent chooses who moves first.")
    swap = command.go_first != (seat == 0)
    return (Chose(now, swap, *origin), Started(now))


def _berserk(room: RoomState, seat: int, now: int, origin: Origin) -> Events:
    _check_playing(room)
    if room.berserk is None:
        raise Refusal(ErrorCode.BERSERK_REFUSED, "The clock cannot be halved in this game.")
    if room.berserk[seat]:
        raise Refusal(ErrorCode.BERSERK_REFUSED, "You have halved your clock already.")
    if seat in room.movers:
        raise Refusal(ErrorCode.BERSERK_REFUSED, "You can halve your clock only before your first move.")
    return (Berserked(now, seat, *origin),)


def _seat(room: RoomState, player: str, now: int) -> int:
    seat = room.seat_of(player)
    if seat is None:
        raise Refusal(ErrorCode.NOT_A_PLAYER, "Only the two players can do that.")
    if room.status == "over" and is_closed(room, now):
        raise Refusal(ErrorCode.GAME_OVER, "This room is closed. Start a new game.")
    return seat


def _check_not_over(room: RoomState) -> None:
    if room.status == "over":
        raise Refusal(ErrorCode.GAME_OVER, "The game is over.")


def _check_playing(room: RoomState) -> None:
    _check_not_over(room)
    if room.status != "playing":
        raise Refusal(ErrorCode.GAME_NOT_STARTED, "The game has not started yet.")


def _scores(room: RoomState) -> tuple[int, ...]:
    return room.rules.scores(room.state)


def _idle_at(room: RoomState) -> int | None:
    """Return when a game of guests or of bots is aborted for lack of a move."""
    first, second = room.players
    if first.level is not None and second.level is not None and not room.tournament:
        return room.turn_began + UNWATCHED_WITHIN
    if room.clock.kind != "none":
        return None
    has_account = any(each.level is None and not each.player.guest for each in room.players)
    return None if has_account else room.turn_began + IDLE_WITHIN


def _first_move_by(room: RoomState) -> int:
    """Return the time by which the player to move must make the first move."""
    return room.turn_began + FIRST_MOVE_WITHIN * room.first_move_factor


def _awaits_first_move(room: RoomState) -> bool:
    """Return whether a player's first move is still awaited, in a game with a clock between people.

    In a tournament it is awaited against the computer, too: without it the round would never end.
    """
    if room.clock.kind in ("none", "days") or room.times.running is not None:
        return False
    between_people = all(participant.level is None for participant in room.players)
    return between_people or (bool(room.tournament) and room.level_to_move is None)
