"""Commands of a lesson."""

from __future__ import annotations

import json
from pathlib import Path

from parlour.server.game_queries.lessons import lesson_of
from tests.terminal.plain.test_line_client import typing


async def test_a_lesson_is_typed(address: str, tmp_path: Path) -> None:
    """The task and the board are printed, a hint leads to the move, and the lesson to a first game."""
    lesson = lesson_of("mapello")
    async with typing(address, tmp_path) as typist:
        typist.type("learn mapello", "hint", "hint", "picks", "cells", "back", "f7", "hint", "next")
        text = await typist.reads("Step 2 of 7: ")

        for words in (
            "Step 1 of 7: Trap and turn.",
            lesson.steps[0].prompt,
            "1 at e6 and f5: Your discs.",
            f"Hint: {lesson.steps[0].hint}",
            "Next: f7.",
            "  f7: turns 1",
            "e6: Black disc",
            "Nothing is picked.",
            "White answers and turns a disc back.",
            "Solved. Type next to go on.",
            "This step is solved.",
        ):
            assert words in text, words

        typist.type("previous", *["next"] * len(lesson.steps), "f7", "help", "play", "f7")
        text = await typist.reads("You played f7.")
        assert "You solved 1 of 7 steps." in text
        assert "The lesson is finished. Type play to start a game, or leave." in text


async def test_a_wrong_move_is_put_back(address: str, tmp_path: Path) -> None:
    """The words say why, and the step can be tried again; leaving leads back to the lobby."""
    async with typing(address, tmp_path) as typist:
        typist.type("learn replica", "next", "next", "h8")
        await typist.reads("Step 3 of 7: ")
        step = lesson_of("replica").steps[2]
        typist.type("back", "a1-a8", "leave", "learn chess", "board")
        text = await typist.reads("Unknown command “board”.")
        assert text.count(step.prompt) == 3  # the step, after a pick, and after undoing it
        assert "Lesson closed." in text
        assert "This server has no game “chess”." in text


async def test_a_program_learns(address: str, tmp_path: Path) -> None:
    """In JSON mode each step, each attempt and the end is an object, and every line is answered once."""
    steps = lesson_of("mapello").steps
    async with typing(address, tmp_path, json=True) as typist:
        typist.type("learn mapello", "hint", "d7", "f7", "next", *["next"] * (len(steps) - 1), "f7", "leave", "quit")
        await typist.reads("Lesson closed.")
    said = [json.loads(line) for line in typist.paper.getvalue().splitlines()]
    first = next(each for each in said if each["event"] == "lesson")
    assert (first["game"], first["step"], first["title"]) == ("mapello", steps[0].key, steps[0].title)
    assert "f7" in [choice["name"] for choice in first["choices"]]
    assert {"board", "scene", "prompt", "text"} <= first.keys()
    assert {"event": "text", "text": f"Hint: {steps[0].hint}"} in said
    [tried] = [each for each in said if each["event"] == "tried"]
    assert (tried["solved"], tried["move"], tried["step"]) == (True, "f7", steps[0].key)
    assert tried["reply"]
    last = [each for each in said if each["event"] == "lesson"][-1]
    assert "board" not in last
    assert [each["code"] for each in said if each["event"] == "refused"] == ["move_illegal", "game_over"]
    assert sum(each["event"] in ("done", "refused") for each in said) == 7 + len(steps)
