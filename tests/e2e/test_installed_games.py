"""A server offers the games of installed packages, and starts although one of them cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour import games
from parlour.client import RefusedError, Terms, connect
from tests.e2e.conftest import MakeServer
from tests.e2e.web import ask
from tests.games.installed_packages import install, install_noughts


async def test_a_broken_package_takes_no_game_down(
    make_server: MakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log names the fault and its code, a client reads them, and the other games can be played and learnt."""
    install_noughts(tmp_path)
    install(tmp_path, "parlour-bad", "bad", "parlour_bad", "import nothing_like_this")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    server = make_server()
    await server.start()

    async with connect(server.url) as client:
        cards = {card.key: card for card in client.games}
        assert set(cards) == {*games.keys(), "noughts"}
        assert cards["noughts"].lesson_minutes == 1
        assert (await client.lessons.get("noughts")).title == "Learn noughts and crosses"
        assert (await client.preview(Terms("noughts"))).board.columns == 3
        with pytest.raises(RefusedError) as refused:
            await client.preview(Terms("bad"))
    page = await ask(server, "/rules/noughts")

    assert refused.value.code == "game_broken"
    assert (page.status, b"Three in a row." in page.body) == (200, True)
    assert server.errors == []
    warnings = [json.loads(line) for line in server.log.splitlines() if "parlour-bad" in line]
    assert [(line["level"], line["message"][-14:]) for line in warnings] == [("warning", " [game_broken]")]
