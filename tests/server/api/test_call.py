"""The player and the command of a request."""

from __future__ import annotations

from parlour.protocol.messages import Resign
from parlour.protocol.types import Terms
from tests.server.api.http_client import HttpClient
from tests.server.running_node import RunningNode, running_node


async def test_a_key_holds_on_every_node(valkey: str, node: RunningNode, http: HttpClient) -> None:
    """A request that is repeated on another node is answered again and not carried out again."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("replica"), ada, ben)
    one, key = http.with_token(ada.token), "Idempotency-Key: resign"
    first = await one.post(f"/rooms/{room}/resign", None, key)
    async with running_node(valkey, "another") as other:
        again = await HttpClient.of(other).with_token(ada.token).post(f"/rooms/{room}/resign", None, key)
    assert first.status == 200
    assert again.json == first.json


async def test_without_a_key_every_request_is_a_new_command(node: RunningNode, http: HttpClient) -> None:
    """The second one finds what the first one did."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("replica"), ada, ben)
    assert isinstance(await ben.ask(Resign(id=0, room=room)), object)
    one = http.with_token(ada.token)
    assert (await one.post(f"/rooms/{room}/resign")).json["error"] == "game_over"
    assert (await one.post(f"/rooms/{room}/resign", None, "Idempotency-Key: " + "k" * 300)).status == 400


async def test_a_request_leaves_nothing_behind(node: RunningNode, http: HttpClient) -> None:
    """No session and no presence in the room."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("replica"), ada, ben)
    guest = await http.guest()
    before = len(node.node.dispatcher.sessions)
    for _ in range(3):
        await guest.get(f"/rooms/{room}")
        await guest.post(f"/rooms/{room}/resign")
    assert len(node.node.dispatcher.sessions) == before
    assert node.registry.rooms[room].subscribers.spectators == 0
