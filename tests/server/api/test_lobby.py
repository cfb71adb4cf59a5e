"""The lobby by HTTP."""

from __future__ import annotations

from parlour.protocol.messages import Accept, ChallengeClosed, Challenged, Paired
from parlour.protocol.types import Terms
from tests.server.api.http_client import HttpClient, public_table
from tests.server.running_node import RunningNode

TERMS = {"terms": {"game": "replica"}}


async def test_a_seek_lasts_as_long_as_its_stream(node: RunningNode, http: HttpClient) -> None:
    """It is listed while the stream is open."""
    guest = await http.guest()
    async with http.stream("/lobby/stream") as lobby:
        await lobby.next("lobby")
        async with guest.stream("/seeks", method="POST", body=TERMS) as lines:
            seek = (await lines.next("ok"))["seek"]
            assert [each["seek"] for each in (await lobby.next("lobby_changed"))["seeks"]] == [seek]
            assert [each["seek"] for each in (await http.get("/lobby")).json["seeks"]] == [seek]
        while not (changed := await lobby.next("lobby_changed")).get("seeks_removed"):
            pass
        assert changed["seeks_removed"] == [seek]


async def test_the_stream_of_a_seek_ends_with_the_pairing(node: RunningNode, http: HttpClient) -> None:
    """Its last line names the room."""
    guest, ben = await http.guest(), await node.call()
    async with guest.stream("/seeks", method="POST", body=TERMS) as lines:
        seek = (await lines.next("ok"))["seek"]
        room = (await ben.ask(Accept(id=0, seek=seek))).room
        assert (await lines.next("paired"))["room"] == room
        assert await lines.chunk() == b""


async def test_two_players_in_the_queue_are_paired(node: RunningNode, http: HttpClient) -> None:
    """The second one at once."""
    one, two = await http.guest(), await http.guest()
    async with one.stream("/queue", method="POST", body=TERMS) as first:
        await first.next("ok")
        async with two.stream("/queue", method="POST", body=TERMS) as second:
            assert (await second.next("paired"))["room"] == (await first.next("paired"))["room"]


async def test_a_challenge_is_accepted_or_declined(node: RunningNode, http: HttpClient) -> None:
    """The other player gets it wherever that player is connected."""
    ada, guest = await node.call(name="Ada"), await http.guest()
    declined = (await guest.post("/challenges", {**TERMS, "to": "Ada"})).json["seek"]
    assert (await ada.hears(Challenged)).seek == declined
    async with guest.stream("/me/stream") as mine:
        assert (await http.with_token(ada.token).post(f"/seeks/{declined}/cancel")).status == 200
        assert (await mine.next("challenge_closed"))["declined"]
        code = (await guest.post("/challenges", TERMS)).json["seek"]
        assert (await http.get(f"/invitations/{code}")).json["name"] == "Replica"
        room = (await http.with_token(ada.token).post(f"/seeks/{code}/accept")).json["room"]
        assert (await mine.next("paired"))["room"] == room
    assert (await ada.hears(Paired)).room == room
    assert ada.has_heard(ChallengeClosed) == []
    assert (await http.get(f"/invitations/{code}")).json["error"] == "invite_unknown"


async def test_live_games_are_listed(node: RunningNode, http: HttpClient) -> None:
    """With their boards."""
    ada, ben = await node.call(), await node.call()
    room = await public_table(Terms("replica"), ada, ben)
    await node.node.sweep()
    [game] = [game for game in (await http.get("/live")).json["rows"] if game["room"] == room]
    assert game["scene"]
