"""What clients see of a tournament."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.protocol.codec import MSGPACK
from parlour.server.tournaments.view import PAGE, TournamentView, changes
from parlour.tournaments import commands
from parlour.tournaments.events import Event
from tests.server.tournaments.cups import NOW, folded, opened

MINUTE = 60_000


def played(events: list[Event], results: int) -> list[Event]:
    """Return a log with some more results, each a win of the player who began."""
    for _ in range(results):
        state = folded(events)
        if not list(state.running):
            events = [*events, *commands.start_round(state, NOW)]
            state = folded(events)
        number, index, match = next(state.running)
        events = [*events, *commands.report(state, number, index, len(match.winners), match.first, NOW)]
    return events


def view(events: list[Event]) -> TournamentView:
    return TournamentView("cup", folded(events), len(events))


FORMATS: list[dict[str, Any]] = [
    {"format": "round_robin"},
    {"format": "swiss"},
    {"format": "knockout", "games": 2, "third_place": True},
    {"format": "arena", "duration": MINUTE},
    {"format": "simul", "host_side": "alternating"},
    {"format": "swiss", "teams": ("Owls", "Foxes")},
]


@pytest.mark.parametrize("values", FORMATS[:5], ids=lambda values: values["format"])
def test_no_message_contains_a_secret(values: dict[str, Any]) -> None:
    """Neither ids of players nor digests leave the server."""
    shown = view(played(opened(6, **values), 4))
    messages = (shown.snapshot(1), changes(view(opened(6, **values)), shown), shown.yours("id-of-Ada"))
    for message in messages:
        assert b"id-of" not in MSGPACK.encode(message)
        assert b"digest" not in MSGPACK.encode(message)
        assert MSGPACK.decode_server(MSGPACK.encode(message)) == message


@pytest.mark.parametrize("values", FORMATS[:5], ids=lambda values: values["format"])
def test_only_what_has_changed_is_sent(values: dict[str, Any]) -> None:
    """Nothing has changed between two equal states; after a result the standings and the games have."""
    before, after = played(opened(6, **values), 1), played(opened(6, **values), 2)
    same = changes(view(before), view(before))
    assert (same.summary, same.standings, same.games, same.round) == (None, None, None, None)
    found = changes(view(before), view(after))
    assert found.standings is not None
    assert found.games is not None
    assert found.summary is None


def test_a_round_robin() -> None:
    """Rows have a result for each round, and the games of the current round are those of the best players first."""
    shown = view(played(opened(4), 3)).snapshot(None)
    assert (shown.round, shown.rounds, len(shown.games)) == (2, 3, 2)
    assert [row.rank for row in shown.standings] == [1, 2, 3, 4]
    assert sum(row.points for row in shown.standings) == 300
    assert {len(row.results) for row in shown.standings} == {2}
    running = next(game for game in shown.games if not game.over)
    assert shown.featured == running.room


def test_an_arena() -> None:
    """It has no rounds; its games are those that are running, and all of them can be asked for."""
    shown = view(played(opened(6, format="arena", duration=MINUTE), 2))
    assert (shown.round, len(shown.games)) == (0, 1)
    games, total = shown.games_of(0, 0)
    assert total == len(games) == 3
    assert shown.page(0)[0].streak == 1
    assert shown.summary().end == NOW + MINUTE


@pytest.mark.parametrize(
    ("results", "account", "state"),
    [(0, "id-of-Ada", "entered"), (1, "id-of-Cleo", "playing"), (2, "id-of-Ada", "waiting")],
)
def test_the_players_own_part(results: int, account: str, state: str) -> None:
    """It says whether the player waits or plays, and against whom."""
    shown = view(played(opened(4, format="round_robin"), results))
    own = shown.yours(account)
    assert own is not None
    assert own.row is not None
    assert own.state == state
    assert (own.room is not None) == (own.opponent is not None) == (state == "playing")
    assert shown.yours("id-of-olga") is None


def test_a_simul() -> None:
    """The host is listed first, with a result for each opponent, and plays all games at once. There is no winner."""
    shown = view(played(opened(4, format="simul"), 1))
    first, *others = shown.page(0)
    assert first.player.name == "Olga"
    assert [each.result for each in first.results] == ["won", "playing", "playing", "playing"]
    assert len({each.room for each in first.results}) == 4
    assert [len(each.results) for each in others] == [1, 1, 1, 1]
    assert (shown.round, shown.rounds, len(shown.games)) == (1, 1, 4)
    own = shown.yours("id-of-olga")
    assert own is not None
    assert own.room == first.results[1].room
    finished = view(played(opened(4, format="simul"), 4))
    assert finished.summary().winner is None


def test_an_eliminated_player() -> None:
    """A player who has lost a match of a knockout is out."""
    shown = view(played(opened(4, format="knockout"), 1))
    states = [row.state for row in shown.page(0)]
    assert states.count("eliminated") == 1


def test_pages_are_bounded() -> None:
    """No list in a message is longer than a page."""
    events = commands.create(folded(opened(0, format="swiss", max_players=200)).settings, NOW)
    for number in range(120):
        events += commands.enter(folded(events), f"p{number}", f"p{number}", 2000 - number, NOW)
    shown = view([*events, *commands.start_round(folded(events), NOW)])
    assert [len(shown.page(offset)) for offset in (0, PAGE, 2 * PAGE)] == [PAGE, PAGE, 20]
    games, total = shown.games_of(1, PAGE)
    assert (len(games), total, len(shown.games)) == (10, 60, PAGE)


def test_pages_of_the_standings() -> None:
    """Any offset works, and nothing comes after the last player."""
    found = view(played(opened(6), 3)).prepare()
    assert [row.rank for row in found.page(0)] == [1, 2, 3, 4, 5, 6]
    assert found.page(0) is found.page(0)
    assert [row.rank for row in found.page(4)] == [5, 6]
    assert found.page(PAGE) == found.page(10 * PAGE) == ()
