"""The paths of the admin API."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Terms
from parlour.server.admin.api import AdminApi, NotFound
from tests.server.admin.conftest import Nodes
from tests.server.tournaments.cups import create, organiser

FAR = 4_000_000_000_000


async def post(api: AdminApi, *path: str, **fields: Any) -> Any:
    """Execute an action as nora."""
    return await api.post("nora", list(path), msgspec.json.encode({"reason": "because", **fields}))


async def test_every_action_has_a_path(nodes: Nodes, api: AdminApi) -> None:
    """Each is executed and leaves its entry in the audit log."""
    await nodes[1].call(name="Sedge")
    id = await nodes[1].store.players.id_of("sedge")
    assert id is not None
    actions: dict[str, dict[str, Any]] = {
        "warn": {}, "mute": {"until": FAR}, "unmute": {}, "rename": {"name": "Reed"}, "suspend": {"until": FAR},
        "unban": {}, "ban": {},
    }  # fmt: skip
    for action, fields in actions.items():
        await post(api, "players", id, action, **fields)
    assert await post(api, "players", "Reed", "delete") == {"games": 0}
    first, second = await nodes[1].call(), await nodes[1].call()
    for action in ("adjudicate", "abort", "close"):
        await post(api, "rooms", await nodes[1].table(Terms("isaac"), first, second), action, winner=None)
    tournament = await create(await organiser(nodes[1]), start=nodes[1].store.clock.now() + 86_400_000)
    await post(api, "tournaments", tournament, "cancel")
    await post(api, "announce", text="We stop at noon.")
    found = [entry.action for entry in await api.get("nora", ["audit"], {})]
    assert found[::-1] == [*actions, "delete", "adjudicate", "abort", "close", "cancel-tournament", "announce"]


async def test_every_list_has_a_path(nodes: Nodes, api: AdminApi) -> None:
    """What is returned can be encoded as JSON."""
    await nodes[0].call(name="Sedge")
    await nodes[0].node.sweep()
    for path in ("operator", "overview", "nodes", "rooms", "tournaments", "players", "players/Sedge", "audit"):
        assert msgspec.json.encode(await api.get("nora", path.split("/"), {}))
    assert await api.get("nora", ["rooms"], {"player": "Sedge"}) == []


@pytest.mark.parametrize("path", ["", "nothing", "players/Sedge/praise", "rooms/a/b", "nodes/a/b"])
async def test_other_paths_do_not_exist(api: AdminApi, path: str) -> None:
    """They are neither lists nor actions."""
    with pytest.raises(NotFound):
        await api.post("nora", path.split("/"), b"{}")
    with pytest.raises(NotFound):
        await api.get("nora", path.split("/"), {})


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"until": -1}', b'{"winner": 2}'])
async def test_a_bad_body_is_refused(api: AdminApi, body: bytes) -> None:
    """The sentence names the field."""
    with pytest.raises(Refusal) as refused:
        await api.post("nora", ["players", "Sedge", "mute"], body)
    assert refused.value.code is ErrorCode.REQUEST_MALFORMED


async def test_a_suspension_needs_an_end(api: AdminApi) -> None:
    """Without one, it would be a ban."""
    with pytest.raises(Refusal, match="use ban"):
        await post(api, "players", "Sedge", "suspend")
