"""Playing and following a game by HTTP."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from parlour.protocol.messages import Moved, Presence, Resign, RoomEvent, Said, Say
from parlour.protocol.types import Terms
from parlour.server.api import openapi
from parlour.server.connections.line_stream import NDJSON_TYPE
from tests.server.api.http_client import HttpClient
from tests.server.running_node import RunningNode

TERMS = Terms("replica")


async def first_move(http: HttpClient, room: str) -> dict[str, Any]:
    """Return a body that plays the first legal move."""
    legal = (await http.get(f"/rooms/{room}/moves")).json
    return {"ply": legal["ply"], "move": legal["moves"][0]}


async def test_a_move_by_http_reaches_the_opponent(node: RunningNode, http: HttpClient) -> None:
    """It is in the log once it is answered, and moves of both kinds of clients alternate."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    one = http.with_token(ada.token)
    answer = await one.post(f"/rooms/{room}/moves", await first_move(one, room))
    assert (answer.status, answer.json["t"]) == (200, "ok")
    assert node.registry.rooms[room].state.seq == answer.json["seq"]
    assert (await ben.hears(Moved)).seq == answer.json["seq"]
    await node.play(room, ada, ben, moves=1)
    assert (await one.get(f"/rooms/{room}")).json["seat"] == 0
    assert len((await http.get(f"/rooms/{room}")).json["moves"]) == 2


async def test_a_repeated_request_is_carried_out_once(node: RunningNode, http: HttpClient) -> None:
    """It gets the same answer; the same key with another request is refused."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    one, key = http.with_token(ada.token), "Idempotency-Key: the first move"
    move = await first_move(one, room)
    first = await one.post(f"/rooms/{room}/moves", move, key)
    again = await one.post(f"/rooms/{room}/moves", move, key)
    other = await one.post(f"/rooms/{room}/resign", None, key)
    assert again.json == first.json
    assert node.registry.rooms[room].state.ply == 1
    assert (other.status, other.json["error"]) == (409, "id_reused")


async def test_refusals_have_the_codes_of_the_protocol(node: RunningNode, http: HttpClient) -> None:
    """And a status that fits."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    one, two = http.with_token(ada.token), http.with_token(ben.token)
    move = await first_move(one, room)
    found = [
        await two.post(f"/rooms/{room}/moves", move),
        await one.post(f"/rooms/{room}/moves", {"ply": 0, "move": "a1-a2"}),
        await one.post(f"/rooms/{room}/moves", {"ply": 4, "move": move["move"]}),
        await (await http.guest()).post(f"/rooms/{room}/resign"),
        await one.post("/rooms/nowhere/resign"),
        await http.post(f"/rooms/{room}/resign"),
        await one.post(f"/rooms/{room}/claim"),
    ]
    assert [(answer.status, answer.json["error"]) for answer in found] == [
        (409, "not_your_turn"),
        (422, "move_illegal"),
        (409, "stale_ply"),
        (403, "not_a_player"),
        (404, "room_unknown"),
        (401, "token_unknown"),
        (409, "cannot_claim"),
    ]


async def test_players_offer_talk_and_resign(node: RunningNode, http: HttpClient) -> None:
    """Through the commands of the protocol."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    one, two = http.with_token(ada.token), http.with_token(ben.token)
    await node.play(room, ada, ben, moves=2)
    assert (await one.post(f"/rooms/{room}/offers", {"kind": "draw"})).status == 200
    assert (await two.post(f"/rooms/{room}/offers/draw", {"accept": False})).status == 200
    assert (await one.post(f"/rooms/{room}/chat", {"text": "Well played."})).status == 200
    assert (await ben.hears(Said)).text == "Well played."
    assert (await one.post(f"/rooms/{room}/resign")).status == 200
    assert (await ben.hears(RoomEvent, lambda event: event.kind == "ended")).result is not None
    assert (await http.get(f"/rooms/{room}/moves")).json == {"ply": 2, "to_move": None, "moves": [], "more": False}


async def test_a_stream_is_a_subscriber(node: RunningNode, http: HttpClient) -> None:
    """It begins with the whole room; a player is present while it is open, and away once it is closed."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    await ada.socket.close()
    await ben.hears(RoomEvent, lambda event: event.kind == "disconnected")
    async with http.with_token(ada.token).stream(f"/rooms/{room}/stream") as lines:
        assert (await lines.next("room"))["seat"] == 0
        await ben.hears(RoomEvent, lambda event: event.kind == "reconnected")
        await ben.ask(Resign(id=0, room=room))
        while (await lines.next("event"))["kind"] != "ended":
            pass
    await node.until(lambda: not node.registry.rooms[room].subscribers.of_seat(0))


async def test_anyone_may_watch_without_a_token(node: RunningNode, http: HttpClient) -> None:
    """As a spectator, and as server-sent events if the client prefers them."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    async with http.stream(f"/rooms/{room}/stream", "Accept: text/event-stream") as lines:
        assert lines.headers["content-type"] == "text/event-stream"
        assert (await lines.chunk()).startswith(b'data: {"t":"room"')
        assert (await ada.hears(Presence, lambda presence: presence.spectators == 1)).spectators == 1
    missing = await http.get("/rooms/nowhere/stream")
    assert (missing.status, missing.json["error"]) == (404, "room_unknown")


async def test_a_game_against_the_computer_is_created_once(node: RunningNode, http: HttpClient) -> None:
    """The same key creates the same room."""
    guest = await http.guest()
    wanted = {"terms": {"game": "replica"}, "levels": [None, "1"]}
    first = await guest.post("/rooms", wanted, "Idempotency-Key: a")
    again = await guest.post("/rooms", wanted, "Idempotency-Key: a")
    assert (first.status, again.json["room"]) == (201, first.json["room"])
    assert (await guest.get("/me")).json["playing"] == [first.json["room"]]


async def test_players_of_a_game_get_no_hints(node: RunningNode, http: HttpClient) -> None:
    """Neither about the game nor about a position of the same kind."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    one = http.with_token(ada.token)
    found = [
        await one.get(f"/rooms/{room}/assessment?ply=0"),
        await one.post("/positions/assess", {"terms": {"game": "replica"}}),
    ]
    assert [(answer.status, answer.json["error"]) for answer in found] == [(403, "hint_refused")] * 2


async def test_each_line_of_a_stream_is_described(node: RunningNode, http: HttpClient) -> None:
    """The lines of a game, with its moves and its chat, fit the schema in the OpenAPI document."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(TERMS, ada, ben)
    lines: list[Any] = []
    async with http.stream(f"/rooms/{room}/stream") as stream:
        await node.play(room, ada, ben, moves=2)
        await ada.ask(Say(id=0, room=room, text="Good luck!"))
        await ben.ask(Resign(id=0, room=room))
        while not any(isinstance(line, dict) and line.get("result") for line in lines):
            lines += [json.loads(line) for line in (await stream.chunk()).splitlines() if line]
    document = openapi.document()
    responses = document["paths"]["/rooms/{room}/stream"]["get"]["responses"]
    schema = {**responses["200"]["content"][NDJSON_TYPE]["schema"], "components": document["components"]}
    validator = Draft202012Validator(schema)
    assert [line for line in lines if not validator.is_valid(line)] == []
    assert {0, "room", "event", "said"} <= {line[0] if isinstance(line, list) else line["t"] for line in lines}
