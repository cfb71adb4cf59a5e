"""What a room makes of a command: the events that follow from it, or a refusal.

Pure: the room, the player, the command and the time are arguments, and nothing is changed. Whoever calls appends the
events to the log and, once they are in it, folds them into the room with `evolve`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from parlour import games
from parlour.games.api import REPETITION, Move
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort,
    AnswerOffer,
    ChooseFirst,
    Claim,
    Command,
    Offer,
    Play,
    Resign,
)  # fmt: skip
from parlour.protocol.tables import Result
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Room, Step, evolve
from parlour.server.rooms.events import (
    AnyEvent,
    Back,
    Chose,
    Declined,
    Ended,
    Excused,
    Gone,
    Offered,
    Played,
    Rematch,
    Seated,
    Started,
    TakenBack,
)  # fmt: skip

FIRST_MOVE_WITHIN = 60_000  # a game with a clock is called off if nobody begins

# After an outage players first have to find their way back: a client may wait for 6 seconds between two attempts.
RETURN_WITHIN = 8_000

# A computer that has not moved by then is asked again: whoever should have asked may have died before.
THINKS_WITHIN = 10_000

OPEN_FOR = 50 * 60_000  # how long a room goes on after its game, for another one

# Endings that come from the table rather than from the board.
RESIGNED, FLAG, AGREED, ABANDONED, ABORTED = "resigned", "flag", "agreed", "abandoned", "aborted"

Events = tuple[AnyEvent, ...]


def decide(room: Room, player: str, command: Command, now: int, lag: int = 0) -> Events:
    """The events that a player's command leads to; refuses what is not allowed now."""
    if type(command) is Play:
        return tuple(event for event, _ in play(room, player, command, now, lag))
    seat = _seat(room, player, now)
    match command:
        case Offer():
            return _offer(room, player, seat, command, now)
        case AnswerOffer():
            return _answer(room, player, seat, command, now)
        case Resign():
            _must_be_on(room)
            return (Ended(now, Result(1 - seat, RESIGNED, _scores(room)), seat, player, command.id),)
        case Abort():
            _must_not_be_over(room)
            if room.ply >= 2:
                raise Refusal(ErrorCode.TOO_LATE_TO_ABORT, "Both sides have moved: resign, or offer a draw.")
            return (Ended(now, Result(None, ABORTED), seat, player, command.id),)
        case Claim():
            return _claim(room, player, seat, command, now)
        case ChooseFirst():
            return _choose_first(room, player, seat, command, now)
    raise Refusal(ErrorCode.REQUEST_MALFORMED, "A room does not know that command.")


def play(room: Room, player: str, command: Play, now: int, lag: int = 0) -> Sequence[Step]:
    """What `decide` says about a move, with what the room becomes by it: who decides on it has to know that anyway."""
    seat = _seat(room, player, now)
    if room.status != "playing":
        _must_be_on(room)
    if command.ply != room.plies.length:
        sentence = f"That was meant for move {command.ply + 1}; the game is at move {room.ply + 1}."
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
        raise Refusal(ErrorCode.REQUEST_MALFORMED, "A play needs a move or picks.")
    played = Played(now, move, lag, player, command.id)
    after = evolve(room, played)
    outcome = game.outcome(after.state)
    if outcome is not None:
        result = Result(outcome.winner, outcome.reason, outcome.scores)
    elif after.marks.length and after.marks.count(after.marks.newest) == game.info.repetition:
        result = Result(None, REPETITION, game.scores(after.state))
    else:
        return ((played, after),)
    ended = Ended(now, result)
    return (played, after), (ended, evolve(after, ended))


def sit(room: Room, seat: int | None, player: str, name: str, rating: int | None, bot: bool, now: int) -> Events:
    """Somebody takes a seat, the given one or any that is free; when both are taken the game starts by itself."""
    if room.seat_of(player) is not None:
        return ()
    _must_not_be_over(room)
    free = [number for number, chair in enumerate(room.chairs) if chair is None]
    wanted = free[:1] if seat is None else [number for number in free if number == seat]
    if not wanted:
        raise Refusal(ErrorCode.SEAT_TAKEN, "Somebody else has that seat.")
    seated = Seated(now, wanted[0], player, name, rating, bot)
    if len(free) == 1 and room.chooser is None:
        return (seated, Started(now))
    return (seated,)


def due(room: Room, now: int, grace: int = clocks.LAG_CAP) -> Events:
    """What has become true by itself: somebody's time is over, or nobody has begun.

    `grace` is the time that a move may still be under way; it is known only for a move that has arrived.
    """
    if room.status != "playing":
        return ()
    if room.times.running is not None and clocks.flagged(room.clock, room.times, now, grace):
        return (Ended(now, Result(1 - room.times.running, FLAG, _scores(room)), room.times.running),)
    waited = now - room.turn_began
    if _begins_slowly(room) and waited >= FIRST_MOVE_WITHIN:
        return (Ended(now, Result(None, ABORTED)),)
    return ()


def deadline(room: Room) -> int | None:
    """When `due` will have something to say, if nothing else happens; None: never."""
    if room.status != "playing":
        return None
    flag = clocks.deadline(room.clock, room.times)
    at = None
    if flag is not None:
        at = flag + clocks.LAG_CAP
    elif _begins_slowly(room):
        at = room.turn_began + FIRST_MOVE_WITHIN
    if room.thinking is not None:
        thought = room.turn_began + THINKS_WITHIN
        at = thought if at is None else min(at, thought)
    return at


def excuse(room: Room, outages: Sequence[tuple[int, int]], now: int) -> Events:
    """What has to be in the log before anything else, if nobody was served for a while: the clock stood still then.

    `outages` are all that there were, each with its beginning and its end, oldest first.
    """
    counted = [chair.gone_since for chair in room.chairs if chair is not None and chair.gone_since is not None]
    if room.clock.kind != "none":
        counted.append(room.turn_began)
    if room.status != "playing" or not counted:
        return ()
    considered = max(min(counted), room.excused)
    return tuple(
        Excused(now, since, until + RETURN_WITHIN) for since, until in outages if until + RETURN_WITHIN > considered
    )


def gone(room: Room, seat: int, now: int) -> Events:
    """A player's last connection is lost."""
    chair = room.chairs[seat]
    if chair is None or chair.gone_since is not None or chair.level is not None:
        return ()
    return (Gone(now, seat),) if room.status in ("playing", "choosing") else ()


def back(room: Room, seat: int, now: int) -> Events:
    """A player has a connection again."""
    chair = room.chairs[seat]
    return (Back(now, seat),) if chair and chair.gone_since is not None and not is_closed(room, now) else ()


def is_closed(room: Room, now: int) -> bool:
    """Whether nothing can happen in a room any more, so that its log may be put away."""
    return room.status == "over" and now > room.ended + OPEN_FOR


def claim_in(room: Room, seat: int, now: int) -> int | None:
    """Milliseconds until `seat` may claim the win; None while the opponent is here or time is counted in days."""
    other = room.chairs[1 - seat]
    if room.status != "playing" or other is None or other.gone_since is None or room.clock.kind == "days":
        return None
    return max(0, other.gone_since + room.claim_after - now)


def rematch_room(room_id: str) -> str:
    """The room of the next game: the same on every node, so that it is made once."""
    digest = int.from_bytes(blake2b(room_id.encode(), person=b"rematch", digest_size=8).digest(), "big")
    return room_name(digest)


ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # no two that look alike


def room_name(number: int) -> str:
    """A room's id of six characters, from a random number. It goes with every update, so it is short."""
    letters = []
    for _ in range(6):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(letters)


# -- one function per intention


def _offer(room: Room, player: str, seat: int, command: Offer, now: int) -> Events:
    if (1 - seat, command.what) in room.offers:
        return _accept(room, player, seat, command.what, command.id, now)
    if command.what == "rematch":
        if room.status != "over":
            raise Refusal(ErrorCode.OFFER_REFUSED, "Another game can be offered when this one is over.")
        if room.next is not None:
            raise Refusal(ErrorCode.OFFER_REFUSED, "The next game has begun already.")
    else:
        _must_be_on(room)
    if command.what == "takeback" and seat not in room.movers:
        raise Refusal(ErrorCode.OFFER_REFUSED, "You have made no move that could be taken back.")
    if (seat, command.what, room.ply) in room.offered:
        raise Refusal(ErrorCode.OFFER_REFUSED, "You have offered that already.")
    other = room.chairs[1 - seat]
    if other is not None and other.level is not None:
        if command.what == "draw":
            raise Refusal(ErrorCode.OFFER_REFUSED, "The computer plays on.")
        return _accept(room, player, 1 - seat, command.what, command.id, now)
    return (Offered(now, seat, command.what, player, command.id),)


def _answer(room: Room, player: str, seat: int, command: AnswerOffer, now: int) -> Events:
    theirs, own = (1 - seat, command.what) in room.offers, (seat, command.what) in room.offers
    if not theirs and (command.yes or not own):
        raise Refusal(ErrorCode.NOTHING_OFFERED, "There is no such offer any more.")
    if command.yes:
        return _accept(room, player, seat, command.what, command.id, now)
    return (Declined(now, seat, command.what, own and not theirs, player, command.id),)


def _accept(room: Room, player: str, seat: int, what: str, id: int, now: int) -> Events:
    match what:
        case "draw":
            return (Ended(now, Result(None, AGREED, _scores(room)), seat, player, id),)
        case "takeback":
            asker = 1 - seat
            plies = max(ply for ply, mover in enumerate(room.movers) if mover == asker)
            return (TakenBack(now, seat, plies, player, id),)
        case _:
            return (Rematch(now, seat, rematch_room(room.id), player, id),)


def _claim(room: Room, player: str, seat: int, command: Claim, now: int) -> Events:
    _must_be_on(room)
    if room.clock.kind == "days":
        raise Refusal(ErrorCode.CANNOT_CLAIM, "Nobody has to stay for a game of days: wait for the clock.")
    wait = claim_in(room, seat, now)
    if wait is None:
        raise Refusal(ErrorCode.CANNOT_CLAIM, "Your opponent is here.")
    if wait > 0:
        raise Refusal(ErrorCode.CANNOT_CLAIM, f"You can claim the win in {-(-wait // 1000)} seconds.")
    return (Ended(now, Result(seat, ABANDONED, _scores(room)), seat, player, command.id),)


def _choose_first(room: Room, player: str, seat: int, command: ChooseFirst, now: int) -> Events:
    if room.status != "choosing" or room.chooser != seat:
        raise Refusal(ErrorCode.OFFER_REFUSED, "You do not have that choice.")
    swap = command.me != (seat == 0)
    return (Chose(now, swap, player, command.id), Started(now))


def _seat(room: Room, player: str, now: int) -> int:
    """The seat of somebody who wants something of the game."""
    seat = room.seat_of(player)
    if seat is None:
        raise Refusal(ErrorCode.NOT_A_PLAYER, "Only the two players can do that.")
    if room.status == "over" and is_closed(room, now):
        raise Refusal(ErrorCode.GAME_OVER, "The game was over long ago: make a new table for the next one.")
    return seat


def _must_not_be_over(room: Room) -> None:
    if room.status == "over":
        raise Refusal(ErrorCode.GAME_OVER, "The game is over.")


def _must_be_on(room: Room) -> None:
    _must_not_be_over(room)
    if room.status != "playing":
        raise Refusal(ErrorCode.GAME_NOT_STARTED, "The game has not begun yet.")


def _scores(room: Room) -> tuple[int, ...]:
    return room.rules.scores(room.state)


def _begins_slowly(room: Room) -> bool:
    """Whether a game that is played against the clock still waits for somebody's first move."""
    return room.clock.kind not in ("none", "days") and room.times.running is None
