"""Commands at a table."""

from __future__ import annotations

from pathlib import Path

from tests.client.plain.test_line_client import typing


async def test_a_table_is_shown_and_played_on(address: str, tmp_path: Path) -> None:
    """Picks, moves, players and the board in words can be printed; moves are typed as they are."""
    async with typing(address, tmp_path) as typist:
        typist.type("here mapello", "moves", "picks", "cells", "f7", "moves", "last", "who")
        text = await typist.reads("White: ", "Black played f7.", "  1. f7")

    assert "No moves yet." in text
    assert "play f7 and turn 1 disc." in text  # the last move in words
    assert "  f7: turns 1" in text
    assert "e5: " in text


async def test_picks_are_undone_and_offers_need_an_opponent(address: str, tmp_path: Path) -> None:
    """Commands that do not apply say so."""
    async with typing(address, tmp_path) as typist:
        typist.type("here isaac", "back", "accept", "next", "auto off", "5", "back", "flip", "leave")
        text = await typist.reads("You are back in the lobby.")

    for sentence in (
        "Nothing is picked.",
        "There is no offer.",
        "There is no rematch. Type rematch to offer one.",
        "The board is drawn only on request.",
        "Choose a bar to place.",
    ):
        assert sentence in text


async def test_waiting_for_a_turn_and_for_the_end(address: str, tmp_path: Path) -> None:
    """It returns when the computer has moved, and at the end of the game."""
    async with typing(address, tmp_path) as typist:
        typist.type("computer mapello random second", "wait", "resign", "wait over")
        await typist.reads("Black played ", "You lost: you resigned.")
