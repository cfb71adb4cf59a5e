"""Players by HTTP."""

from __future__ import annotations

from parlour.protocol.messages import Register, Resign
from parlour.protocol.types import Clock, Terms
from tests.server.api.http_client import HttpClient, archived, public_table
from tests.server.running_node import RunningNode


async def test_a_player_has_a_profile_ratings_and_games(node: RunningNode, http: HttpClient) -> None:
    """After a rated game."""
    ada, ben = await node.call(), await node.call()
    for caller, name in ((ada, "Ada"), (ben, "Ben")):
        await caller.ask(Register(id=0, name=name, password="a long password"))
    room = await public_table(Terms("replica", {}, Clock("fischer", 600_000, 1_000), rated=True), ada, ben)
    await node.play(room, ada, ben)
    await ben.ask(Resign(id=0, room=room))
    await archived(http, room)

    profile = (await http.get("/players/ada")).json
    ratings = (await http.get("/players/Ada/ratings")).json
    assert profile["player"] == ratings["player"] == {"name": "Ada"}
    assert profile["ratings"] == ratings["rows"]
    assert [row["room"] for row in (await http.get("/players/Ada/games?result=won&opponent=Ben")).json["rows"]] == [
        room
    ]
    assert "rows" in (await http.get("/players/Ada/games?result=lost")).json
    assert (await http.get("/players/Ada/games?result=lost")).json["rows"] == []


async def test_who_is_online_is_listed(node: RunningNode, http: HttpClient) -> None:
    """Once the node has reported it."""
    await node.call(name="Ada")
    await node.node.sweep()
    assert [row["player"]["name"] for row in (await http.get("/players")).json["rows"]] == ["Ada"]


async def test_an_unknown_player_is_not_found(http: HttpClient) -> None:
    """Even with a slash in the name."""
    for path in ("/players/A%2FB", "/players/Unknown/games", "/players/Unknown/ratings"):
        assert (await http.get(path)).json["error"] == "player_unknown", path
