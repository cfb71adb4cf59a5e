"""Which operation is at a path."""

from __future__ import annotations

import pytest

from parlour.server.api.routing import find


@pytest.mark.parametrize(
    ("method", "path", "name", "parameters"),
    [
        ("GET", "/games/isaac", "getGame", {"game": "isaac"}),
        ("HEAD", "/games/isaac", "getGame", {"game": "isaac"}),
        ("GET", "/records/export", "exportRecords", {}),
        ("GET", "/records/m4Tq8ZkW.txt", "getRecordText", {"room": "m4Tq8ZkW"}),
        ("GET", "/records/m4Tq8ZkW", "getRecord", {"room": "m4Tq8ZkW"}),
        ("POST", "/rooms/m4Tq8ZkW/moves", "play", {"room": "m4Tq8ZkW"}),
        ("GET", "/players/a%2Fb", "getPlayer", {"name": "a%2Fb"}),
    ],
)
def test_a_path_leads_to_an_operation(method: str, path: str, name: str, parameters: dict[str, str]) -> None:
    """The more specific one first; parameters are as they were sent."""
    route = find(path, method)
    assert route.operation is not None
    assert (route.operation.name, route.path) == (name, parameters)


def test_other_methods_and_paths_have_none() -> None:
    """What is allowed is known nevertheless."""
    assert (find("/rooms/a/moves", "PUT").operation, find("/rooms/a/moves", "PUT").allow) == (
        None,
        "GET, HEAD, POST, OPTIONS",
    )
    assert find("/rooms/a/resign", "GET").allow == "POST, OPTIONS"
    for path in ("", "/", "/nothing", "/games/", "/games/a/b"):
        assert find(path, "GET").methods == (), path
