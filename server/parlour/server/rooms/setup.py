"""The setup of a room: from its terms to the first event of its log. Pure; randomness is an argument."""

from __future__ import annotations

from random import Random

from parlour import games
from parlour.games.options import Options
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import OptionValue, Terms
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.events import CLAIM_AFTER, Created, Participant
from parlour.server.rooms.state import RoomState, starting_state


def complete_options(terms: Terms, position: str | None, rng: Random) -> dict[str, OptionValue]:
    """Return the options of a game under these terms, with defaults and a seed filled in.

    Raise Refusal if such a game cannot be played, or not from this position.
    """
    game = games.find(terms.game)
    given = dict(terms.options)
    for spec in game.info.options:
        # A random board is different in every game; the seed is kept so that it can be drawn again.
        if spec.key == "seed" and spec.key not in given:
            given[spec.key] = rng.randrange(spec.low, spec.high + 1)
    options = game.options(given)
    clocks.check(terms.clock)
    if game.to_move(starting_state(game, options, position)) is None:
        if position is None:
            raise Refusal(ErrorCode.LAYOUT_INVALID, "There is no legal move on that board. Choose another board.")
        raise Refusal(ErrorCode.POSITION_IMPOSSIBLE, "There is no legal move in that position.")
    if terms.rated:
        _check_rated(terms, options, position)
    return dict(options)


def create(
    terms: Terms,
    options: dict[str, OptionValue],
    position: str | None,
    players: tuple[Participant, Participant],
    now: int,
    *,
    host: int | None = None,
    delay: int = 0,
    follows: str | None = None,
    claim_after: int = CLAIM_AFTER,
    private: bool = False,
    unrated: str = "",
    tournament: str = "",
    berserk: bool = False,
    first_move_factor: int = 1,
) -> Created:
    """Return the first event of a room. `host` is the seat of the player who chose the board, if one of them did.

    `unrated` is why a rated game does not count, if that is known already.
    """
    chooser = 1 - host if host is not None and _has_custom_board(terms.game, options) else None
    return Created(
        now, terms.game, options, terms.clock, players, terms.rated, position, delay, chooser, follows, claim_after,
        private, games.find(terms.game).info.rules_version, clocks.lag_cap(terms.clock),
        unrated, tournament, berserk, first_move_factor,
    )  # fmt: skip


def create_rematch(room: RoomState, now: int, rng: Random, unrated: str = "") -> Created:
    """Return the first event of the next game between the same players, with the seats swapped."""
    terms = Terms(room.game, {k: v for k, v in room.options.items() if k != "seed"}, room.clock, room.rated)
    first, second = room.players
    return create(
        terms,
        complete_options(terms, None, rng),
        room.position,
        (second, first),
        now,
        delay=room.delay,
        follows=room.id,
        claim_after=room.claim_after,
        private=room.private,
        unrated=unrated,
    )


def _check_rated(terms: Terms, options: Options, position: str | None) -> None:
    """Refuse to rate a game that one of the players may have prepared, or that may never end."""
    if position is not None:
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game starts from the usual position. Leave the position out.")
    if _has_custom_board(terms.game, options):
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game cannot use a board that one of the players designed.")
    if "seed" in terms.options:
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game draws its own seed. Leave the seed out.")
    if terms.clock.kind == "none":
        raise Refusal(ErrorCode.RATED_REFUSED, "A rated game needs a clock.")


def _has_custom_board(key: str, options: Options) -> bool:
    """Return whether one of the players designed the board. The other one then chooses who moves first."""
    specs = games.find(key).info.options
    return any(spec.kind == "layout" and options[spec.key] not in spec.choices for spec in specs)
