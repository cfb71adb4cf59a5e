"""Players and tokens by HTTP."""

from __future__ import annotations

from parlour.protocol.messages import CreateBot, CreateToken, Register
from parlour.protocol.types import Terms
from tests.server.api.http_client import HttpClient
from tests.server.running_node import RunningNode


async def test_a_guest_gets_a_token(http: HttpClient) -> None:
    """Which identifies the guest until it is revoked."""
    made = await http.post("/guests", {"name": "Ada"})
    assert (made.status, made.json["you"]) == (201, {"name": "Ada", "guest": True})
    ada = http.with_token(made.json["token"])
    assert (await ada.get("/me")).json == {"you": {"name": "Ada", "guest": True}, "scopes": None, "playing": []}
    assert (await ada.post("/tokens/revoke", {})).status == 200
    answer = await ada.get("/me")
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_a_limited_token_allows_only_its_scopes(node: RunningNode, http: HttpClient) -> None:
    """By HTTP and through the WebSocket; public data needs no scope."""
    owner = await node.call()
    await owner.ask(Register(id=0, name="Ann", password="a long password"))
    bot = http.with_token((await owner.ask(CreateBot(id=0, name="Robbie"))).token)
    made = await bot.post("/tokens", {"scopes": ["challenge"]})
    limited = http.with_token(made.json["token"])

    assert made.status == 201
    assert (await limited.get("/me")).json["scopes"] == ["challenge"]
    room = (await limited.post("/rooms", {"terms": {"game": "replica"}, "levels": [None, "1"]})).json["room"]
    refused = [
        await limited.post(f"/rooms/{room}/resign"),
        await limited.get("/me/stream"),
        await limited.post("/tokens", {"scopes": ["play"]}),
    ]
    assert [(answer.status, answer.json["error"]) for answer in refused] == [(403, "scope_missing")] * 3
    assert (await limited.get(f"/rooms/{room}")).status == 200
    assert (await bot.post(f"/rooms/{room}/resign")).status == 200

    caller = await node.call(limited.token)
    assert await caller.code(CreateToken(id=0, scopes=("play",))) == "scope_missing"


async def test_guests_have_no_limited_tokens(http: HttpClient) -> None:
    """Their tokens expire with them."""
    answer = await (await http.guest()).post("/tokens", {"scopes": ["play"]})
    assert (answer.status, answer.json["error"]) == (403, "account_needed")


async def test_a_player_follows_what_happens(node: RunningNode, http: HttpClient) -> None:
    """The stream tells of a game that began before, and whose turn it is."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("replica"), ada, ben)
    async with http.with_token(ada.token).stream("/me/stream") as lines:
        assert (await lines.next("paired"))["room"] == room
        assert (await lines.next("your_game"))["room"] == room
