"""The status of a table: nothing that matters is hidden by anything else."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest

from parlour.protocol.messages import RoomEvent
from parlour.protocol.types import Result
from parlour.terminal.text.table import event_line
from parlour.terminal.text.table_status import TableStatus, table_status
from parlour.terminal.ui.notices import Notices
from parlour.terminal.ui.table_action import TableAction
from tests.terminal.offline_table import offline_view

WON = Result(0, "resigned")
OFFERS = {
    "1:draw": "Bob offers a draw.",
    "1:takeback": "Bob asks to take back the last move.",
    "1:rematch": "Bob offers a rematch.",
    "0:draw": "You offered a draw. Bob has not answered yet.",
    "0:takeback": "You asked for a takeback. Bob has not answered yet.",
    "0:rematch": "You offered a rematch. Bob has not answered yet.",
}
NOTICES = {
    ("declined", 1, "draw"): "Bob declined the draw.",
    ("declined", 1, "takeback"): "Bob declined the takeback.",
    ("declined", 1, "rematch"): "Bob declined the rematch.",
    ("declined", 0, "draw"): "You declined the draw.",
    ("declined", 0, "takeback"): "You declined the takeback.",
    ("declined", 0, "rematch"): "You declined the rematch.",
    ("withdrawn", 1, "draw"): "Bob withdrew the draw offer.",
    ("withdrawn", 0, "takeback"): "You withdrew the takeback request.",
    ("withdrawn", 0, "rematch"): "You withdrew the rematch offer.",
    ("taken_back", 1, None): "The last move was taken back. 2 moves are left.",
    ("disconnected", 1, None): "Bob went offline.",
    ("reconnected", 1, None): "Bob is back online.",
    ("excused", None, None): "The server was unavailable for a while. The clocks were stopped.",
}
COMBINATIONS = [*chain.from_iterable(combinations(OFFERS, count) for count in range(3)), tuple(OFFERS)]


@pytest.mark.parametrize("offers", COMBINATIONS, ids=" ".join)
def test_every_offer_is_told_with_every_stale_notice(offers: tuple[str, ...]) -> None:
    """Whatever happened before, the headline has every open offer, and the result if there is one."""
    for result, (kind, seat, offer), offline in product((None, WON), NOTICES, (False, True)):
        view = offline_view(offers=offers, result=result, offline=offline)
        notices = Notices()
        event = RoomEvent(room="R", epoch=1, seq=2, hash=0, kind=kind, seat=seat, offer=offer, plies=2)
        notices.add(event_line(view, event), now=0)
        status = table_status(view)

        assert notices.current(1) == NOTICES[kind, seat, offer]
        for each in offers:
            assert OFFERS[each] in status.headline
            assert OFFERS[each] in status.lines
        if result is not None:
            assert status.headline.startswith("You won")
        elif not offers:
            assert "Choose a cell." in status.headline
            assert ("Bob is offline." in status.headline) == offline
        theirs = any(each.startswith("1:") for each in offers)
        assert (TableAction.ACCEPT in status.actions) == theirs
        assert (TableAction.DECLINE in status.actions) == theirs


def test_the_most_important_matter_comes_first() -> None:
    """Result, offers, absence, prompt; the prompt follows only an absence."""
    full = TableStatus("You won: Bob resigned.", "You won.", ("Bob offers a rematch.",), "Bob is offline.", "Choose.")
    assert full.headline == "You won. Bob offers a rematch."
    assert full.lines == ("You won: Bob resigned.", "Bob offers a rematch.", "Bob is offline.")
    assert TableStatus(offers=("An offer.",), absence="Away.", prompt="Choose.").headline == "An offer."
    assert TableStatus(absence="Away.", prompt="Choose.").headline == "Away. Choose."
    assert TableStatus(prompt="Choose.").headline == "Choose."


def test_actions_follow_the_state() -> None:
    """Each state has its actions, the most important first; help and leaving are always there."""
    playing = table_status(offline_view()).actions
    assert playing[:3] == (TableAction.CHOOSE, TableAction.NEXT_PICK, TableAction.TYPE)
    assert {TableAction.DRAW, TableAction.TAKEBACK, TableAction.RESIGN} <= {*playing}
    assert playing[-2:] == (TableAction.HELP, TableAction.LEAVE)
    assert TableAction.HINT in table_status(offline_view(computer=True)).actions
    for view in (offline_view(), offline_view(computer=True, rated=True), offline_view(hotseat=True)):
        assert TableAction.HINT not in table_status(view).actions
    waiting = table_status(offline_view(to_move=1)).actions
    assert TableAction.CHOOSE not in waiting
    assert TableAction.ABORT in table_status(offline_view(moves=())).actions
    assert TableAction.WITHDRAW in table_status(offline_view(offers=["0:draw"])).actions
    assert table_status(offline_view(choosing=0)).actions[0] is TableAction.MOVE_FIRST
    over = table_status(offline_view(result=WON)).actions
    assert over[:2] == (TableAction.REMATCH, TableAction.NEW_GAME)
    assert TableAction.REMATCH not in table_status(offline_view(result=WON, next="S")).actions
    assert TableAction.WITHDRAW in table_status(offline_view(result=WON, offers=["0:rematch"])).actions


def test_the_win_can_be_claimed_in_time() -> None:
    """The action appears when the wait is over."""
    view = offline_view(to_move=1, offline=True, claim_in=30_000)
    assert "You can claim the win in 0:20." in table_status(view, 10_000).headline
    assert TableAction.CLAIM not in table_status(view, 10_000).actions
    assert table_status(view, 30_000).actions[0] is TableAction.CLAIM


def test_the_first_move_is_urgent_in_the_end() -> None:
    """The player to move reads how long is left, and what happens otherwise; the opponent does not."""
    view = offline_view(moves=(), abort_in=60_000)
    assert table_status(view, 20_000).headline == "Choose a cell."
    urgent = table_status(view, 40_000)
    assert urgent.headline == "Make your first move within 0:20, or the game is aborted. Choose a cell."
    assert urgent.deadline in urgent.lines
    cup = table_status(offline_view(moves=(), abort_in=9_000, tournament="T"))
    assert cup.headline.startswith("Make your first move within 0:09, or you lose the game.")
    for other in (offline_view(moves=(), to_move=1, abort_in=9_000), offline_view(seat=None, moves=(), abort_in=9_000)):
        assert table_status(other).deadline == ""


def test_a_game_of_a_tournament_that_was_not_begun_is_lost() -> None:
    """It is not aborted: the player who had to move has lost."""
    was_aborted = Result(None, "aborted")
    lost = table_status(offline_view(moves=(), result=was_aborted, tournament="T"))
    won = table_status(offline_view(moves=("f7",), result=was_aborted, tournament="T"))
    assert (lost.result, lost.verdict) == ("You lost: you did not make your first move in time.", "You lost.")
    assert (won.result, won.verdict) == ("You won: Bob did not make the first move in time.", "You won.")
    assert table_status(offline_view(moves=(), result=was_aborted)).verdict == "Aborted."


def test_spectators_are_offered_nothing_that_is_for_players() -> None:
    """They read the offers, but have no answer to them, and no rematch."""
    running = table_status(offline_view(seat=None, offers=["1:draw"]))
    over = table_status(offline_view(seat=None, result=WON, offers=["1:rematch"]))
    for status in (running, over):
        assert not {TableAction.ACCEPT, TableAction.REMATCH, TableAction.RESIGN, TableAction.DRAW} & {*status.actions}
    assert running.headline == "Bob offers a draw."
    assert over.headline == "Ann wins. Bob offers a rematch."
    agreed = table_status(offline_view(seat=None, result=WON, next="S"))
    assert TableAction.REMATCH in agreed.actions  # to watch it


def test_two_players_at_one_screen_have_no_offers() -> None:
    """Both are asked at once, so nothing stays open."""
    status = table_status(offline_view(hotseat=True, offers=["0:draw"]))
    assert status.offers == ()
    assert TableAction.ACCEPT not in status.actions
