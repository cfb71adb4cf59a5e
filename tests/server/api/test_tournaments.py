"""Tournaments by HTTP."""

from __future__ import annotations

import json

from parlour.protocol.messages import Paired
from tests.server.api.http_client import HttpClient
from tests.server.running_node import RunningNode
from tests.server.tournaments.cups import create, enter, organiser


async def test_a_tournament_can_be_read(node: RunningNode, http: HttpClient) -> None:
    """Its page, its standings, the pairings of a round, and its events."""
    cup = await create(await organiser(node), min_players=2, max_players=2)
    assert [row["tournament"] for row in (await http.get("/tournaments?status=open")).json["rows"]] == [cup]
    callers = await enter(node, cup, 2)
    room = (await callers[0].hears(Paired)).room

    whole = (await http.get(f"/tournaments/{cup}")).json
    assert (whole["summary"]["status"], whole["round"]) == ("running", 1)
    standings = (await http.get(f"/tournaments/{cup}/standings")).json
    assert {row["player"]["name"] for row in standings["rows"]} == {"Ada", "Ben"}
    assert [game["room"] for game in (await http.get(f"/tournaments/{cup}/rounds/1")).json["games"]] == [room]
    log = (await http.get(f"/tournaments/{cup}/log")).json
    assert [json.loads(event)["type"] for event in log["events"]][:3] == ["created", "entered", "entered"]
    assert (await http.get(f"/tournaments/{cup}/rounds/2")).json["error"] == "request_malformed"


async def test_an_unknown_tournament_is_not_found(http: HttpClient) -> None:
    """At every address below it."""
    for path in ("", "/standings", "/rounds/1", "/log"):
        answer = await http.get(f"/tournaments/nowhere{path}")
        assert (answer.status, answer.json["error"]) == (404, "tournament_unknown"), path
