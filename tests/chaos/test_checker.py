"""The checker finds every broken guarantee, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from parlour.chaos.checker import Kind, check
from parlour.chaos.evidence import Evidence, GameLog, LogEntry, Snapshot
from parlour.chaos.observations import Attempt, Observations, Stall, View
from parlour.protocol.messages import GameRating
from parlour.protocol.types import Clock, Result

ROOM, HASH = "abc", 77
WON = Result(1, "resigned")
FLAG = Result(0, "flag")

# Ada and Bob play a move each, then Ada resigns.
LOG = GameLog(
    room=ROOM,
    game="replica",
    rated=True,
    clock=Clock("move", 15_000),
    players=("ada", "bob"),
    entries=(
        LogEntry(),
        LogEntry(("ada", 1), "e2-e4"),
        LogEntry(("bob", 1), "e7-e5"),
        LogEntry(),
        LogEntry(("ada", 2)),
    ),
    moves=("e2-e4", "e7-e5"),
    result=WON,
)


def seen(**changes: Any) -> Observations:
    """What the clients of a correct server have observed of that game."""
    observed = Observations(
        attempts=[
            Attempt("ada", ROOM, 0, 1.0, 2.0, None, 2.1, 1, 2),
            Attempt("bob", ROOM, 1, 2.1, 3.0, None, 3.1, 1, 3),
            Attempt("ada", ROOM, 2, 3.1, 4.0, None, 4.1, 2, 5),
        ],
        views=[View(name, ROOM, LOG.moves, HASH, WON) for name in ("ada", "bob", "eve")],
        shown={(ROOM, 2): {"e2-e4"}, (ROOM, 3): {"e7-e5"}},
        ended=30.0,
    )
    return replace(observed, **changes)


def evidence(log: GameLog = LOG, **changes: Any) -> Evidence:
    """What a correct server has stored."""
    ratings = {
        "ada": (GameRating("replica", 1400, 200, games=1, lost=1),),
        "bob": (GameRating("replica", 1600, 200, games=1, won=1),),
    }
    found = Evidence({ROOM: log}, {ROOM: Snapshot(log.moves, HASH, log.result)}, ratings)
    return replace(found, **changes)


def kinds(observed: Observations, stored: Evidence) -> list[Kind]:
    return [violation.kind for violation in check(observed, stored)]


def test_a_correct_server() -> None:
    """There is nothing to complain about."""
    assert check(seen(), evidence()) == []


# -- commands


@pytest.mark.parametrize(
    "entries",
    [
        LOG.entries[:4],  # missing
        (*LOG.entries[:4], LogEntry(("bob", 2))),  # another command is there
    ],
)
def test_a_lost_command(entries: tuple[LogEntry, ...]) -> None:
    """An acknowledged command must be where its acknowledgement says."""
    assert kinds(seen(), evidence(replace(LOG, entries=entries))) == [Kind.LOST]


def test_a_lost_room() -> None:
    """Everything that was acknowledged in it is lost."""
    found = set(kinds(seen(), Evidence({}, {}, {})))

    assert found == {Kind.LOST, Kind.PHANTOM, Kind.DIVERGED}


def test_a_command_executed_twice() -> None:
    """No command may be in a log twice; two players may use the same id."""
    assert kinds(seen(), evidence(replace(LOG, entries=(*LOG.entries, LogEntry(("ada", 2)))))) == [Kind.TWICE]


def test_a_command_executed_and_refused() -> None:
    """A command that is sent again has to be acknowledged again."""
    observed = seen()
    observed.attempts[0] = Attempt("ada", ROOM, 0, 1.0, 2.0, None, 5.0, 1, None, "stale_ply")

    assert kinds(observed, evidence()) == [Kind.DENIED]


def test_a_refused_command() -> None:
    """A command that was refused and not executed is no violation, and neither is one without an answer."""
    observed = seen()
    observed.attempts += [
        Attempt("ada", ROOM, 2, 1.0, 2.0, None, 5.0, 19, None, "not_your_turn"),
        Attempt("ada", ROOM, 2, 1.0, 2.0),
    ]

    assert check(observed, evidence()) == []


# -- what clients see


@pytest.mark.parametrize("shown", [{(ROOM, 2): {"e2-e4", "a2-a4"}}, {(ROOM, 9): {"e2-e4"}}, {("other", 2): {"e2-e4"}}])
def test_a_move_that_never_happened(shown: dict[tuple[str, int], set[str]]) -> None:
    """Clients may only be shown what is in the log."""
    assert kinds(seen(shown=shown), evidence()) == [Kind.PHANTOM]


@pytest.mark.parametrize(
    "view",
    [
        View("eve", ROOM, LOG.moves[:1], HASH, WON),
        View("eve", ROOM, LOG.moves, HASH + 1, WON),
        View("eve", ROOM, LOG.moves, HASH, Result(0, "resigned")),
        View("eve", ROOM, LOG.moves, HASH, None),
        View("eve", "unknown", LOG.moves, HASH, WON),
    ],
)
def test_a_client_with_another_game(view: View) -> None:
    """In the end every client has the moves, the scene and the result of the log."""
    assert kinds(seen(views=[view]), evidence()) == [Kind.DIVERGED]


def test_a_wrong_snapshot() -> None:
    """So does a client that joins later."""
    stored = evidence(snapshots={ROOM: Snapshot(LOG.moves[:1], HASH, WON)})

    assert kinds(seen(views=[]), stored) == [Kind.DIVERGED]


def test_a_game_that_cannot_be_joined() -> None:
    """What is stored has to be served."""
    assert kinds(seen(views=[]), evidence(snapshots={})) == [Kind.DIVERGED]


# -- how games end


def ended(result: Result | None) -> tuple[Observations, Evidence]:
    """The game, casual, ended like this in the third move, which the log does not have."""
    log = replace(LOG, entries=LOG.entries[:4], result=result, rated=False)
    observed = seen(views=[])
    del observed.attempts[2]
    return observed, evidence(log, ratings={})


def test_an_unfinished_game() -> None:
    """At the end of a run no game goes on, whether or not clients know of it."""
    assert kinds(*ended(None)) == [Kind.UNFINISHED]


def test_a_log_with_an_illegal_move() -> None:
    """The rules hold for what is stored."""
    assert kinds(seen(), evidence(replace(LOG, fault="Move 3 is not legal."))) == [Kind.CORRUPT]


@pytest.mark.parametrize("reason", ["aborted", "abandoned"])
def test_a_game_that_no_player_wanted_to_end(reason: str) -> None:
    """No player aborts a game or leaves it."""
    assert kinds(*ended(Result(None, reason))) == [Kind.TIME]


@pytest.mark.parametrize(
    "attempt",
    [
        None,  # the player was never asked
        Attempt("ada", ROOM, 2, 5.0, sent=6.0),  # its move was not processed
        Attempt("ada", ROOM, 2, 5.0, dropped=6.0),  # it was asked too late
    ],
)
def test_a_flag_that_is_not_the_players_fault(attempt: Attempt | None) -> None:
    """Time that the server or the network took must not lose a game."""
    observed, stored = ended(Result(1, "flag"))
    observed.attempts += [] if attempt is None else [attempt]

    assert kinds(observed, stored) == [Kind.TIME]


@pytest.mark.parametrize(
    ("attempt", "stalls"),
    [
        (Attempt("ada", ROOM, 2, 5.0, sent=21.0), []),  # it thought for 16 seconds
        (Attempt("ada", ROOM, 2, 5.0, sent=6.0), [Stall(6.0, 21.0)]),  # its own process did not run
        (None, [Stall(5.0, 21.0)]),
    ],
)
def test_a_flag_that_is_the_players_fault(attempt: Attempt | None, stalls: list[Stall]) -> None:
    """Time that the player itself took may."""
    observed, stored = ended(Result(1, "flag"))
    observed.attempts += [] if attempt is None else [attempt]
    observed.stalls += stalls

    assert check(observed, stored) == []


# -- ratings


@pytest.mark.parametrize(
    "ratings",
    [
        (),  # not rated
        (GameRating("replica", 1300, 200, games=2, lost=2),),  # rated twice
        (GameRating("replica", 1600, 200, games=1, won=1),),  # with another result
        (GameRating("replica", 1400, 200, games=1, lost=1), GameRating("isaac", 1400, 200, games=1, lost=1)),
    ],
)
def test_a_game_not_rated_once(ratings: tuple[GameRating, ...]) -> None:
    """The results of a player's rated games are those in the profile."""
    stored = evidence(ratings={"ada": ratings})

    assert kinds(seen(), stored) == [Kind.RATING]


def test_games_that_do_not_count() -> None:
    """Casual games are not rated, and neither are aborted ones."""
    observed, stored = ended(Result(1, "resigned"))
    assert check(observed, replace(stored, ratings={"ada": ()})) == []

    observed, stored = ended(Result(None, "aborted"))
    rated = {ROOM: replace(stored.logs[ROOM], rated=True)}
    assert kinds(observed, replace(stored, logs=rated, ratings={"ada": ()})) == [Kind.TIME]


# -- failures


def test_a_failed_client() -> None:
    """A client or a node that ended by itself is a violation."""
    assert kinds(seen(failures=["A client stopped."]), evidence()) == [Kind.FAILED]
