"""How a room begins: from what players agreed on to the first events of its log. Pure; chance is an argument."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from parlour import games
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import OptionValue, Terms
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Room
from parlour.server.rooms.events import CLAIM_AFTER, AnyEvent, Created, Seated, Started


class Guest(Struct, frozen=True):
    """Somebody who will sit at a table."""

    player: str
    name: str
    rating: int | None = None
    bot: bool = False
    level: str | None = None  # of the computer, if it is not a player of its own
    sure: bool = True  # whether the rating rests on enough games
    guest: bool = False  # has no account


def agreed(terms: Terms, position: str | None, chance: Random) -> tuple[dict[str, OptionValue], str | None]:
    """The options and the first position of a game under these terms; refuses terms that cannot be played."""
    game = games.find(terms.game)
    given = dict(terms.options)
    for spec in game.info.options:
        # A board drawn by chance is another one for every game, and the seed is kept so that it can be drawn again.
        if spec.key == "seed" and spec.key not in given:
            given[spec.key] = chance.randrange(spec.low, spec.high + 1)
    options = game.options(given)
    clocks.check(terms.clock)
    if position is not None and game.to_move(game.parse(position, options)) is None:
        raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "Nobody can move in that position.")
    if terms.rated:
        _check_rated(terms, options, position)
    return dict(options), position


def opening(
    terms: Terms,
    options: dict[str, OptionValue],
    position: str | None,
    seats: Sequence[Guest | None],
    now: int,
    *,
    host: int | None = None,
    delay: int = 0,
    follows: str | None = None,
    claim_after: int = CLAIM_AFTER,
    private: bool = False,
) -> tuple[AnyEvent, ...]:
    """The first events of a room. `host` is the seat of the one who chose the board, if one of them did."""
    chooser = 1 - host if host is not None and _has_own_board(terms.game, options) else None
    events: list[AnyEvent] = [
        Created(
            now, terms.game, options, terms.clock, terms.rated, position, delay, chooser, follows, claim_after, private
        )
    ]
    events += [
        Seated(now, seat, guest.player, guest.name, guest.rating, guest.bot, guest.level, guest.sure, guest.guest)
        for seat, guest in enumerate(seats)
        if guest is not None
    ]
    if all(guest is not None for guest in seats) and chooser is None:
        events.append(Started(now))
    return tuple(events)


def rematch(room: Room, now: int, chance: Random) -> tuple[AnyEvent, ...]:
    """The first events of the next game between the same two, with the seats changed."""
    terms = Terms(room.game, {k: v for k, v in room.options.items() if k != "seed"}, room.clock, room.rated)
    options, _ = agreed(terms, None, chance)
    first, second = (
        None if c is None else Guest(c.player, c.name, c.rating, c.bot, c.level, c.sure, c.guest) for c in room.chairs
    )
    return opening(
        terms,
        options,
        room.position,
        (second, first),
        now,
        delay=room.delay,
        follows=room.id,
        claim_after=room.claim_after,
        private=room.private,
    )


def _check_rated(terms: Terms, options: Options, position: str | None) -> None:
    """Refuse to rate a game in which one of the two may have prepared something, or which may never end."""
    if position is not None:
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game starts where the rules say, not at a given position.")
    if _has_own_board(terms.game, options):
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game is not played on a board that one of the players drew.")
    if "seed" in terms.options:
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game draws its own seed: leave it out.")
    if terms.clock.kind == "none":
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game needs a clock.")


def _has_own_board(key: str, options: Options) -> bool:
    """Whether one of the players brought a board. Then the other one chooses who moves first."""
    specs = games.find(key).info.options
    return any(spec.kind == "layout" and options[spec.key] not in spec.choices for spec in specs)
