"""What `parlour.client` exports is complete and documented, and objects say what they are."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, get_args, get_type_hints

import parlour.client
from parlour.client import Client, PendingSeek, Position, Table, Terms, Turn, connect
from parlour.client import __all__ as names
from parlour.protocol import messages
from tests.client.playing import any_turn, sit_down
from tests.e2e.processes import ServerProcess

PUBLIC = {name: getattr(parlour.client, name) for name in names}
OURS = {
    name: each
    for name, each in PUBLIC.items()
    if inspect.isclass(each) and each.__module__.startswith("parlour.client")
}


def members(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public methods and properties that a class defines itself."""
    for name, member in vars(kind).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def types_in(hint: Any) -> Iterator[type]:
    """Yield the classes that a type consists of."""
    if inspect.isclass(hint):
        yield hint
    for part in get_args(hint):
        yield from types_in(part)


def test_names_are_listed_once() -> None:
    """The list is sorted, and every name can be imported."""
    assert names == sorted(names)
    assert len(PUBLIC) == len(set(names))


def test_every_name_is_documented() -> None:
    """Each class and function, and each public method and property, has a docstring of its own."""
    described = {name: each for name, each in PUBLIC.items() if inspect.isclass(each) or inspect.isfunction(each)}
    bare = [name for name, each in described.items() if not vars(each).get("__doc__", each.__doc__)]
    bare += [
        f"{kind}.{name}" for kind, each in OURS.items() for name, function in members(each) if not function.__doc__
    ]

    assert bare == []


def test_every_type_alias_is_documented() -> None:
    """A text follows the definition of each alias of the SDK, as tools for references expect it."""
    for module in ("bot_move", "client", "connection", "pending_seek", "table", "tournaments"):
        source = inspect.getsource(__import__(f"parlour.client.{module}", fromlist=["parlour"]))
        body = ast.parse(source).body
        for node, following in pairwise(body):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names:
                assert isinstance(following, ast.Expr), node.targets[0].id
                assert isinstance(following.value, ast.Constant)


def test_the_types_of_signatures_are_exported() -> None:
    """Whatever a method takes or returns can be imported from the same place, but for the message behind `Lobby`."""
    namespace = {**vars(parlour.client), **PUBLIC}
    hints: list[tuple[str, Any]] = []
    for kind, each in OURS.items():
        for name, function in members(each):
            found = get_type_hints(function, localns=namespace)
            hints += [(f"{kind}.{name}", hint) for hint in found.values()]
    missing = {
        (where, found.__name__)
        for where, hint in hints
        for found in types_in(hint)
        if found.__module__.startswith("parlour.")
        and PUBLIC.get(found.__name__) is not found
        and found is not messages.Lobby
    }

    assert len(hints) > 50
    assert missing == set()


async def test_objects_say_what_they_are(server: ServerProcess) -> None:
    """The repr of each object has what a person at a prompt wants to know."""
    async with connect(server.url, name="Ann") as ann, connect(server.url, name="Ben") as ben:
        tables = await sit_down(ann, ben, Terms("replica"))
        turn = await tables[0].my_turn()
        assert turn is not None
        whole = await any_turn(tables[0], turn, Random(1))
        seek = await ann.seek(Terms("replica"))
        async with ben.lobby() as lobby:
            said = [repr(each) for each in (ann, tables[0], turn, whole, Position(tables[0], turn), seek, lobby)]
    room = tables[0].room
    picks = ", ".join(map(str, whole.picks))

    assert said == [
        f"<Client: Ann, {server.url}, connected, tables: {room}>",
        f"<Table {room}: replica, Ann against Ben, move 0, playing>",
        f"<Turn {room}: move 0, picks none>",
        f"<Turn {room}: move 0, picks {picks}, complete>",
        f"<Position {room}: replica, seat 0, move 0>",
        f"<PendingSeek {seek.seek}: waiting>",
        f"<Lobby: open, seeks: 1, live games: 0, online: {lobby.online}>",
    ]
    assert {type(each) for each in (ann, *tables, seek, turn)} == {Client, Table, PendingSeek, Turn}


async def test_the_name_of_a_guest(server: ServerProcess) -> None:
    """A guest gets the name that it wants, with a number behind it if another player has that name."""
    async with connect(server.url, name="Ann") as first, connect(server.url, name="Ann") as second:
        assert first.you.name == "Ann"
        assert second.you.name != "Ann"
        assert second.you.name.removeprefix("Ann").strip().isdigit()
