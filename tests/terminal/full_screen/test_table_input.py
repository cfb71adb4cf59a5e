"""What keys mean at a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest

from parlour.protocol.types import Result
from parlour.terminal.full_screen.key_map import TABLE_KEYS, KeyMap
from parlour.terminal.full_screen.question import PAUSE
from parlour.terminal.full_screen.table_input import (
    PREVIOUS_PICK,
    Act,
    Intent,
    Scroll,
    Steer,
    Submit,
    TableInput,
    Typed,
    Unavailable,
)
from parlour.terminal.text.questions import question
from parlour.terminal.text.table_status import table_status
from parlour.terminal.ui.table_action import TableAction
from tests.terminal.offline_table import offline_view

ACTIONS = tuple(TableAction)
FINAL = {TableAction.RESIGN, TableAction.DRAW, TableAction.ABORT, TableAction.LEAVE, TableAction.ACCEPT}
QUESTIONS = {action: f"{action}?" for action in FINAL}
BURSTS = 100_000
NAMED = ("enter", "escape", "tab", "shift+tab", "backspace", "space", "up", "left", "pageup", "f1", "ctrl+r", "delete")


def press(
    table: TableInput, keys: Sequence[str], *, typed: float = 0.0, actions: Sequence[TableAction] = ACTIONS
) -> list[Intent]:
    """Press keys that arrive together, and return what they mean."""
    found = [
        table.press(
            key, key if len(key) == 1 else None, typed=typed, now=typed, actions=actions,
            ask=lambda action: QUESTIONS.get(action, ""),
        )
        for key in keys
    ]  # fmt: skip
    return [intent for intent in found if intent is not None]


def test_keys_are_actions() -> None:
    """Letters and arrows steer the cursor; the key of an impossible action is explained."""
    table = TableInput(KeyMap())
    assert press(table, ["enter", "tab", "H"]) == [
        Act(TableAction.CHOOSE),
        Act(TableAction.NEXT_PICK),
        Act(TableAction.HINT),
    ]
    assert press(table, ["up", "end", "shift+tab", "e"]) == [Steer(0, 1), Steer(99, 0), PREVIOUS_PICK, Typed("e")]
    assert press(table, ["R", "f5"], actions=()) == [Unavailable(TableAction.REMATCH)]
    assert press(table, ["1"], actions=()) == [Typed("1")]


def test_an_open_line_takes_every_key() -> None:
    """From the key that opens it on, nothing is a command, even if all keys arrive at once."""
    table = TableInput(KeyMap())
    assert press(table, [*"CQQuick game yYq", "enter"]) == [Submit("chat", "QQuick game yYq")]
    assert press(table, [*":g5-f5", "enter"]) == [Submit("move", "g5-f5")]
    assert press(table, [*"Cabc", "escape", "H"]) == [Act(TableAction.HINT)]
    assert press(table, ["C", "enter"]) == []
    press(table, ["C"])
    assert table.is_writing
    assert press(table, ["up", "pagedown"]) == [Scroll(1), Scroll(-10)]
    table.paste("pasted\ntext")
    assert press(table, ["enter"]) == [Submit("chat", "pasted text")]
    table.paste("Qy")
    assert press(table, ["enter"]) == [Act(TableAction.CHOOSE)]


@pytest.mark.parametrize("action", sorted(FINAL))
def test_what_cannot_be_undone_is_asked(action: TableAction) -> None:
    """Only a yes that was typed after the question appeared confirms; Enter does nothing, any other key means no."""
    key = TABLE_KEYS[action].keys[0]

    def asked() -> TableInput:
        table = TableInput(KeyMap())
        assert press(table, [key], typed=10.0, actions=(action,)) == []
        assert table.question is not None
        return table

    assert press(asked(), ["y"], typed=10.0 + PAUSE) == [Act(action)]
    assert press(asked(), ["Y"], typed=10.0 + PAUSE) == [Act(action)]
    for no in {"n", "escape", "q", "space", key} - {"Y"}:
        table = asked()
        assert press(table, [no], typed=10.0 + PAUSE) == []
        assert table.question is None
    table = asked()
    assert press(table, ["enter", "y", "Y", "enter"], typed=10.0 + PAUSE / 2) == []
    assert press(table, ["enter"], typed=20.0) == []
    assert table.question is not None
    table.close()
    assert press(table, ["y"], typed=20.0) == [Typed("y")]


def test_the_palette_starts_actions_too() -> None:
    """They are asked about like those of keys, and an open line is closed."""
    table = TableInput(KeyMap())
    press(table, [*"Chello"])
    assert table.begin(TableAction.HINT, 0.0, "") == Act(TableAction.HINT)
    assert table.line is None
    assert table.begin(TableAction.RESIGN, 0.0, "Resign?") is None
    assert table.question is not None


def test_no_burst_of_keys_does_what_cannot_be_undone() -> None:
    """A hundred thousand random bursts, in every state of a table, never resign, agree, abort, claim or leave."""
    rng = Random(19)
    won = Result(0, "resigned")
    views = [
        offline_view(), offline_view(to_move=1), offline_view(offers=["1:draw"]), offline_view(offers=["0:draw"]),
        offline_view(offers=["1:takeback", "1:draw"]), offline_view(moves=()), offline_view(hotseat=True),
        offline_view(result=won, offers=["1:rematch"]),
    ]  # fmt: skip
    states = [(view, table_status(view).actions) for view in views]
    texts = [chr(code) for code in range(32, 127)] + ["é", "棋", "\t"]
    keys = [*NAMED, *texts, *"QQDDYYyyqqAACN", "enter", "enter"]
    confirmed = {TableAction.RESIGN, TableAction.DRAW, TableAction.ABORT, TableAction.CLAIM}
    table, now = TableInput(KeyMap()), 0.0
    for _ in range(BURSTS):
        view, actions = rng.choice(states)
        now += rng.choice((0.0, 0.01, PAUSE / 2))
        if table.question is not None and table.question.is_ready(now):
            table.close()  # what follows would be a person's answer
        for key in rng.choices(keys, k=rng.randrange(1, 9)):
            character = key if len(key) == 1 else None
            intent = table.press(
                key, character, typed=now, now=now, actions=actions, ask=partial(question, view)
            )  # fmt: skip
            if isinstance(intent, Act):
                assert intent.action not in confirmed
                assert view.table.result is not None or intent.action is not TableAction.LEAVE
                assert intent.action is not TableAction.ACCEPT or view.offers[0] != "draw"
