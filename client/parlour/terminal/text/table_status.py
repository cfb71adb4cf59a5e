"""The status of a table, and the actions that are possible there. Both terminal clients show it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from parlour.terminal.text.result import verdict
from parlour.terminal.text.table import (
    absence_line,
    deadline_line,
    final_result,
    offer_line,
    outcome_line,
    own_offer_line,
    player_names,
    prompt_line,
)
from parlour.terminal.ui.table_action import TableAction
from parlour.terminal.ui.table_view import OFFER_KINDS, TableView

FIRST_MOVES = 2  # until they are played, a game can be aborted


class TableStatus(Struct, frozen=True):
    """The status of a table.

    Each matter has its own field, so that none can hide another. Empty: there is nothing to say. The status follows
    from the state of the table alone. Recent events are notices, and kept apart: `Notices`.
    """

    result: str = ""  # how the game ended, with the ratings
    verdict: str = ""  # the same in two or three words
    offers: tuple[str, ...] = ()  # every open offer, the opponent's first
    absence: str = ""  # the opponent is offline
    prompt: str = ""  # what to do, or what the table is waiting for
    deadline: str = ""  # by when the player has to make the first move
    actions: tuple[TableAction, ...] = ()  # the most important first

    @property
    def headline(self) -> str:
        """The sentence for clients that show only one: the result, else the offers, else the absence, else the prompt.

        An offer after the end of the game follows the verdict, and a prompt follows the absence and the deadline.
        """
        offers = " ".join(self.offers)
        if self.result:
            return f"{self.verdict} {offers}" if offers else self.result
        return offers or " ".join(filter(None, (self.absence, self.deadline, self.prompt)))

    @property
    def lines(self) -> tuple[str, ...]:
        """Every sentence, the most important first."""
        prompt = "" if self.result else self.prompt
        return tuple(line for line in (self.result, *self.offers, self.absence, self.deadline, prompt) if line)


def table_status(view: TableView, waited: int = 0) -> TableStatus:
    """Return the status of a table.

    `waited`: milliseconds since the server reported who is online.
    """
    result = final_result(view)
    return TableStatus(
        result=outcome_line(view),
        verdict="" if result is None else verdict(result, player_names(view), view.seat),
        offers=tuple(_offers(view)),
        absence=absence_line(view, waited),
        deadline=deadline_line(view, waited),
        prompt="" if result is not None else prompt_line(view),
        actions=tuple(_actions(view, waited)),
    )


def _offers(view: TableView) -> Iterator[str]:
    if view.is_hotseat:
        return  # both players are here, and agree at once
    offers = sorted(view.table.offers, key=lambda offer: (offer[0] == view.seat, OFFER_KINDS.index(offer[1])))
    for seat, kind in offers:
        yield own_offer_line(view, kind) if seat == view.seat else offer_line(view, kind, seat)


def _actions(view: TableView, waited: int) -> Iterator[TableAction]:
    table = view.table
    if view.is_player:
        if view.offers:
            yield from (TableAction.ACCEPT, TableAction.DECLINE)
        if table.result is not None:
            yield from _actions_after_game(view)
        elif view.chooser is not None:
            yield from (TableAction.MOVE_FIRST, TableAction.MOVE_SECOND, TableAction.ABORT)
        else:
            yield from _actions_in_game(view, waited)
    elif table.result is not None:
        if table.next is not None:
            yield TableAction.REMATCH  # to watch it
        yield TableAction.NEW_GAME
    yield from (
        TableAction.CHAT,
        TableAction.REPLAY,
        TableAction.ROTATE,
        TableAction.RULES,
        TableAction.HELP,
        TableAction.LEAVE,
    )


def _actions_after_game(view: TableView) -> Iterator[TableAction]:
    if view.table.tournament is not None:
        return  # the next game follows by itself
    if (view.seat, "rematch") in view.table.offers:
        yield TableAction.WITHDRAW
    elif "rematch" not in view.offers and view.table.next is None:
        yield TableAction.REMATCH
    if not view.table.offers:  # their answers have the same key
        yield TableAction.NEW_GAME


def _actions_in_game(view: TableView, waited: int) -> Iterator[TableAction]:
    table, turn = view.table, view.turn
    if _can_claim(view, waited):
        yield TableAction.CLAIM
    if turn is not None and not view.sending:
        yield TableAction.CHOOSE
        if turn.picks:
            yield TableAction.BACK
        yield from (TableAction.NEXT_PICK, TableAction.TYPE)
    if table.may_berserk:
        yield TableAction.BERSERK
    own = {kind for seat, kind in table.offers if seat == view.seat}
    if own and not view.offers:
        yield TableAction.WITHDRAW
    if turn is not None and view.has_hints:
        yield TableAction.HINT
    if "draw" not in own and "draw" not in view.offers:
        yield TableAction.DRAW
    if table.moves and "takeback" not in own and "takeback" not in view.offers:
        yield TableAction.TAKEBACK
    if table.ply < FIRST_MOVES and table.tournament is None:
        yield TableAction.ABORT
    yield TableAction.RESIGN


def _can_claim(view: TableView, waited: int) -> bool:
    presence = view.table.presence
    if view.seat is None or presence is None or presence.claim_in is None:
        return False
    return not presence.online[1 - view.seat] and presence.claim_in <= waited
