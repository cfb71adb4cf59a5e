"""New guests and their names."""

from __future__ import annotations

import secrets

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.guest_names import guest_name
from parlour.server.players.names import MAX_LENGTH, fold_name
from parlour.server.store.players import Identity, PlayerStore

ATTEMPTS = 20  # to find a free name


async def create_guest(players: PlayerStore, requested: str | None = None) -> Identity:
    """Create a guest with the requested name, with a number appended if it is taken, or with a generated name.

    The requested name must be tidy. Refuse it if the numbered names are taken too.
    """
    name = ""
    for attempt in range(ATTEMPTS):
        name = guest_name(secrets.randbits(64)) if requested is None else _numbered(requested, attempt)
        guest = await players.create_guest(name, fold_name(name))
        if guest is not None:
            return guest
    sentence = f"Too many players have a name like {requested or name}. Choose another name."
    raise Refusal(ErrorCode.NAME_TAKEN, sentence)


def _numbered(name: str, attempt: int) -> str:
    """Return the name with a random number that gets longer with each attempt; unchanged at the first."""
    if attempt == 0:
        return name
    number = str(secrets.randbelow(10 ** min(attempt + 1, 6)))
    return f"{name[: MAX_LENGTH - 1 - len(number)].rstrip()} {number}"
