"""Test vectors: messages, scenes, choices, clocks, sessions and games, for clients in other languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from parlour import games
from parlour.games.choices import choices
from parlour.protocol.codec import MSGPACK
from parlour.protocol.messages import Choices, RoomEvent, name_of
from parlour.protocol.scene import patch, scene_hash
from parlour.protocol.types import Pick, Step
from publish.clocks import clocks
from publish.edge_cases import PATCHES, SCENES
from publish.model import CLIENT_KINDS
from publish.records import records
from publish.sample_games import sample_game
from publish.sample_people import ROOM
from publish.samples import samples
from publish.sessions import attempts, reconnects, sessions

# For each game a seed whose random game is neither very short nor very long.
SEEDS = {"isaac": 1, "mapello": 1, "mitsudomoe": 48, "replica": 5}

# A small budget of picks, so that the client has to ask for the rest with explore.
CUT = 60


class Vector(Struct, frozen=True):
    """One message in both definitions."""

    name: str
    direction: str
    t: str
    json: Any
    msgpack: str


def files() -> dict[str, str]:
    """Return the text of every file of vectors, by file name."""
    found = {
        "messages.json": _lines(messages()),
        "scenes.json": _object({"scenes": _scenes(), "patches": _patches()}),
        "choices.json": _lines(_choices()),
        "clocks.json": _lines(clocks()),
        "records.json": _lines(records()),
        "sessions.json": _object({"sessions": sessions(), "reconnects": reconnects(), "attempts": attempts()}),
    }
    for key, seed in SEEDS.items():
        found[f"games/{key}.json"] = _game(key, seed)
    return found


# -- messages


@lru_cache(maxsize=1)
def messages() -> tuple[Vector, ...]:
    """Return all examples, and for each message one with every field and one with only the required fields."""
    found: list[Vector] = []
    for kind in dict.fromkeys(type(sample) for sample in samples()):
        own = [sample for sample in samples() if type(sample) is kind]
        tag = name_of(kind)
        named = {_name(number, sample): sample for number, sample in enumerate(own, 1)}
        named[f"{tag}, every field"] = _every_field(own)
        named[f"{tag}, only what is required"] = _only_required(own[0])
        seen: list[Struct] = []
        for name, message in named.items():
            if message not in seen:
                seen.append(message)
                found.append(vector(name, message))
    return tuple(found)


def _name(number: int, sample: Struct) -> str:
    tag = name_of(type(sample))
    if isinstance(sample, RoomEvent):
        return f"{tag}, {sample.kind}" + (f": {sample.result.reason}" if sample.result else "")
    return tag if number == 1 else f"{tag}, example {number}"


def vector(name: str, message: Struct) -> Vector:
    direction = "client" if type(message) in CLIENT_KINDS else "server"
    tag = name_of(type(message))
    return Vector(name, direction, tag, msgspec.to_builtins(message), _hex(message))


def _every_field(own: Sequence[Struct]) -> Struct:
    """Return the first example, with the fields that it lacks taken from the others."""
    values = {}
    for field in msgspec.structs.fields(own[0]):
        given = [getattr(sample, field.name) for sample in own]
        values[field.name] = next((value for value in given if value != field.default), given[0])
    return type(own[0])(**values)


def _only_required(sample: Struct) -> Struct:
    fields = msgspec.structs.fields(sample)
    return type(sample)(**{field.name: getattr(sample, field.name) for field in fields if field.required})


# -- scenes


def _scenes() -> Iterator[dict[str, Any]]:
    for name, scene in SCENES.items():
        yield {"name": name, "scene": scene, "canonical": _hex(scene), "hash": scene_hash(scene)}


def _patches() -> Iterator[dict[str, Any]]:
    for name, (old, change) in PATCHES.items():
        new = patch(old, change)
        yield {"name": name, "old": old, "change": change, "new": new, "hash": scene_hash(new)}


def _hex(part: Struct) -> str:
    return bytes(MSGPACK.encode(part)).hex()


# -- choices


def _choices() -> Iterator[dict[str, Any]]:
    for key in SEEDS:
        yield _choice(f"{key}, first turn", key, ())
    yield _choice("isaac, first turn, cut", "isaac", (), CUT)
    first = games.find("isaac").steps(games.find("isaac").initial(games.find("isaac").options({})))[-1]
    yield _choice("isaac, answer to explore", "isaac", (first,))


def _choice(name: str, key: str, picks: tuple[int, ...], budget: int | None = None) -> dict[str, Any]:
    game = games.find(key)
    state = game.initial(game.options({}))
    step, prompts = choices(game, state, picks) if budget is None else choices(game, state, picks, budget)
    message = Choices(room=ROOM, ply=0, step=step, prompts=prompts, id=112 if picks else None, picks=picks)
    complete, cut = _count(step)
    return {**msgspec.to_builtins(vector(name, message)), "complete": complete, "cut": cut}


def _count(step: Step) -> tuple[int, int]:
    """Return how many paths through the tree complete a turn, and how many end where explore is needed."""
    complete = cut = 0
    for pick in step.picks:
        if isinstance(pick, Pick) and pick.then is not None:
            more_complete, more_cut = _count(pick.then)
            complete += more_complete
            cut += more_cut
        elif isinstance(pick, Pick) and pick.more:
            cut += 1
        else:
            complete += 1
    return complete, cut


# -- whole games


def _game(key: str, seed: int) -> str:
    match = sample_game(key, seed, ROOM)
    moves = (
        {"text": moved.move, "change": moved.change, "hash": moved.hash, "moved": _hex(moved)} for moved in match.moves
    )
    return _object(
        {
            "game": match.game,
            "options": match.options,
            "seed": match.seed,
            "board": match.board,
            "first": match.scenes[0],
            "hash": scene_hash(match.scenes[0]),
            "moves": moves,
            "last": match.scenes[-1],
            "result": match.result,
        }
    )


# -- JSON, one vector per line


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _lines(items: Any, indent: str = "") -> str:
    inner = ",\n".join(f"{indent} {_json(item)}" for item in items)
    return f"[\n{inner}\n{indent}]" + ("" if indent else "\n")


def _object(fields: dict[str, Any]) -> str:
    inner = ",\n".join(
        f" {_json(name)}: {_lines(value, ' ') if isinstance(value, Iterator) else _json(value)}"
        for name, value in fields.items()
    )
    return f"{{\n{inner}\n}}\n"
