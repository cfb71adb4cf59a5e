"""Draws, takebacks and rematches: one player offers, the other one answers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode
from parlour.protocol.types import Result
from parlour.server.rooms.commands import (
    ALPHABET,
    OPEN_FOR,
    PRIVATE_LENGTH,
    PUBLIC_LENGTH,
    Origin,
    decide,
    is_closed,
    reconnect,
    rematch_room_id,
    room_id,
)  # fmt: skip
from parlour.server.rooms.events import (
    Declined,
    Disconnected,
    Ended,
    Offered,
    Reconnected,
    Rematch,
    TakenBack,
)  # fmt: skip
from tests.server.rooms.sample_rooms import (
    ADA,
    BEN,
    GAME,
    NOON,
    PLAYERS,
    RESIGN,
    answer,
    commanded,
    fold,
    new_room,
    offer,
    origin,
    play,
    played,
    refused,
    to_the_end,
    until_skipped,
)

# -- draws


@GAME
def test_a_draw_is_agreed_by_accepting(key: str) -> None:
    """Either player can offer at any time, and when the other one accepts, the game is drawn with its scores."""
    room = played(new_room(key), None, None, None)
    for seat, (asker, other) in enumerate((PLAYERS, PLAYERS[::-1])):
        offered, accepted = offer("draw", id=5), answer("draw", True, id=6)
        events = decide(room, asker.id, offered, NOON + 1)
        assert events == (Offered(NOON + 1, seat, "draw", *origin(asker, offered)),)
        ended = decide(fold(room, *events), other.id, accepted, NOON + 2)
        result = Result(None, "agreed", room.rules.scores(room.state))
        assert ended == (Ended(NOON + 2, result, 1 - seat, *origin(other, accepted)),)


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_an_offer_is_declined_or_withdrawn(what: str) -> None:
    """The opponent can decline it and its author withdraw it, but not accept it; then it is closed for both."""
    room = commanded(played(new_room(), None, None), ADA, offer(what))
    assert refused(room, ADA, answer(what, True)) == ErrorCode.NOTHING_OFFERED
    command = answer(what, False, id=8)
    declined = decide(room, BEN.id, command, NOON)
    assert declined == (Declined(NOON, 1, what, False, *origin(BEN, command)),)
    withdrawn = decide(room, ADA.id, command, NOON)
    assert withdrawn == (Declined(NOON, 0, what, True, *origin(ADA, command)),)
    for events in (declined, withdrawn):
        after = fold(room, *events)
        for player in PLAYERS:
            assert refused(after, player, answer(what, True)) == ErrorCode.NOTHING_OFFERED
            assert refused(after, player, answer(what, False)) == ErrorCode.NOTHING_OFFERED


def test_crossing_offers_are_an_agreement() -> None:
    """Offering what the opponent has offered accepts it."""
    room = played(new_room(), None, None)
    assert commanded(commanded(room, ADA, offer("draw")), BEN, offer("draw")).result == Result(None, "agreed")
    taken_back = commanded(commanded(room, BEN, offer("takeback")), ADA, offer("takeback"))
    assert len(taken_back.moves) == 1
    again = commanded(commanded(commanded(room, ADA, RESIGN), BEN, offer("rematch")), ADA, offer("rematch"))
    assert again.next is not None


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_nothing_is_offered_twice_at_one_ply(what: str) -> None:
    """An offer that is open, declined or withdrawn can be repeated only after the next move."""
    room = commanded(played(new_room(), None, None), ADA, offer(what))
    assert refused(room, ADA, offer(what)) == ErrorCode.OFFER_REFUSED
    for player in PLAYERS:
        after = commanded(room, player, answer(what, False))
        assert refused(after, ADA, offer(what)) == ErrorCode.OFFER_REFUSED
        assert commanded(after, BEN, offer(what)).offers == ((1, what),)
        assert commanded(played(after, None), ADA, offer(what)).offers == ((0, what),)


@pytest.mark.parametrize("what", ["draw", "takeback"])
def test_a_move_closes_an_offer(what: str) -> None:
    """It does not matter which player moves."""
    room = played(new_room(), None, None)
    for asker, other in (PLAYERS, PLAYERS[::-1]):
        after = played(commanded(room, asker, offer(what)), None)
        assert refused(after, other, answer(what, True)) == ErrorCode.NOTHING_OFFERED


def test_different_offers_can_be_open_at_once() -> None:
    """A draw and a takeback are answered separately."""
    room = commanded(commanded(played(new_room(), None, None), ADA, offer("draw")), BEN, offer("takeback"))
    assert room.offers == ((0, "draw"), (1, "takeback"))
    assert commanded(room, BEN, answer("draw", False)).offers == ((1, "takeback"),)
    assert commanded(room, BEN, answer("draw", True)).status == "over"
    assert commanded(room, ADA, answer("takeback", True)).offers == ()


# -- takebacks


@GAME
@pytest.mark.parametrize("replied", [False, True], ids=["at once", "after a reply"])
@pytest.mark.parametrize("asker", [0, 1])
def test_a_takeback_returns_to_the_last_turn_of_its_author(key: str, asker: int, replied: bool) -> None:
    """The author is to move as before its last move, also if the opponent has replied since."""
    rooms = list(to_the_end(key))[:-1]
    room = next(room for room in rooms[6:] if room.movers[-1] == (1 - asker if replied else asker))
    asked = commanded(room, PLAYERS[asker], offer("takeback"))
    other, command = PLAYERS[1 - asker], answer("takeback", True, id=9)
    events = decide(asked, other.id, command, NOON + 5)
    plies = len(room.moves) - (2 if replied else 1)
    assert events == (TakenBack(NOON + 5, 1 - asker, plies, *origin(other, command)),)
    after = fold(asked, *events)
    assert after.to_move == asker
    assert (after.state, after.moves, after.texts) == (rooms[plies].state, rooms[plies].moves, rooms[plies].texts)
    assert commanded(after, PLAYERS[asker], play(after)).movers[-1] == asker


@pytest.mark.parametrize("key", ["isaac", "mapello"])
def test_a_takeback_after_a_skipped_turn(key: str) -> None:
    """A player that moved twice takes back the second move; the skipped player returns to before both."""
    room = until_skipped(key)
    twice = room.to_move
    assert twice is not None
    room = played(room, None)
    assert room.movers[-2:] == (twice, twice)
    asked = commanded(room, PLAYERS[twice], offer("takeback"))
    after = commanded(asked, PLAYERS[1 - twice], answer("takeback", True))
    assert (len(after.moves), after.to_move) == (len(room.moves) - 1, twice)
    asked = commanded(room, PLAYERS[1 - twice], offer("takeback"))
    after = commanded(asked, PLAYERS[twice], answer("takeback", True))
    assert after.to_move == 1 - twice
    assert set(room.movers[len(after.moves) + 1 :]) == {twice}


def test_a_game_can_be_taken_back_to_its_start() -> None:
    """Move by move, as long as the author has moves left."""
    room = played(new_room(), *[None] * 6)
    for left in (4, 2, 0):
        room = commanded(commanded(room, ADA, offer("takeback")), BEN, answer("takeback", True))
        assert len(room.moves) == left
    assert refused(room, ADA, offer("takeback")) == ErrorCode.OFFER_REFUSED
    assert room.state == new_room().state


# -- rematch


def test_a_room_stays_open_for_a_while() -> None:
    """Long after the end nothing can happen in it any more, so that its log can be archived."""
    gone = fold(played(new_room(), None), Disconnected(NOON, 0))
    over = commanded(gone, BEN, RESIGN, NOON)
    last = NOON + OPEN_FOR
    assert commanded(over, ADA, offer("rematch"), last).offers == ((0, "rematch"),)
    assert reconnect(over, 0, last) == (Reconnected(last, 0),)
    assert not is_closed(over, last)
    assert is_closed(over, last + 1)
    assert not is_closed(gone, last + 1)
    assert reconnect(over, 0, last + 1) == ()
    for command in (offer("rematch"), RESIGN, play(over)):
        assert refused(over, ADA, command, last + 1) == ErrorCode.GAME_OVER


@GAME
def test_a_rematch_is_agreed_once(key: str) -> None:
    """After the end, by offer and answer; then the next game has started."""
    over = commanded(new_room(key), ADA, RESIGN)
    for seat, (asker, other) in enumerate((PLAYERS, PLAYERS[::-1])):
        room = commanded(over, asker, offer("rematch"))
        command = answer("rematch", True, id=7)
        events = decide(room, other.id, command, NOON + 1)
        agreed = origin(other, command)
        assert events == (Rematch(NOON + 1, 1 - seat, rematch_room_id(room, agreed), *agreed),)
        room = fold(room, *events)
        for player in PLAYERS:
            assert refused(room, player, offer("rematch")) == ErrorCode.OFFER_REFUSED
            assert refused(room, player, answer("rematch", True)) == ErrorCode.NOTHING_OFFERED


def test_a_rematch_can_be_declined() -> None:
    """The other player may still offer it, which does not count as accepting."""
    room = commanded(
        commanded(commanded(new_room(), ADA, RESIGN), ADA, offer("rematch")), BEN, answer("rematch", False)
    )
    assert room.next is None
    room = commanded(room, BEN, offer("rematch"))
    assert (room.next, room.offers) == (None, ((1, "rematch"),))
    assert commanded(room, ADA, answer("rematch", True)).next is not None


def test_the_room_of_a_rematch_cannot_be_guessed() -> None:
    """Its id depends on the session that agreed to it, which only that player's client knows."""
    room = new_room()
    agreed = [Origin(ADA.id, 7, f"session {number}", 0) for number in range(200)]
    names = [rematch_room_id(room, each) for each in agreed]
    assert names == [rematch_room_id(room, each) for each in agreed]
    assert len(set(names)) == len(names)
    assert all(set(name) <= set(ALPHABET) for name in names)
    private = rematch_room_id(replace(room, private=True), agreed[0])
    assert (len(names[0]), len(private)) == (PUBLIC_LENGTH, PRIVATE_LENGTH)


def test_room_ids_are_short_and_distinct() -> None:
    """All have the same length, use only characters that cannot be confused, and differ for different numbers."""
    names = [room_id(number) for number in (*range(3000), 2**40 - 1, 2**63)]
    assert len(set(names[:3000])) == 3000
    assert {len(name) for name in names} == {len(room_id(0))}
    assert len(set(ALPHABET)) == len(ALPHABET)
    assert not set("0O1Il") & set(ALPHABET)
