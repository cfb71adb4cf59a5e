"""Logs of games as clients can know them."""

from __future__ import annotations

from parlour import games
from parlour.chaos.evidence import LogEntry, parse_log
from parlour.protocol.types import Clock, Player, Result
from parlour.server.rooms.events import AnyEvent, Chose, Created, Disconnected, Ended, Participant, Played, encode

OPTIONS = dict(games.find("replica").options({}))
CREATED = Created(
    0,
    "replica",
    OPTIONS,
    Clock("move", 15_000),
    (Participant("a", Player("ada")), Participant("b", Player("bob"))),
    True,
)


def parsed(*events: AnyEvent, created: Created = CREATED) -> tuple[tuple[LogEntry, ...], tuple[str, ...]]:
    log = parse_log("abc", [encode(event) for event in (created, *events)])
    return log.entries, log.moves


def test_a_log() -> None:
    """Every entry has its command, and moves are in the notation of the game."""
    game = games.find("replica")
    state = game.initial(OPTIONS)
    move = game.moves(state)[0]
    log = parse_log(
        "abc",
        [
            encode(event)
            for event in (
                CREATED,
                Played(1, move, by="a", id=10),
                Disconnected(2, 1),
                Ended(3, Result(1, "resigned"), 0, "a", 11),
            )
        ],
    )
    text = game.write(state, move)

    assert log.entries == (LogEntry(), LogEntry(("ada", 10), text), LogEntry(), LogEntry(("ada", 11)))
    assert log.moves == (text,)
    assert log.players == ("ada", "bob")
    assert log.result == Result(1, "resigned")
    assert (log.room, log.game, log.rated, log.clock.main) == ("abc", "replica", True, 15_000)


def test_players_may_change_seats() -> None:
    """They are listed by the seats in which they played."""
    log = parse_log("abc", [encode(CREATED), encode(Chose(1, swap=True, by="b", id=3))])

    assert log.players == ("bob", "ada")
    assert log.entries[1].command == ("bob", 3)
    assert log.result is None


def test_a_game_from_a_position() -> None:
    """Moves are read from where the game began."""
    game = games.find("replica")
    before = game.initial(OPTIONS)
    position = game.apply(before, game.moves(before)[0])
    created = Created(0, "replica", OPTIONS, Clock(), CREATED.players, position=game.print(position))
    move = game.moves(position)[-1]
    _, moves = parsed(Played(1, move), created=created)

    assert moves == (game.write(position, move),)


def test_an_illegal_move() -> None:
    """The log is read up to it, and says why not further; the ids of all commands are known."""
    game = games.find("replica")
    first = game.moves(game.initial(OPTIONS))[0]
    events = (
        CREATED,
        Played(1, first, by="a", id=10),
        Played(2, first, by="b", id=20),
        Played(3, first, by="a", id=11),
    )
    log = parse_log("abc", [encode(event) for event in events])

    assert log.fault.startswith("Move 2 is not legal: ")
    assert len(log.moves) == 1
    assert [entry.command for entry in log.entries] == [None, ("ada", 10), ("bob", 20), ("ada", 11)]


def test_a_move_after_the_end() -> None:
    """A game that is over does not go on."""
    move = games.find("replica").moves(games.find("replica").initial(OPTIONS))[0]
    log = parse_log("abc", [encode(event) for event in (CREATED, Ended(1, Result(0, "resigned")), Played(2, move))])

    assert log.fault == "Move 1 was played after the end."
