"""Tournaments in plain mode."""

from __future__ import annotations

import json
from pathlib import Path

from parlour.client.client import connect
from tests.client.cups import cup
from tests.terminal.plain.test_line_client import typing


async def test_a_player_enters_and_is_told_when_the_game_begins(address: str, tmp_path: Path) -> None:
    """From the list to the game, where the clock can be halved, and back to the standings."""
    async with (
        typing(address, tmp_path) as typist,
        cup(address, "Plain arena", code="sesame", berserk=True) as (_, id),
        connect(address) as rival,
    ):
        typist.type("tournaments soon", "tournaments open", f"enter {id}", f"enter {id} sesame")
        text = await typist.reads("You take part. A notice tells you when a game begins.")
        assert "Choose one of: open, running, finished." in text
        assert f"  tournament {id}  Plain arena: Arena, 10 min, Replica, 5 min + 3 s" in text
        assert "That is not the code of the tournament." in text
        await rival.join_tournament(id, code="sesame")
        text = await typist.reads(f"Your game in the tournament {id} has begun. Type open ")
        room = text.rpartition(" has begun. Type open ")[2].split(".")[0]
        typist.type(f"tournament {id}", f"tournament {id} 0", f"open {room}", "berserk", "board")
        text = await typist.reads("halved the clock, for an extra point.")
        assert "Plain arena: ends in " in text
        assert f"playing  {room}" in text
        typist.type("leave", f"pause {id}", f"unpause {id}", f"withdraw {id}", f"tournament {id} first")
        await typist.reads(
            "You are not paired until you type unpause.", "You are paired again.", "You have withdrawn.",
            "Give the number of a round",
        )  # fmt: skip


async def test_programs_get_objects(address: str, tmp_path: Path) -> None:
    """A list, a tournament, a round, and a pairing are objects with the fields of the protocol."""
    async with (
        typing(address, tmp_path, json=True) as typist,
        cup(address, "Object cup", format="swiss", teams=("Owls", "Larks")) as (_, id),
        connect(address) as rival,
    ):
        typist.type("tournaments open", f"enter {id} team=Owls")
        await typist.reads("You take part.")
        await rival.join_tournament(id, team="Larks")
        await typist.reads('"event":"paired"')
        typist.type(f"tournament {id}", f"tournament {id} 1")
        text = await typist.reads('"event":"tournament"', '"event":"round"')
    told = {found["event"]: found for found in map(json.loads, text.splitlines())}
    assert id in [row["tournament"] for row in told["tournaments"]["tournaments"]]
    assert told["paired"]["tournament"] == id
    assert told["tournament"]["tournament"]["summary"]["settings"]["name"] == "Object cup"
    assert told["round"]["games"][0]["room"] == told["paired"]["room"]
