"""What the reference shows of commands is what a real server accepts, and its conversation happens as shown."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from parlour.protocol.codec import JSON
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import name_of
from publish.conversation import conversation
from publish.markdown import answers
from publish.model import CLIENT_KINDS, protocol
from publish.refusals import GENERAL, REFUSALS
from publish.sample_people import ROOM
from tests.docs.json_client import Client, client
from tests.e2e.processes import ServerProcess
from tests.web.conftest import GENEROUS

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")

KINDS = {name_of(kind): kind for kind in CLIENT_KINDS}
ANSWERS = {name_of(definition.kind): answers(definition) for definition in protocol().messages}
# Codes with which no example may be refused: they would mean that it is wrong.
WRONG = {
    ErrorCode.REQUEST_MALFORMED, ErrorCode.REQUEST_TOO_LARGE, ErrorCode.MESSAGE_UNKNOWN, ErrorCode.HELLO_FIRST,
    ErrorCode.ID_REUSED, ErrorCode.INTERNAL, ErrorCode.TRY_AGAIN, ErrorCode.TOO_FAST,
}  # fmt: skip
LAST = ("play", "resign", "abort", "leave", "sign_out")  # in this order: the others are not possible after them

pytestmark = pytest.mark.asyncio(loop_scope="module")


def examples() -> Iterator[dict[str, Any]]:
    """Yield every message from a client that the page shows as JSON, each once."""
    seen: list[Any] = []
    for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        message = json.loads(block)
        if isinstance(message, dict) and message.get("t") in KINDS and message not in seen:
            seen.append(message)
            yield message


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    one = ServerProcess(tmp_path_factory.mktemp("server") / "data", *GENEROUS)
    await one.start()
    yield one
    await one.kill()


async def begin(ada: Client, ben: Client, game: str) -> str:
    """Start a game in which Ada moves first; return its room."""
    seek = await ada.ask({"t": "challenge", "to": "Ben", "terms": {"game": game}, "seat": "first"})
    challenged = await ben.until("challenged")
    assert challenged["seek"] == seek["seek"]
    await ben.ask({"t": "accept", "seek": seek["seek"]})
    room = (await ada.until("paired"))["room"]
    for each in (ada, ben):
        assert (await each.ask({"t": "join", "room": room}))["t"] == "room"
    return str(room)


def checked(message: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return the name of the answer, or its code, which have to be documented."""
    if answer["t"] != "refused":
        assert answer["t"] in ANSWERS[message["t"]]
        return str(answer["t"])
    code = ErrorCode.named(answer["code"])
    assert code in (*REFUSALS[KINDS[message["t"]]], *GENERAL), f"{message['t']} is refused with {code}"
    return code.value


async def test_every_example_is_understood(server: ServerProcess) -> None:
    """Each message from a client, sent as it is shown but for its id and room, gets an answer that is documented."""
    told = list(examples())
    assert {message["t"] for message in told} == set(KINDS)
    found: dict[str, str] = {}
    async with client(server, name="Ada") as ada, client(server, name="Ben") as ben:
        room = await begin(ada, ben, "mitsudomoe")
        for message in sorted(told, key=lambda message: [*LAST].index(message["t"]) if message["t"] in LAST else -1):
            sent = message | ({"room": room} if message.get("room") == ROOM else {})
            if message["t"] == "hello":
                continue
            if message["t"] == "ping":
                await ada.send(sent)
                assert (await ada.until("pong"))["n"] == message["n"]
                continue
            answer = await ada.ask(sent)
            found[message["t"]] = checked(message, answer)
            assert found[message["t"]] not in {code.value for code in WRONG}, (message, answer)

    assert {tag for tag, result in found.items() if result in ANSWERS[tag]} >= {
        "register", "sign_in", "change_password", "create_bot", "export_account", "block", "mute", "get_block_list",
        "report", "watch_lobby", "seek", "queue", "create", "join", "sync", "play", "explore", "say", "offer",
        "preview", "get_rules", "get_lesson", "get_record", "get_profile", "get_leaderboard", "resign",
        "list_players", "leave", "sign_out",
    }  # fmt: skip


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"t": "nonsense"}, "message_unknown"),
    ({"t": "join"}, "request_malformed"),
    ({"t": "join", "room": "nowhere"}, "room_unknown"),
    ({"t": "sync", "room": "nowhere", "epoch": 0, "seq": 0}, "room_unknown"),
    ({"t": "seek", "terms": {"game": "chess"}}, "game_unknown"),
    ({"t": "seek", "terms": {"game": "mapello", "options": {"size": 3}}}, "option_unknown"),
    ({"t": "seek", "terms": {"game": "mapello", "options": {"seed": "x"}}}, "option_invalid"),
    ({"t": "seek", "terms": {"game": "mapello", "options": {"board": "##/##"}}}, "layout_invalid"),
    ({"t": "seek", "terms": {"game": "mapello", "clock": {"kind": "sand", "main": 1}}}, "clock_invalid"),
    ({"t": "seek", "terms": {"game": "mapello", "rated": True}}, "rated_refused"),
    ({"t": "create", "terms": {"game": "replica"}, "levels": [None, "nine"]}, "level_unknown"),
    ({"t": "create", "terms": {"game": "replica"}, "levels": [None, "1"], "position": "?"}, "position_malformed"),
    ({"t": "cancel", "seek": "s0"}, "invite_unknown"),
    ({"t": "accept", "seek": "s0"}, "invite_unknown"),
    ({"t": "challenge", "to": "Nemo", "terms": {"game": "replica"}}, "player_unknown"),
    ({"t": "block", "name": "Nemo"}, "player_unknown"),
    ({"t": "get_record", "room": "nowhere"}, "record_unknown"),
    ({"t": "read_record", "text": "1. e4 e5"}, "record_broken"),
    ({"t": "get_lesson", "game": "chess"}, "game_unknown"),
    ({"t": "try_move", "game": "replica", "step": "none", "move": "a1"}, "lesson_unknown"),
    ({"t": "study", "terms": {"game": "replica"}, "moves": ["a1-a8"]}, "move_illegal"),
    ({"t": "register", "name": "Eve", "password": "short"}, "password_refused"),
    ({"t": "change_password", "old": "a", "new": "b"}, "account_needed"),
    ({"t": "create_bot", "name": "Robot 2"}, "account_needed"),
    ({"t": "get_profile", "name": "Nemo"}, "player_unknown"),
]


async def test_refusals_are_documented(server: ServerProcess) -> None:
    """A wrong command is refused with the code that the index of messages lists for it."""
    async with client(server) as guest:
        for message, code in REFUSED:
            answer = await guest.ask(message)
            assert (answer["t"], answer.get("code")) == ("refused", code), message
            if message["t"] in KINDS:
                checked(message, answer)


async def test_the_conversation_happens_so(server: ServerProcess) -> None:
    """A real server answers the client as the page says, up to the first move that the computer chooses."""
    lines = [line for line in conversation() if line.message is not None]
    shown = [json.loads(JSON.encode(line.message)) for line in lines if line.message is not None]
    hello, welcome, create, ok, join, room, choices, play, played, moved = shown[:10]
    async with client(server, name="Conversation") as one:
        assert set(one.welcome) >= set(welcome) - {"lesson_minutes"}
        created = await one.ask(create)
        assert set(created) == set(ok)
        joined = await one.ask(join | {"room": created["room"]})
        joined["terms"]["options"]["seed"] = room["terms"]["options"]["seed"]  # drawn for each game
        assert joined["terms"].pop("clock", {}) == {}
        for key in ("board", "scene", "hash", "seq", "epoch", "terms", "status", "seat", "moves"):
            assert joined.get(key) == room.get(key), key
        offered = await one.until("choices")
        assert offered | {"room": ROOM} == choices
        await one.send(play | {"room": created["room"], "id": 90})
        first = await one.until(0)
        assert [first[0], ROOM, *first[2:]] == moved
        assert {"t": "ok", "id": 90, "seq": played["seq"], "epoch": played["epoch"]} in [
            *one.received, await one.receive(), await one.receive()
        ]  # fmt: skip
    assert hello["client"] == "example 1.0"
