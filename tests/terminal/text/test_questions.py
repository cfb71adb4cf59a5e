"""Questions before what cannot be undone, and explanations of what is not possible."""

from __future__ import annotations

from parlour.protocol.types import Result
from parlour.terminal.text.questions import question, unavailable
from parlour.terminal.text.table_status import table_status
from parlour.terminal.ui.table_action import TableAction
from tests.terminal.offline_table import offline_view

WON = Result(0, "resigned")


def test_ends_of_a_game_are_asked_about() -> None:
    """Resigning, aborting, draws, and leaving a running game."""
    view = offline_view()
    assert question(view, TableAction.RESIGN) == "You would lose the game. Resign?"
    assert question(view, TableAction.ABORT) == "The game would not count. Abort it?"
    assert question(view, TableAction.DRAW) == "Offer Bob a draw?"
    assert question(view, TableAction.LEAVE) == "The game is not over, and you keep your seat. Leave?"
    assert question(view, TableAction.BERSERK).startswith("Your clock would be halved")
    offered = offline_view(offers=["1:draw"])
    for action in (TableAction.DRAW, TableAction.ACCEPT):
        assert question(offered, action) == "The game would end in a draw. Agree to it?"


def test_two_players_at_one_screen_are_both_asked() -> None:
    """A draw needs both, and the question names who resigns."""
    view = offline_view(hotseat=True)
    assert question(view, TableAction.DRAW) == "Do both players agree to a draw?"
    assert question(view, TableAction.RESIGN) == "Black resigns and loses the game. Resign?"


def test_what_can_be_undone_is_not_asked_about() -> None:
    """Nor is leaving a game that is over or another's."""
    for action in (TableAction.CHAT, TableAction.TAKEBACK, TableAction.HINT, TableAction.CHOOSE):
        assert question(offline_view(), action) == ""
    assert question(offline_view(result=WON), TableAction.LEAVE) == ""
    assert question(offline_view(seat=None), TableAction.LEAVE) == ""
    assert question(offline_view(offers=["1:takeback"]), TableAction.ACCEPT) == ""


def test_every_impossible_action_is_explained() -> None:
    """In every state there is a sentence for what cannot be done."""
    views = (
        offline_view(), offline_view(to_move=1), offline_view(seat=None), offline_view(result=WON),
        offline_view(rated=True), offline_view(moves=(), to_move=1), offline_view(result=WON, next="S"),
    )  # fmt: skip
    for view in views:
        for action in set(TableAction) - {*table_status(view).actions}:
            assert unavailable(view, action).endswith("."), action
    assert unavailable(offline_view(rated=True), TableAction.HINT) == "There are no hints in rated games."
    assert unavailable(offline_view(), TableAction.HINT).startswith("There are no hints between people.")
    assert unavailable(offline_view(seat=None), TableAction.REMATCH) == "Only the players can do that."
    assert unavailable(offline_view(to_move=1), TableAction.CHOOSE) == "Bob is to move."
