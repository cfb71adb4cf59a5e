"""The questions that are asked before irreversible actions."""

from __future__ import annotations

from parlour.terminal.text.table import player_name, seat_name
from parlour.terminal.ui.table_action import TableAction
from parlour.terminal.ui.table_view import TableView


def question(view: TableView, action: TableAction) -> str:
    """Return the question that has to be answered with yes before an action, or nothing."""
    if not view.is_player:
        return ""
    match action:
        case TableAction.RESIGN:
            mover = view.table.scene.to_move
            if view.is_hotseat and mover is not None:
                return f"{seat_name(view, mover)} resigns and loses the game. Resign?"
            return "You would lose the game. Resign?"
        case TableAction.ABORT:
            return "The game would not count. Abort it?"
        case TableAction.DRAW | TableAction.ACCEPT if "draw" in view.offers[:1]:
            return "The game would end in a draw. Agree to it?"
        case TableAction.DRAW if view.is_hotseat:
            return "Do both players agree to a draw?"
        case TableAction.DRAW:
            return f"Offer {player_name(view, _other(view))} a draw?"
        case TableAction.BERSERK:
            return "Your clock would be halved; a win then brings one point more. Halve it?"
        case TableAction.LEAVE if view.table.result is None:
            rest = "your clock runs on" if view.table.replica.clocks else "you keep your seat"
            return f"The game is not over, and {rest}. Leave?"
        case _:
            return ""


def unavailable(view: TableView, action: TableAction) -> str:
    """Return why an action is not possible now, and what is possible."""
    over = view.table.result is not None
    match action:
        case TableAction.ACCEPT | TableAction.DECLINE | TableAction.WITHDRAW:
            return "There is no offer to answer."
        case TableAction.REMATCH if view.is_player:
            return "The rematch has started." if over else "You can offer a rematch once the game is over."
        case TableAction.NEW_GAME:
            return "This game is not over yet."
        case TableAction.CLAIM if view.is_player and not over:
            return "You can claim the win once your opponent has been offline for a while."
        case TableAction.HINT if view.table.terms.rated:
            return "There are no hints in rated games."
        case TableAction.HINT if view.is_player and not over and not view.has_hints:
            return "There are no hints between people. Ask again when the game is over."
        case TableAction.ABORT if view.is_player and not over:
            return "Both players have moved. You can resign, or offer a draw."
        case TableAction.BACK if view.is_player and not over:
            return "There is no choice to undo."
        case _ if not view.is_player:
            return "Only the players can do that."
        case _ if over:
            return "The game is over."
        case TableAction.DRAW | TableAction.TAKEBACK:
            return "That was offered already." if view.table.moves else "No move has been played yet."
        case _:
            return f"{player_name(view, view.table.scene.to_move)} is to move."


def _other(view: TableView) -> int | None:
    return None if view.table.seat is None else 1 - view.table.seat
