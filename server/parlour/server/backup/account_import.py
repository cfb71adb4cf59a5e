"""Adds the accounts of a file to a store, in steps that can be repeated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import IO

import msgspec

from parlour.protocol.errors import Refusal
from parlour.server.backup.account_lines import MAX_SIZE, AccountLine, rating_of, read_line
from parlour.server.backup.errors import ImportCode
from parlour.server.backup.imported_line import ImportedLine, imported, known, refused
from parlour.server.players.names import fold_name, tidy_name
from parlour.server.players.ratings import Ratings, encode
from parlour.server.store.names import NameStore
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.ratings import RatingStore


async def import_accounts(pipeline: Pipeline, source: IO[bytes]) -> AsyncIterator[list[ImportedLine]]:
    """Store accounts and bots, and yield what became of each. Idempotent: an account that exists is not changed.

    A caller that stops in between leaves whole accounts only. Raise StoreUnavailable.
    """
    importer = _Importer(pipeline)
    number = 0
    while line := source.readline(MAX_SIZE + 1):
        number += 1
        whole = line
        while not whole.endswith(b"\n") and (whole := source.readline(MAX_SIZE + 1)):
            pass  # the rest of a line that is too long
        if line.strip():
            yield [await importer.import_line(number, line)]


class _Importer:
    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._keys = pipeline.keys
        self._names = NameStore(pipeline)
        self._ratings = RatingStore(pipeline)

    async def import_line(self, number: int, text: bytes) -> ImportedLine:
        try:
            line = read_line(text)
            if tidy_name(line.name) != line.name:
                raise ValueError("The name has spaces or letters that names do not have.")
        except ValueError as fault:
            return refused(number, ImportCode.LINE_BROKEN, str(fault))
        except Refusal as refusal:
            return refused(number, ImportCode.NAME_REFUSED, refusal.sentence)
        return await self._import(number, line)

    async def _import(self, number: int, line: AccountLine) -> ImportedLine:
        """Reserve the name, store ratings and player, and confirm the name: the order in which a guest is created.

        If the process dies in between, the next import completes it, or begins again.
        """
        folded = fold_name(line.name)
        stored = await self._pipeline.call(b"HMGET", self._keys.player(line.id), b"kind", b"folded", b"name")
        if stored[0] is not None:
            if stored[:2] != [line.kind.encode(), folded.encode()]:
                name = (stored[2] or b"").decode()
                return refused(number, ImportCode.ID_TAKEN, f"The id {line.id} is that of {name}, who is not changed.")
            return known(number) if await self._complete(line, folded) else _name_taken(number, line)
        if line.owner is not None and await self._kind(line.owner) != b"account":
            sentence = f"The account {line.owner}, which the bot {line.name} belongs to, is not there. Import it first."
            return refused(number, ImportCode.OWNER_UNKNOWN, sentence)
        # Names that look alike may be older than the rule against them.
        if await self._names.reserve(folded, line.id, lookalikes_allowed=True) is None:
            return _name_taken(number, line)
        await self._ratings.put(line.id, {game: encode(rating_of(each)) for game, each in line.ratings.items()})
        await self._pipeline.call(b"HSET", self._keys.player(line.id), *_fields(line, folded))
        if await self._complete(line, folded):
            return imported(number)
        await self._pipeline.call_all(
            (b"DEL", self._keys.player(line.id)), (b"DEL", self._keys.ratings(line.id))
        )  # fmt: skip
        return _name_taken(number, line)

    async def _complete(self, line: AccountLine, folded: str) -> bool:
        """Confirm the name and finish, once the player is stored; return False if another player has the name."""
        if not await self._names.confirm(folded, line.id):
            return False
        if line.owner is not None:
            await self._pipeline.call(b"HSETNX", self._keys.player_bots(line.owner), folded, line.id)
        await Ratings(self._ratings).keep(line.id)
        return True

    async def _kind(self, id: str) -> bytes | None:
        kind: bytes | None = await self._pipeline.call(b"HGET", self._keys.player(id), b"kind")
        return kind


def _fields(line: AccountLine, folded: str) -> list[str | bytes | int]:
    """Return the fields of a player and their values, one after the other."""
    fields: dict[str, str | bytes | int | None] = {
        "kind": line.kind,
        "name": line.name,
        "folded": folded,
        "created": line.created,
        "password": line.password,
        "owner": line.owner,
        "password_once": line.password_once,
        "suspended": None if line.suspended is None else msgspec.json.encode(line.suspended),
        "muted": None if line.muted is None else msgspec.json.encode(line.muted),
    }
    return [argument for name, value in fields.items() if value is not None for argument in (name, value)]


def _name_taken(number: int, line: AccountLine) -> ImportedLine:
    sentence = f"Another player has the name {line.name}, so the account {line.id} is not imported."
    return refused(number, ImportCode.NAME_TAKEN, sentence)
