"""Commands at a table."""

from __future__ import annotations

from pathlib import Path

from parlour.client.client import connect
from parlour.protocol.types import Terms
from tests.terminal.plain.test_line_client import typing


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
        typist.type("computer mapello random second", "wait", "moves", "resign", "yes", "wait over")
        await typist.reads("  1. ", "You lost: you resigned.")  # the computer may move before the table is shown


async def test_what_ends_a_game_is_asked(address: str, tmp_path: Path) -> None:
    """A draw, a resignation and aborting need a yes. No, and any other line, means no."""
    async with typing(address, tmp_path) as typist:
        typist.type(
            "here mapello", "abort", "f7", "draw", "no", "resign", "e7", "resign", "draw", "moves", "draw", "yes"
        )
        text = await typist.reads("Draw: both players agreed.")

    for question in (
        "The game would not count. Abort it? Type yes or no.",
        "Do both players agree to a draw? Type yes or no.\nThe game goes on.",
        "White resigns and loses the game. Resign? Type yes or no.",
    ):
        assert question in text
    assert "  1. f7 e7" in text  # the moves were played, and nothing else


async def test_a_question_is_asked_again_if_the_game_went_on(address: str, tmp_path: Path) -> None:
    """A player who meant to offer a draw does not agree to one by the same yes."""
    async with typing(address, tmp_path, "Asked Auk") as typist, connect(address, name="Asking Adder") as other:
        pending = await other.challenge(Terms("mapello"), to="Asked Auk", seat="first")
        await typist.reads("Asking Adder challenges you")
        typist.type(f"join {pending.seek}")
        theirs = await pending.table()
        await typist.reads(f"Table {theirs.room}.")  # a move before that would be part of the table as it opens
        await theirs.my_turn()
        await theirs.play("f7")
        await typist.reads("Asking Adder plays")
        typist.type("draw")
        await typist.reads("Offer Asking Adder a draw? Type yes or no.")
        await theirs.offer("draw")
        await typist.reads("Asking Adder offers a draw.")
        typist.type("yes")
        await typist.reads("The game would end in a draw. Agree to it? Type yes or no.")
        assert theirs.result is None
        typist.type("yes")
        await typist.reads("Draw: you both agreed.")
