"""The keys of a store as portable values, independent of the server software and the number of masters."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from msgspec import Struct

from parlour.server.store.pipeline import Pipeline
from parlour.server.store.resp import Arg

MOST_ITEMS = 500  # of a key, written by one command
MOST_COMMANDS = 5_000  # in flight

# Keys that nodes write again by themselves, or that are of no use elsewhere: heartbeats, the correction of the store's
# clock, skeletons of names, presence, open seeks, queues, jobs, rate limits, ids of commands, locks, and copies of data
# in the log or the archive.
PASSING = re.compile(
    r"\{(live|online|seeks|jobs|rules|format|archive|pool-[0-9a-f]+)\}:"
    r"|\{heartbeat\}:(correction|beats)$"
    r"|\{[^}]*\}:(snapshot$|archived$|enqueued:)"
    r"|player:\{[^}]*\}:(invitations$|command:)"
    r"|budget:|probe:|look:"
)
BINARY = "base64:"  # prefix of bytes that are not readable as text


class StoredKey(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A key without the prefix of its deployment, and its value as text."""

    key: str
    type: Literal["string", "hash", "set", "zset", "list", "stream"]
    value: Any  # a text, a list of texts (sets and lists), or a list of lists of texts (all others)
    expires: int | None = None  # milliseconds since 1970


async def read_keys(pipeline: Pipeline) -> AsyncIterator[StoredKey]:
    """Yield every key that a backup contains, with its value at that moment. A key may be yielded twice."""
    start = f"{pipeline.keys.prefix}:"
    async for found in pipeline.scan(f"{start}*"):
        names = [name for name in found if not PASSING.match(name.decode().removeprefix(start))]
        kinds = [reply.decode() for reply in await pipeline.call_all(*((b"TYPE", name) for name in names))]
        expiry = await pipeline.call_all(*((b"PEXPIRETIME", name) for name in names))
        values = await asyncio.gather(*(_read(pipeline, name, kind) for name, kind in zip(names, kinds, strict=True)))
        for name, kind, value, expires in zip(names, kinds, values, expiry, strict=True):
            if value not in (None, []):  # otherwise the key has just been removed
                stored: Any = (name.decode().removeprefix(start), kind, value, None if expires < 0 else expires)
                yield StoredKey(*stored)


async def _read(pipeline: Pipeline, name: bytes, kind: str) -> Any:
    match kind:
        case "string":
            found = await pipeline.call(b"GET", name)
            return None if found is None else to_text(found)
        case "hash":
            return sorted(_pairs(await pipeline.call(b"HGETALL", name)))  # servers list the fields in any order
        case "set":
            return sorted(map(to_text, await pipeline.call(b"SMEMBERS", name)))
        case "zset":
            return _pairs(await pipeline.call(b"ZRANGE", name, 0, -1, b"WITHSCORES"))
        case "list":
            return [to_text(item) for item in await pipeline.call(b"LRANGE", name, 0, -1)]
        case "stream":
            entries = await pipeline.call(b"XRANGE", name, b"-", b"+")
            return [[to_text(id), *map(to_text, fields)] for id, fields in entries]
    return None  # "none": it has just been removed


def _pairs(flat: list[bytes]) -> list[list[str]]:
    return [[to_text(first), to_text(second)] for first, second in zip(flat[::2], flat[1::2], strict=True)]


async def write_keys(pipeline: Pipeline, stored: list[StoredKey]) -> None:
    """Write keys, replacing their values. Idempotent."""
    start = f"{pipeline.keys.prefix}:"
    commands = [command for each in stored for command in write_commands(each, start)]
    for first in range(0, len(commands), MOST_COMMANDS):
        await pipeline.call_all(*commands[first : first + MOST_COMMANDS])


def write_commands(stored: StoredKey, prefix: str) -> list[tuple[Arg, ...]]:
    """Return the commands that write a key. Raise ValueError or TypeError if its value does not fit its type."""
    name = prefix + stored.key
    commands: list[tuple[Arg, ...]] = [(b"DEL", name)]
    commands += [(command, name, *args) for command, *args in _writes(stored)]
    if stored.expires is not None:
        commands.append((b"PEXPIREAT", name, stored.expires))
    return commands


def _writes(stored: StoredKey) -> Iterator[list[Arg]]:
    value: Any = stored.value
    if stored.type == "string":
        yield [b"SET", to_bytes(value)]
    elif stored.type == "stream":
        for entry in value:
            yield [b"XADD", *map(to_bytes, entry)]
    else:
        command = {"hash": b"HSET", "set": b"SADD", "zset": b"ZADD", "list": b"RPUSH"}[stored.type]
        for first in range(0, len(value), MOST_ITEMS):
            items = value[first : first + MOST_ITEMS]
            yield [command, *(argument for item in items for argument in _arguments(stored.type, item))]


def _arguments(kind: str, item: Any) -> list[bytes]:
    if kind in ("set", "list"):
        return [to_bytes(item)]
    first, second = map(to_bytes, item)
    return [second, first] if kind == "zset" else [first, second]  # the score comes first


def to_text(data: bytes) -> str:
    """Return bytes as text, readable if they are UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return BINARY + b64encode(data).decode()
    is_readable = text.isprintable() and not text.startswith(BINARY)
    return text if is_readable else BINARY + b64encode(data).decode()


def to_bytes(text: Any) -> bytes:
    """Return the bytes of a text. Raise ValueError or TypeError if it is not one that `to_text` returns."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a text")
    return b64decode(text.removeprefix(BINARY), validate=True) if text.startswith(BINARY) else text.encode()
