"""The state of the lobby and its changes, as values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.protocol.messages import LiveGame, Lobby, LobbyChanged, OpenSeek
from parlour.protocol.types import Player, Terms
from parlour.server.matchmaking.lobby_listing import LobbyListing, LobbyState, changes

ISAAC = games.find("isaac")
OPTIONS = ISAAC.options({})
BOARD, SCENE = ISAAC.board(OPTIONS), ISAAC.scene(ISAAC.initial(OPTIONS))


def seek(id: str, name: str = "Ada") -> OpenSeek:
    return OpenSeek(id, Player(name), Terms("isaac"))


def live(room: str, ply: int = 0, spectators: int = 0) -> LiveGame:
    players = (Player("Ada"), Player("Ben"))
    return LiveGame(room, "isaac", players, ply=ply, spectators=spectators, board=BOARD, scene=SCENE)


seeks = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(("Ada", "Ben")))
games_on = st.dictionaries(st.sampled_from("wxyz"), st.tuples(st.integers(0, 3), st.integers(0, 2)))


@st.composite
def states(draw: st.DrawFn) -> LobbyState:
    on = {room: live(room, *facts) for room, facts in draw(games_on).items()}
    waiting = {id: seek(id, name) for id, name in draw(seeks).items()}
    return LobbyState(waiting, on, draw(st.sampled_from(["", *on])), draw(st.integers(0, 2)))


def apply(known: Lobby, changed: LobbyChanged) -> Lobby:
    """Return the lobby of a client after a change."""
    assert changed.n == known.n + 1
    seeks = {seek.seek: seek for seek in known.seeks if seek.seek not in changed.seeks_removed}
    seeks |= {seek.seek: seek for seek in changed.seeks}
    games = {game.room: game for game in known.live if game.room not in changed.live_removed}
    for game in changed.live:
        board = games[game.room].board if game.board is None else game.board
        games[game.room] = replace(game, board=board)
    featured = known.featured if changed.featured is None else changed.featured
    online = known.online if changed.online is None else changed.online
    return Lobby(n=changed.n, seeks=tuple(seeks.values()), live=tuple(games.values()), featured=featured, online=online)


def facts(lobby: Lobby) -> tuple[object, ...]:
    return (
        lobby.n, {seek.seek: seek for seek in lobby.seeks}, {game.room: game for game in lobby.live}, lobby.featured,
        lobby.online,
    )  # fmt: skip


@given(st.lists(states(), max_size=6))
def test_changes_lead_to_the_snapshot(history: list[LobbyState]) -> None:
    """A client that applies every change has the same lobby as a new client, with the same number."""
    listing = LobbyListing()
    known = listing.snapshot()
    for state in history:
        listing.set_seeks(tuple(state.seeks.values()))
        listing.set_live(tuple(state.live.values()), state.featured, state.online)
        changed = listing.publish()
        if changed is not None:
            known = apply(known, changed)
        assert facts(known) == facts(listing.snapshot())


@given(states())
def test_equal_states_give_no_change(state: LobbyState) -> None:
    """There is no change between equal states."""
    assert changes(state, state, 1) is None


def test_a_board_is_sent_once() -> None:
    """A game's board is sent when the game appears, and not again when it changes."""
    listing = LobbyListing()
    listing.set_live([live("x")], "x", 1)
    first = listing.publish()
    listing.set_live([live("x", ply=1)], "x", 1)
    second = listing.publish()
    assert first is not None
    assert second is not None
    assert first.live == (live("x"),)
    assert second == LobbyChanged(n=2, live=(replace(live("x", ply=1), board=None),))
    assert listing.snapshot().live == (live("x", ply=1),)


def test_a_short_lived_seek_is_not_published() -> None:
    """A seek that is removed before it was published leaves no trace."""
    listing = LobbyListing()
    listing.add_seek(seek("a"))
    listing.remove_seek("a")
    listing.remove_seek("unknown")
    assert listing.publish() is None
    assert listing.snapshot() == Lobby(n=0, seeks=(), live=())


def test_a_snapshot_has_only_published_changes() -> None:
    """What is not published yet reaches a new subscriber as a change, like all others."""
    listing = LobbyListing()
    listing.add_seek(seek("a"))
    assert listing.snapshot() == Lobby(n=0, seeks=(), live=())
    assert listing.publish() == LobbyChanged(n=1, seeks=(seek("a"),))
    assert listing.snapshot() == Lobby(n=1, seeks=(seek("a"),), live=())
