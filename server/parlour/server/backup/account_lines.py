"""Accounts and their bots as lines of a file, in JSON. The lines contain password hashes."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from argon2 import extract_parameters
from argon2.exceptions import InvalidHashError
from msgspec import Meta, Struct
from msgspec.structs import asdict

from parlour.server.archive.record import Moment
from parlour.server.players.glicko2 import MAX_DEVIATION, MAX_RATING, MIN_RATING, Rating
from parlour.server.restrictions import Restriction

MAX_SIZE = 1_000_000  # bytes of a line

PlayerId = Annotated[str, Meta(pattern=r"^[\w-]{1,64}$")]
GameKey = Annotated[str, Meta(pattern=r"^[\w-]{1,64}$")]
Games = Annotated[int, Meta(ge=0)]


class RatingLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A rating in one game, with the fields of `glicko2.Rating` by their names."""

    rating: Annotated[float, Meta(ge=MIN_RATING, le=MAX_RATING)]
    deviation: Annotated[float, Meta(gt=0, le=MAX_DEVIATION)]
    volatility: Annotated[float, Meta(gt=0, lt=1)]
    at: Moment
    won: Games
    lost: Games
    drawn: Games


class AccountLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """An account, or a bot of an account."""

    id: PlayerId
    name: str
    kind: Literal["account", "bot"] = "account"
    created: Moment
    password: str | None = None  # the hash, of an account
    password_once: str | None = None  # whether an operator has set it for one sign-in, as the store has it
    suspended: Restriction | None = None
    muted: Restriction | None = None
    owner: PlayerId | None = None  # of a bot
    ratings: dict[GameKey, RatingLine] = {}


def write_line(line: AccountLine) -> bytes:
    """Return an account as a line, the same for equal accounts."""
    return msgspec.json.encode(line, order="deterministic")


def read_line(line: bytes) -> AccountLine:
    """Return the account of a line. Raise ValueError, with a sentence, if the line is not an account."""
    if len(line) > MAX_SIZE:
        raise ValueError("The line is too long for an account.")
    try:
        found = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"), type=AccountLine)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise ValueError(f"This is not the JSON of an account: {fault}.") from None
    if found.kind == "bot":
        if found.owner is None or found.password is not None:
            raise ValueError("A bot has an owner, and no password.")
        return found
    if found.owner is not None or found.password is None:
        raise ValueError("An account has a password, and no owner.")
    try:
        extract_parameters(found.password)
    except InvalidHashError:
        raise ValueError("The password is not an Argon2 hash.") from None
    return found


def rating_line(rating: Rating) -> RatingLine:
    """Return a rating as it is written."""
    return RatingLine(**asdict(rating))


def rating_of(line: RatingLine) -> Rating:
    """Return a rating as it is stored."""
    return Rating(**asdict(line))
