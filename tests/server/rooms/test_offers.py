"""Draws, takebacks and rematches: what one player offers and the other one answers."""

from __future__ import annotations

import pytest

from parlour.protocol.errors import ErrorCode
from parlour.protocol.tables import Result
from parlour.server.rooms.decide import (
    ALPHABET,
    OPEN_FOR,
    back,
    decide,
    is_closed,
    rematch_room,
    room_name,
)  # fmt: skip
from parlour.server.rooms.events import (
    Back,
    Declined,
    Ended,
    Gone,
    Offered,
    Rematch,
    TakenBack,
)  # fmt: skip
from tests.server.rooms.tables import (
    ADA,
    BEN,
    GAME,
    NOON,
    PLAYERS,
    RESIGN,
    answer,
    fold,
    offer,
    play,
    played,
    refused,
    table,
    to_the_end,
    told,
    until_skipped,
)

# -- draws


@GAME
def test_a_draw_is_agreed_by_accepting(key: str) -> None:
    """Either side can offer at any time, the other one accepts, and the game is drawn with its scores."""
    room = played(table(key), None, None, None)
    for seat, (asker, other) in enumerate((PLAYERS, PLAYERS[::-1])):
        events = decide(room, asker.player, offer("draw", id=5), NOON + 1)
        assert events == (Offered(NOON + 1, seat, "draw", asker.player, 5),)
        ended = decide(fold(room, *events), other.player, answer("draw", True, id=6), NOON + 2)
        result = Result(None, "agreed", room.rules.scores(room.state))
        assert ended == (Ended(NOON + 2, result, 1 - seat, other.player, 6),)


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_an_offer_is_declined_or_withdrawn(what: str) -> None:
    """The other one declines it, the own one withdraws it; nobody accepts his own, and then it is gone for both."""
    room = told(played(table(), None, None), ADA, offer(what))
    assert refused(room, ADA, answer(what, True)) == ErrorCode.NOTHING_OFFERED
    declined = decide(room, BEN.player, answer(what, False, id=8), NOON)
    assert declined == (Declined(NOON, 1, what, False, BEN.player, 8),)
    withdrawn = decide(room, ADA.player, answer(what, False, id=8), NOON)
    assert withdrawn == (Declined(NOON, 0, what, True, ADA.player, 8),)
    for events in (declined, withdrawn):
        after = fold(room, *events)
        for player in PLAYERS:
            assert refused(after, player, answer(what, True)) == ErrorCode.NOTHING_OFFERED
            assert refused(after, player, answer(what, False)) == ErrorCode.NOTHING_OFFERED


def test_offers_that_cross_are_an_agreement() -> None:
    """Who offers what the other one has offered accepts it."""
    room = played(table(), None, None)
    assert told(told(room, ADA, offer("draw")), BEN, offer("draw")).result == Result(None, "agreed")
    taken_back = told(told(room, BEN, offer("takeback")), ADA, offer("takeback"))
    assert len(taken_back.moves) == 1
    again = told(told(told(room, ADA, RESIGN), BEN, offer("rematch")), ADA, offer("rematch"))
    assert again.next == rematch_room("room")


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_nothing_is_offered_twice_at_one_ply(what: str) -> None:
    """An offer that is open, was declined or was withdrawn can be made again after the next move only."""
    room = told(played(table(), None, None), ADA, offer(what))
    assert refused(room, ADA, offer(what)) == ErrorCode.OFFER_REFUSED
    for player in PLAYERS:
        after = told(room, player, answer(what, False))
        assert refused(after, ADA, offer(what)) == ErrorCode.OFFER_REFUSED
        assert told(after, BEN, offer(what)).offers == ((1, what),)
        assert told(played(after, None), ADA, offer(what)).offers == ((0, what),)


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_an_offer_is_gone_after_a_move(what: str) -> None:
    """It makes no difference who moves."""
    room = played(table(), None, None)
    for asker, other in (PLAYERS, PLAYERS[::-1]):
        after = played(told(room, asker, offer(what)), None)
        assert refused(after, other, answer(what, True)) == ErrorCode.NOTHING_OFFERED


def test_different_offers_stand_side_by_side() -> None:
    """A draw and a takeback can be open at once, and each is answered for itself."""
    room = told(told(played(table(), None, None), ADA, offer("draw")), BEN, offer("takeback"))
    assert room.offers == ((0, "draw"), (1, "takeback"))
    assert told(room, BEN, answer("draw", False)).offers == ((1, "takeback"),)
    assert told(room, BEN, answer("draw", True)).status == "over"
    assert told(room, ADA, answer("takeback", True)).offers == ()


# -- takebacks


@GAME
@pytest.mark.parametrize("replied", [False, True], ids=["at once", "after a reply"])
@pytest.mark.parametrize("asker", [0, 1])
def test_who_asks_gets_back_to_his_own_last_turn(key: str, asker: int, replied: bool) -> None:
    """The asker is to move as he was before his last move, also when it has been answered."""
    rooms = list(to_the_end(key))[:-1]
    room = next(room for room in rooms[6:] if room.movers[-1] == (1 - asker if replied else asker))
    asked = told(room, PLAYERS[asker], offer("takeback"))
    events = decide(asked, PLAYERS[1 - asker].player, answer("takeback", True, id=9), NOON + 5)
    plies = len(room.moves) - (2 if replied else 1)
    assert events == (TakenBack(NOON + 5, 1 - asker, plies, PLAYERS[1 - asker].player, 9),)
    after = fold(asked, *events)
    assert after.to_move == asker
    assert (after.state, after.moves, after.texts) == (rooms[plies].state, rooms[plies].moves, rooms[plies].texts)
    assert told(after, PLAYERS[asker], play(after)).movers[-1] == asker


@pytest.mark.parametrize("key", ["isaac", "mapello"])
def test_a_takeback_after_a_skipped_turn(key: str) -> None:
    """The mover of two turns in a row gets the second back; the one who was skipped gets back to before both."""
    room = until_skipped(key)
    twice = room.to_move
    assert twice is not None
    room = played(room, None)
    assert room.movers[-2:] == (twice, twice)
    asked = told(room, PLAYERS[twice], offer("takeback"))
    after = told(asked, PLAYERS[1 - twice], answer("takeback", True))
    assert (len(after.moves), after.to_move) == (len(room.moves) - 1, twice)
    asked = told(room, PLAYERS[1 - twice], offer("takeback"))
    after = told(asked, PLAYERS[twice], answer("takeback", True))
    assert after.to_move == 1 - twice
    assert set(room.movers[len(after.moves) + 1 :]) == {twice}


def test_a_game_can_be_taken_back_to_its_beginning() -> None:
    """Move by move, as long as there are own ones."""
    room = played(table(), *[None] * 6)
    for left in (4, 2, 0):
        room = told(told(room, ADA, offer("takeback")), BEN, answer("takeback", True))
        assert len(room.moves) == left
    assert refused(room, ADA, offer("takeback")) == ErrorCode.OFFER_REFUSED
    assert room.state == table().state


# -- rematch


def test_a_room_goes_on_for_a_while() -> None:
    """Long after the end nothing can happen there any more, so that its log can be put away."""
    gone = fold(played(table(), None), Gone(NOON, 0))
    over = told(gone, BEN, RESIGN, NOON)
    last = NOON + OPEN_FOR
    assert told(over, ADA, offer("rematch"), last).offers == ((0, "rematch"),)
    assert back(over, 0, last) == (Back(last, 0),)
    assert not is_closed(over, last)
    assert is_closed(over, last + 1)
    assert not is_closed(gone, last + 1)
    assert back(over, 0, last + 1) == ()
    for command in (offer("rematch"), RESIGN, play(over)):
        assert refused(over, ADA, command, last + 1) == ErrorCode.GAME_OVER


@GAME
def test_a_rematch_is_agreed_once(key: str) -> None:
    """After the end, by offer and answer, whoever offers; then the next game has begun."""
    over = told(table(key), ADA, RESIGN)
    for seat, (asker, other) in enumerate((PLAYERS, PLAYERS[::-1])):
        room = told(over, asker, offer("rematch"))
        events = decide(room, other.player, answer("rematch", True, id=7), NOON + 1)
        assert events == (Rematch(NOON + 1, 1 - seat, rematch_room("room"), other.player, 7),)
        room = fold(room, *events)
        for player in PLAYERS:
            assert refused(room, player, offer("rematch")) == ErrorCode.OFFER_REFUSED
            assert refused(room, player, answer("rematch", True)) == ErrorCode.NOTHING_OFFERED


def test_a_rematch_can_be_declined() -> None:
    """Then the other one may still offer it, and is not taken for accepting."""
    room = told(told(told(table(), ADA, RESIGN), ADA, offer("rematch")), BEN, answer("rematch", False))
    assert room.next is None
    room = told(room, BEN, offer("rematch"))
    assert (room.next, room.offers) == (None, ((1, "rematch"),))
    assert told(room, ADA, answer("rematch", True)).next is not None


def test_the_next_room_has_the_same_name_on_every_node() -> None:
    """The name follows from the room's own and is another one each time."""
    names = ["room"]
    for _ in range(200):
        names.append(rematch_room(names[-1]))
    assert names[1] == rematch_room("room")
    assert len(set(names)) == len(names)
    assert all(set(name) <= set(ALPHABET) for name in names[1:])


def test_room_names_are_short_and_different() -> None:
    """Names have one length, only letters and digits that cannot be mistaken, and differ where the numbers do."""
    names = [room_name(number) for number in (*range(3000), 2**40 - 1, 2**63)]
    assert len(set(names[:3000])) == 3000
    assert {len(name) for name in names} == {len(room_name(0))}
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert not set("0O1Il") & set(ALPHABET)
