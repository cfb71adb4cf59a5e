"""Players can read what is stored about them."""

from __future__ import annotations

import json
from time import time

from redis.asyncio import Redis

from parlour.protocol.messages import (
    AccountData,
    Block,
    CancelTournament,
    CreateBot,
    ExportAccount,
    Mute,
    Register,
    Report,
)  # fmt: skip
from parlour.server.restrictions import Restriction
from tests.server.running_node import running_node
from tests.server.tournaments.cups import create

LATER = int(time() * 1000) + 86_400_000  # when a tournament begins that no test waits for


async def test_an_account_is_exported(valkey: str, redis: Redis) -> None:
    """It has everything but secrets: no password, no token and no id."""
    async with running_node(valkey) as node:
        ann = await node.call(name="Ann")
        await ann.ask(Register(id=0, name="Ann", password="wooden bishop"))
        await ann.ask(CreateBot(id=0, name="Robbie"))
        await node.call(name="Ben")
        await ann.ask(Block(id=0, name="Ben"))
        await ann.ask(Mute(id=0, name="Ben"))
        await ann.ask(Report(id=0, name="Ben", reason="stalling", text="Waits for an hour"))
        id = await node.store.players.id_of("ann")
        assert id is not None
        await node.store.moderation.mute(id, Restriction(0, "why"))
        current, finished = await create(ann, start=LATER), await create(ann, start=LATER)
        await ann.ask(CancelTournament(id=0, tournament=finished))
        await node.node.tournaments.check(finished)
        answer = await ann.ask(ExportAccount(id=0))
    assert isinstance(answer, AccountData)
    data = json.loads(answer.data)
    assert (data["name"], data["kind"], data["bots"]) == ("Ann", "account", ["Robbie"])
    assert data["muted"] == {"until": 0, "reason": "why"}
    assert (data["blocked_players"], data["muted_players"]) == (["Ben"], ["Ben"])
    assert [report["text"] for report in data["reports"]] == ["Waits for an hour"]
    assert len(data["devices"]) == 1
    assert data["tournaments"] == [current, finished]
    for secret in (id, ann.token, "argon2"):
        assert secret not in answer.data
