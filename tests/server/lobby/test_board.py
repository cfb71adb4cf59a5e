"""What those who follow the lobby are told: as values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour import games
from parlour.protocol.messages import LiveGame, Lobby, LobbyChanged, OpenSeek
from parlour.protocol.tables import Player, Terms
from parlour.server.lobby.board import Board, Notices, changes

ISAAC = games.find("isaac")
OPTIONS = ISAAC.options({})
BOARD, SCENE = ISAAC.board(OPTIONS), ISAAC.scene(ISAAC.initial(OPTIONS))


def seek(id: str, name: str = "Ada") -> OpenSeek:
    return OpenSeek(id, Player(name), Terms("isaac"))


def live(room: str, ply: int = 0, watchers: int = 0) -> LiveGame:
    players = (Player("Ada"), Player("Ben"))
    return LiveGame(room, "isaac", players, ply=ply, watchers=watchers, board=BOARD, scene=SCENE)


seeks = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(("Ada", "Ben")))
games_on = st.dictionaries(st.sampled_from("wxyz"), st.tuples(st.integers(0, 3), st.integers(0, 2)))


@st.composite
def notices(draw: st.DrawFn) -> Notices:
    on = {room: live(room, *facts) for room, facts in draw(games_on).items()}
    waiting = {id: seek(id, name) for id, name in draw(seeks).items()}
    return Notices(waiting, on, draw(st.sampled_from(["", *on])), draw(st.integers(0, 2)))


def follow(known: Lobby, changed: LobbyChanged) -> Lobby:
    """What a client makes of a change."""
    assert changed.n == known.n + 1
    seeks = {seek.seek: seek for seek in known.seeks if seek.seek not in changed.seeks_gone}
    seeks |= {seek.seek: seek for seek in changed.seeks}
    games = {game.room: game for game in known.live if game.room not in changed.live_gone}
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


@given(st.lists(notices(), max_size=6))
def test_who_follows_knows_everything(states: list[Notices]) -> None:
    """Whoever applies every change has what a newcomer is given, at any time, and with the same number."""
    board = Board()
    known = board.whole()
    for state in states:
        board.begin(tuple(state.seeks.values()))
        board.show(tuple(state.live.values()), state.featured, state.online)
        changed = board.tell()
        if changed is not None:
            known = follow(known, changed)
        assert facts(known) == facts(board.whole())


@given(notices())
def test_nothing_new_is_not_told(state: Notices) -> None:
    """Nobody is told what he knows."""
    assert changes(state, state, 1) is None


def test_a_board_is_told_once() -> None:
    """With the first mention of a game, and not when the game has changed."""
    board = Board()
    board.show([live("x")], "x", 1)
    first = board.tell()
    board.show([live("x", ply=1)], "x", 1)
    second = board.tell()
    assert first is not None
    assert second is not None
    assert first.live == (live("x"),)
    assert second == LobbyChanged(n=2, live=(replace(live("x", ply=1), board=None),))
    assert board.whole().live == (live("x", ply=1),)


def test_what_came_and_went_is_not_told() -> None:
    """A seek that is gone before anybody was told of it leaves no trace."""
    board = Board()
    board.post(seek("a"))
    board.remove("a")
    board.remove("unknown")
    assert board.tell() is None
    assert board.whole() == Lobby(n=0, seeks=(), live=())


def test_a_newcomer_is_not_ahead_of_the_others() -> None:
    """What was not told yet comes as a change, for him as for everybody."""
    board = Board()
    board.post(seek("a"))
    assert board.whole() == Lobby(n=0, seeks=(), live=())
    assert board.tell() == LobbyChanged(n=1, seeks=(seek("a"),))
    assert board.whole() == Lobby(n=1, seeks=(seek("a"),), live=())
