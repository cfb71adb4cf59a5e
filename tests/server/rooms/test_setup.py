"""Terms are completed and checked before a room is created, and the log keeps them."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.games.perft import random_match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, OptionValue, Player, Result, Terms
from parlour.server.rooms.clock import lag_cap
from parlour.server.rooms.events import Created, Disconnected, Ended, Participant, Played
from parlour.server.rooms.setup import complete_options, create, create_rematch
from parlour.server.rooms.state import RoomState, evolve, initial_state

NOON = 1_700_000_000_000
GAMES = ("isaac", "mapello", "mitsudomoe", "replica")
GAME = pytest.mark.parametrize("key", GAMES)
ADA, BEN = Participant("id-of-ada", Player("Ada", 1600)), Participant("id-of-ben", Player("easy", bot=True))
FISCHER = Clock("fischer", main=300_000, step=3_000)
CUSTOM_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])


def room_of(event: Created) -> RoomState:
    return initial_state("room", event)


def new_room(
    key: str, options: dict[str, OptionValue] | None = None, position: str | None = None, host: int | None = None
) -> RoomState:
    terms = Terms(key, options or {}, FISCHER, rated=not options and position is None)
    options = complete_options(terms, position, Random(1))
    return room_of(create(terms, options, position, (ADA, BEN), NOON, host=host, delay=5000, claim_after=9000))


def refusal_of(terms: Terms, position: str | None = None) -> ErrorCode:
    with pytest.raises(Refusal) as caught:
        complete_options(terms, position, Random(1))
    assert caught.value.sentence.endswith(".")
    return caught.value.code


def position_after(key: str, plies: int) -> str:
    """Return a position of a random game; the last one if the game is shorter."""
    game = games.find(key)
    states = random_match(game, game.options({}), Random(5)).states
    return game.print(states[min(plies, len(states) - 1)])


# -- terms

REFUSALS: dict[str, tuple[Terms, ErrorCode]] = {
    "an unknown game": (Terms("chess"), ErrorCode.GAME_UNKNOWN),
    "a path instead of a game": (Terms("../isaac"), ErrorCode.GAME_UNKNOWN),
    "an unknown option": (Terms("replica", {"colour": "red"}), ErrorCode.OPTION_UNKNOWN),
    "an option of another game": (Terms("isaac", {"seed": 1}), ErrorCode.OPTION_UNKNOWN),
    "a wrong choice": (Terms("replica", {"size": 9}), ErrorCode.OPTION_INVALID),
    "a wrong switch": (Terms("mitsudomoe", {"passive": "maybe"}), ErrorCode.OPTION_INVALID),
    "a seed that is too large": (Terms("mapello", {"seed": 2**53}), ErrorCode.OPTION_INVALID),
    "a negative seed": (Terms("mapello", {"seed": -1}), ErrorCode.OPTION_INVALID),
    "a seed that is no number": (Terms("mapello", {"seed": "x"}), ErrorCode.OPTION_INVALID),
    "a malformed board": (Terms("mapello", {"board": "######"}), ErrorCode.LAYOUT_INVALID),
    "an unknown clock": (Terms("isaac", {}, Clock("sand", 1000)), ErrorCode.CLOCK_INVALID),
    "a clock without time": (Terms("isaac", {}, Clock("move")), ErrorCode.CLOCK_INVALID),
    "a clock with too much time": (Terms("isaac", {}, Clock("move", 10**10)), ErrorCode.CLOCK_INVALID),
}


@pytest.mark.parametrize(("terms", "code"), REFUSALS.values(), ids=REFUSALS.keys())
def test_terms_that_cannot_be_played_are_refused(terms: Terms, code: ErrorCode) -> None:
    """An unknown game, a bad option or a bad clock is refused with its own code and a sentence."""
    assert refusal_of(terms) == code


UNFAIR: dict[str, tuple[Terms, str | None]] = {
    "a position": (Terms("isaac", {}, FISCHER, rated=True), position_after("isaac", 3)),
    "a custom board": (Terms("mapello", {"board": CUSTOM_BOARD}, FISCHER, rated=True), None),
    "a given seed": (Terms("mapello", {"board": "random", "seed": 5}, FISCHER, rated=True), None),
    "no clock": (Terms("isaac", rated=True), None),
}


@pytest.mark.parametrize(("terms", "position"), UNFAIR.values(), ids=UNFAIR.keys())
def test_terms_that_cannot_be_rated(terms: Terms, position: str | None) -> None:
    """A game that a player may have prepared, or that may never end, can be played only unrated."""
    assert refusal_of(terms, position) == ErrorCode.RATED_REFUSED
    complete_options(replace(terms, rated=False), position, Random(1))


def test_a_random_board_can_be_rated() -> None:
    """Neither player has chosen such a board."""
    options = complete_options(Terms("mapello", {"board": "random"}, FISCHER, rated=True), None, Random(1))
    assert options["board"] == "random"


@GAME
@pytest.mark.parametrize("text", ["", "nonsense", "1 2 3", "\x00", "9" * 4000, "٣ b"])
def test_a_position_that_cannot_be_read_is_refused(key: str, text: str) -> None:
    """Any text that is not a position is refused as such."""
    assert refusal_of(Terms(key), text) in (ErrorCode.POSITION_MALFORMED, ErrorCode.POSITION_IMPOSSIBLE)


@GAME
def test_a_finished_position_is_refused(key: str) -> None:
    """A game cannot start where there is no legal move."""
    assert refusal_of(Terms(key), position_after(key, 10_000)) == ErrorCode.POSITION_IMPOSSIBLE


@GAME
@pytest.mark.parametrize("plies", [0, 1, 7, 20])
def test_a_game_starts_from_the_given_position(key: str, plies: int) -> None:
    """Any unfinished position will do; the seat to move there starts."""
    text = position_after(key, plies)
    room = new_room(key, position=text)
    assert room.rules.print(room.state) == room.position == text
    assert room.to_move == room.rules.to_move(room.state)
    assert room.moves == ()


@GAME
def test_options_are_completed(key: str) -> None:
    """A room has every option of its game, as a plain map that can be stored."""
    terms = Terms(key)
    options = complete_options(terms, None, Random(1))
    assert set(options) == {spec.key for spec in games.find(key).info.options}
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(options)) == options
    assert terms.options == {}


def test_options_are_converted() -> None:
    """A value that a form sends as text is stored with its own type."""
    options = complete_options(Terms("replica", {"size": "12"}), None, Random(1))
    assert options == {"size": 12, "kings": "unlimited", "sight": "all", "blocked_by": "enemies"}


# -- seeds


def test_a_seed_is_drawn_if_none_is_given() -> None:
    """Each room gets a different random board."""
    rng = Random(3)
    terms = Terms("mapello", {"board": "random"})
    seeds = {complete_options(terms, None, rng)["seed"] for _ in range(50)}
    assert len(seeds) == 50
    assert all(isinstance(seed, int) and 0 <= seed < 2**53 for seed in seeds)


def test_the_seed_depends_only_on_the_given_generator() -> None:
    """Generators in the same state draw the same seed."""
    terms = Terms("mapello")
    assert complete_options(terms, None, Random(9)) == complete_options(terms, None, Random(9))


@given(seed=st.integers(0, 2**53 - 1))
@settings(max_examples=20)
def test_a_given_seed_is_kept(seed: int) -> None:
    """The board can be drawn again from the log."""
    options = complete_options(Terms("mapello", {"board": "random", "seed": seed}), None, Random(1))
    assert options["seed"] == seed
    room = new_room("mapello", {"board": "random", "seed": seed})
    again = initial_state("room", Created(NOON, "mapello", options, FISCHER, (ADA, BEN)))
    assert room.state == again.state


@pytest.mark.parametrize("key", ["isaac", "mitsudomoe", "replica"])
def test_games_without_randomness_get_no_seed(key: str) -> None:
    """A seed is drawn only for a game that has one."""
    assert "seed" not in complete_options(Terms(key), None, Random(1))


# -- the first event


@GAME
def test_a_log_begins_with_terms_and_players(key: str) -> None:
    """The first event has everything that was agreed on."""
    terms = Terms(key, {}, FISCHER, rated=True)
    options = complete_options(terms, None, Random(1))
    event = create(terms, options, None, (ADA, BEN), NOON, delay=5000, follows="before", claim_after=9000)
    version = games.find(key).info.rules_version
    agreed = (NOON, key, options, FISCHER, (ADA, BEN), True, None, 5000, None, "before", 9000)
    assert event == Created(*agreed, rules_version=version, lag_cap=lag_cap(FISCHER))


@pytest.mark.parametrize("host", [0, 1])
def test_the_player_that_did_not_design_the_board_chooses(host: int) -> None:
    """With a custom board, the host's opponent has to choose before the game starts."""
    room = new_room("mapello", {"board": CUSTOM_BOARD}, host=host)
    assert (room.chooser, room.status) == (1 - host, "choosing")


@GAME
@pytest.mark.parametrize("host", [None, 0, 1])
def test_there_is_nothing_to_choose_on_the_usual_board(key: str, host: int | None) -> None:
    """Without a custom board, or without a host, the game starts at once."""
    assert (new_room(key, host=host).chooser, new_room(key, host=host).status) == (None, "playing")
    assert new_room("mapello", {"board": CUSTOM_BOARD}, host=None).chooser is None


@pytest.mark.parametrize("host", [0, 1])
def test_a_random_board_is_not_a_custom_board(host: int) -> None:
    """Neither player designed it, so there is no advantage to make up for."""
    assert new_room("mapello", {"board": "random"}, host=host).status == "playing"


# -- rematch


@GAME
def test_a_rematch_is_the_same_game_with_the_seats_swapped(key: str) -> None:
    """Game, options, clock, rating and all times are the same; the first player is now second."""
    room = evolve(new_room(key), Ended(NOON, Result(0, "resigned"), 1))
    event = create_rematch(room, NOON + 9, Random(7))
    again = room_of(event)
    assert again.players == room.players[::-1]
    for field in ("game", "clock", "rated", "delay", "claim_after", "private"):
        assert getattr(again, field) == getattr(room, field), field
    assert {**again.options, "seed": 0} == {**room.options, "seed": 0}
    assert (again.follows, again.status, again.result, again.moves) == (room.id, "playing", None, ())
    assert event.at == NOON + 9


def test_a_rematch_has_a_new_random_board() -> None:
    """A new seed is drawn, also when the first one was given."""
    room = new_room("mapello", {"board": "random", "seed": 5})
    again = room_of(create_rematch(room, NOON, Random(7)))
    assert again.options["board"] == "random"
    assert again.options["seed"] != 5
    assert again.state != room.state
    assert create_rematch(room, NOON, Random(7)) == create_rematch(room, NOON, Random(7))


def test_a_rematch_keeps_a_custom_board() -> None:
    """The board is the same, the seats are swapped, and there is nothing to choose."""
    room = new_room("mapello", {"board": CUSTOM_BOARD}, host=0)
    again = room_of(create_rematch(room, NOON, Random(7)))
    assert (again.options["board"], again.status) == (CUSTOM_BOARD, "playing")
    assert again.players == room.players[::-1]


@GAME
def test_a_rematch_starts_where_the_first_game_started(key: str) -> None:
    """It starts from the given position, whatever moves were made from there."""
    room = new_room(key, position=position_after(key, 4))
    room = evolve(room, Played(NOON, room.rules.moves(room.state)[0]))
    again = room_of(create_rematch(room, NOON, Random(7)))
    assert again.position == room.position
    assert again.rules.print(again.state) == room.position


def test_a_rematch_of_a_private_game_is_private() -> None:
    """Players who did not want to be watched still do not."""
    room = replace(new_room("isaac"), private=True)
    assert room_of(create_rematch(room, NOON, Random(7))).private


def test_a_rematch_of_a_rematch_has_the_original_seats() -> None:
    """The seats are swapped each time."""
    room = new_room("replica")
    once = room_of(create_rematch(room, NOON, Random(7)))
    assert room_of(create_rematch(once, NOON, Random(7))).players == room.players


def test_a_rematch_starts_with_both_players_online() -> None:
    """The players are the same; that one was offline in the first game is forgotten."""
    room = new_room("replica")
    away = evolve(evolve(room, Disconnected(NOON, 1)), Ended(NOON, Result(0, "abandoned"), 0))
    again = room_of(create_rematch(away, NOON, Random(7)))
    assert away.offline_since == (None, NOON)
    assert (again.players, again.offline_since) == (room.players[::-1], (None, None))
