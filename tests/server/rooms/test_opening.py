"""A room begins with what the players agreed on, completed, checked, and kept for good."""

from __future__ import annotations

from functools import reduce
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.games.match import random_match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, OptionValue, Result, Terms
from parlour.server.rooms.core import Room, created, evolve
from parlour.server.rooms.events import AnyEvent, Created, Ended, Gone, Played, Seated, Started
from parlour.server.rooms.opening import Guest, agreed, opening, rematch

NOON = 1_700_000_000_000
GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN = Guest("id-of-ada", "Ada", 1600), Guest("id-of-ben", "easy", None, bot=True)
FISCHER = Clock("fischer", main=300_000, step=3_000)
OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])


def room_of(events: tuple[AnyEvent, ...]) -> Room:
    first, *rest = events
    assert isinstance(first, Created)
    return reduce(evolve, rest, created("room", first))


def table(
    key: str, options: dict[str, OptionValue] | None = None, position: str | None = None, host: int | None = None
) -> Room:
    terms = Terms(key, options or {}, FISCHER, rated=not options and position is None)
    settled, start = agreed(terms, position, Random(1))
    return room_of(opening(terms, settled, start, (ADA, BEN), NOON, host=host, delay=5000, claim_after=9000))


def refusal_of(terms: Terms, position: str | None = None) -> ErrorCode:
    with pytest.raises(Refusal) as caught:
        agreed(terms, position, Random(1))
    assert caught.value.sentence.endswith(".")
    return caught.value.code


def position_after(key: str, plies: int) -> str:
    """A position of a random game; the last one if the game is shorter."""
    game = games.find(key)
    states = random_match(game, game.options({}), Random(5)).states
    return game.print(states[min(plies, len(states) - 1)])


# -- what players agree on

REFUSALS: dict[str, tuple[Terms, ErrorCode]] = {
    "an unknown game": (Terms("chess"), ErrorCode.GAME_UNKNOWN),
    "no name of a game": (Terms("../isaac"), ErrorCode.GAME_UNKNOWN),
    "an unknown option": (Terms("replica", {"colour": "red"}), ErrorCode.OPTION_UNKNOWN),
    "an option of another game": (Terms("isaac", {"seed": 1}), ErrorCode.OPTION_UNKNOWN),
    "a wrong choice": (Terms("replica", {"size": 9}), ErrorCode.OPTION_INVALID),
    "a wrong switch": (Terms("mitsudomoe", {"passive": "maybe"}), ErrorCode.OPTION_INVALID),
    "a seed that is too large": (Terms("mapello", {"seed": 2**53}), ErrorCode.OPTION_INVALID),
    "a negative seed": (Terms("mapello", {"seed": -1}), ErrorCode.OPTION_INVALID),
    "a seed that is no number": (Terms("mapello", {"seed": "x"}), ErrorCode.OPTION_INVALID),
    "a board that is none": (Terms("mapello", {"board": "######"}), ErrorCode.LAYOUT_INVALID),
    "an unknown clock": (Terms("isaac", {}, Clock("sand", 1000)), ErrorCode.CLOCK_INVALID),
    "a clock without time": (Terms("isaac", {}, Clock("move")), ErrorCode.CLOCK_INVALID),
    "a clock with too much time": (Terms("isaac", {}, Clock("move", 10**10)), ErrorCode.CLOCK_INVALID),
}


@pytest.mark.parametrize(("terms", "code"), REFUSALS.values(), ids=REFUSALS.keys())
def test_terms_that_cannot_be_played_are_refused(terms: Terms, code: ErrorCode) -> None:
    """An unknown game, a bad option or a bad clock has its code and a sentence."""
    assert refusal_of(terms) == code


UNFAIR: dict[str, tuple[Terms, str | None]] = {
    "a position": (Terms("isaac", {}, FISCHER, rated=True), position_after("isaac", 3)),
    "a board of one's own": (Terms("mapello", {"board": OWN_BOARD}, FISCHER, rated=True), None),
    "a seed of one's own": (Terms("mapello", {"board": "random", "seed": 5}, FISCHER, rated=True), None),
    "no clock": (Terms("isaac", rated=True), None),
}


@pytest.mark.parametrize(("terms", "position"), UNFAIR.values(), ids=UNFAIR.keys())
def test_what_cannot_be_rated(terms: Terms, position: str | None) -> None:
    """What one of the two may have prepared, and what may never end; without rating it can be played."""
    assert refusal_of(terms, position) == ErrorCode.RATED_REFUSED
    agreed(replace(terms, rated=False), position, Random(1))


def test_a_random_board_can_be_rated() -> None:
    """Chance is fair: nobody has chosen such a board."""
    options, _ = agreed(Terms("mapello", {"board": "random"}, FISCHER, rated=True), None, Random(1))
    assert options["board"] == "random"


@GAME
@pytest.mark.parametrize("text", ["", "nonsense", "1 2 3", "\x00", "9" * 4000, "٣ b"])
def test_a_position_that_cannot_be_read_is_refused(key: str, text: str) -> None:
    """Whatever text comes, it is refused as a position and not otherwise."""
    assert refusal_of(Terms(key), text) in (ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE)


@GAME
def test_a_finished_position_is_refused(key: str) -> None:
    """Where nobody can move no game begins."""
    assert refusal_of(Terms(key), position_after(key, 10_000)) == ErrorCode.POSITION_IMPOSSIBLE


@GAME
@pytest.mark.parametrize("plies", [0, 1, 7, 20])
def test_a_game_begins_where_it_was_agreed(key: str, plies: int) -> None:
    """At any position that goes on; whoever is to move there begins."""
    text = position_after(key, plies)
    room = table(key, position=text)
    assert room.rules.print(room.state) == room.position == text
    assert room.to_move == room.rules.to_move(room.state)
    assert room.moves == ()


@GAME
def test_options_are_completed(key: str) -> None:
    """The options of a room are all that the game has, as a plain map that can be stored."""
    terms = Terms(key)
    options, position = agreed(terms, None, Random(1))
    assert set(options) == {spec.key for spec in games.find(key).info.options}
    assert position is None
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(options)) == options
    assert terms.options == {}


def test_options_are_settled() -> None:
    """What a form sends as text is kept as the value it stands for."""
    options, _ = agreed(Terms("replica", {"size": "12"}), None, Random(1))
    assert options == {"size": 12, "kings": "unlimited", "sight": "all"}


# -- chance


def test_a_seed_is_drawn_where_none_was_given() -> None:
    """Each table gets another random board."""
    chance = Random(3)
    terms = Terms("mapello", {"board": "random"})
    seeds = {agreed(terms, None, chance)[0]["seed"] for _ in range(50)}
    assert len(seeds) == 50
    assert all(isinstance(seed, int) and 0 <= seed < 2**53 for seed in seeds)


def test_a_seed_is_a_matter_of_the_given_chance() -> None:
    """With the same chance comes the same seed: nothing else is asked."""
    terms = Terms("mapello")
    assert agreed(terms, None, Random(9)) == agreed(terms, None, Random(9))


@given(seed=st.integers(0, 2**53 - 1))
@settings(max_examples=20)
def test_a_seed_that_was_given_is_kept(seed: int) -> None:
    """The board can be drawn again from what is in the log."""
    options, _ = agreed(Terms("mapello", {"board": "random", "seed": seed}), None, Random(1))
    assert options["seed"] == seed
    room = table("mapello", {"board": "random", "seed": seed})
    again = created("room", Created(NOON, "mapello", options, FISCHER))
    assert room.state == again.state


@pytest.mark.parametrize("key", ["isaac", "mitsudomoe", "replica"])
def test_games_without_chance_get_no_seed(key: str) -> None:
    """A seed is drawn only for a game that has one."""
    assert "seed" not in agreed(Terms(key), None, Random(1))[0]


# -- the first events


@GAME
def test_a_log_begins_with_the_terms(key: str) -> None:
    """First the room, then who sits where, then the start if both are there."""
    terms = Terms(key, {}, FISCHER, rated=True)
    options, _ = agreed(terms, None, Random(1))
    assert opening(terms, options, None, (ADA, BEN), NOON, delay=5000, follows="before", claim_after=9000) == (
        Created(NOON, key, options, FISCHER, True, None, 5000, None, "before", 9000),
        Seated(NOON, 0, ADA.player, "Ada", 1600, False),
        Seated(NOON, 1, BEN.player, "easy", None, True),
        Started(NOON),
    )


@pytest.mark.parametrize("seats", [(None, None), (ADA, None), (None, ADA)])
def test_a_table_waits_for_its_players(seats: tuple[Guest | None, Guest | None]) -> None:
    """Nothing starts while a seat is empty."""
    terms = Terms("isaac")
    room = room_of(opening(terms, {}, None, seats, NOON))
    assert room.status == "waiting"
    assert [chair and chair.player for chair in room.chairs] == [guest and guest.player for guest in seats]


@pytest.mark.parametrize("host", [0, 1])
def test_who_did_not_bring_the_board_has_the_choice(host: int) -> None:
    """With a board of one player's own, the other one has to choose before the game starts."""
    room = table("mapello", {"board": OWN_BOARD}, host=host)
    assert (room.chooser, room.status) == (1 - host, "choosing")


@GAME
@pytest.mark.parametrize("host", [None, 0, 1])
def test_there_is_nothing_to_choose_on_the_usual_board(key: str, host: int | None) -> None:
    """Without a board of somebody's own, or without somebody whose board it is, the game starts by itself."""
    assert (table(key, host=host).chooser, table(key, host=host).status) == (None, "playing")
    assert table("mapello", {"board": OWN_BOARD}, host=None).chooser is None


@pytest.mark.parametrize("host", [0, 1])
def test_a_random_board_is_nobodys_own(host: int) -> None:
    """Chance drew it, so nobody has an advantage to make up for."""
    assert table("mapello", {"board": "random"}, host=host).status == "playing"


# -- rematch


@GAME
def test_a_rematch_is_the_same_game_with_the_seats_changed(key: str) -> None:
    """Game, options, clock, rating and all times are the same; who moved first moves second."""
    room = evolve(table(key), Ended(NOON, Result(0, "resigned"), 1))
    events = rematch(room, NOON + 9, Random(7))
    again = room_of(events)
    assert again.chairs == room.chairs[::-1]
    for field in ("game", "clock", "rated", "delay", "claim_after", "private"):
        assert getattr(again, field) == getattr(room, field), field
    assert {**again.options, "seed": 0} == {**room.options, "seed": 0}
    assert (again.follows, again.status, again.result, again.moves) == (room.id, "playing", None, ())
    assert all(event.at == NOON + 9 for event in events)


def test_a_rematch_has_a_random_board_of_its_own() -> None:
    """The seed is drawn anew, also when the first one was given."""
    room = table("mapello", {"board": "random", "seed": 5})
    again = room_of(rematch(room, NOON, Random(7)))
    assert again.options["board"] == "random"
    assert again.options["seed"] != 5
    assert again.state != room.state
    assert rematch(room, NOON, Random(7)) == rematch(room, NOON, Random(7))


def test_a_rematch_keeps_a_board_of_somebodys_own() -> None:
    """The same board, with the seats changed and nothing to choose any more."""
    room = table("mapello", {"board": OWN_BOARD}, host=0)
    again = room_of(rematch(room, NOON, Random(7)))
    assert (again.options["board"], again.status) == (OWN_BOARD, "playing")
    assert again.chairs == room.chairs[::-1]


@GAME
def test_a_rematch_begins_where_the_first_game_began(key: str) -> None:
    """Also at a given position; the moves that were made there do not matter."""
    room = table(key, position=position_after(key, 4))
    room = evolve(room, Played(NOON, room.rules.moves(room.state)[0]))
    again = room_of(rematch(room, NOON, Random(7)))
    assert again.position == room.position
    assert again.rules.print(again.state) == room.position


def test_a_rematch_of_a_private_game_is_private() -> None:
    """Who did not want to be watched does not want it now."""
    room = replace(table("isaac"), private=True)
    assert room_of(rematch(room, NOON, Random(7))).private


def test_a_rematch_of_a_rematch_has_the_first_seats_again() -> None:
    """The seats change each time."""
    room = table("replica")
    once = room_of(rematch(room, NOON, Random(7)))
    assert room_of(rematch(once, NOON, Random(7))).chairs == room.chairs


def test_a_rematch_forgets_who_was_gone() -> None:
    """Ratings, names and kinds of players go along; the connection of yesterday does not."""
    room = table("replica")
    away = evolve(evolve(room, Gone(NOON, 1)), Ended(NOON, Result(0, "abandoned"), 0))
    assert away.chairs != room.chairs
    assert room_of(rematch(away, NOON, Random(7))).chairs == room.chairs[::-1]
