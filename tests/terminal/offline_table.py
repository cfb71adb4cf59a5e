"""Tables without a server: the client's own parts around a room that the test describes."""

from __future__ import annotations

from collections.abc import Sequence

from parlour import games
from parlour.client.client import Client, connect
from parlour.client.table import Table
from parlour.protocol.messages import Choices, Presence, Room, Welcome
from parlour.protocol.replica import RoomReplica
from parlour.protocol.scene import scene_hash
from parlour.protocol.types import Clock, GameCard, Player, Result, SeatedPlayer, Step, Terms
from parlour.terminal.ui.table_view import LocalSeat, TableView

PLAYERS = (Player("Ann"), Player("Bob"))


def offline_client(seat: int | None) -> Client:
    """Return a client that has been welcomed, but has no connection."""
    client = connect("ws://127.0.0.1:9")
    cards = tuple(
        GameCard(game.info.key, game.info.name, "", game.info.seats, (), (), dict(game.info.reasons))
        for game in map(games.find, games.keys())
    )
    you = PLAYERS[seat] if seat is not None else Player("Eve")
    client.connection.welcome = Welcome(you=you, token="t", session="s", time=0, games=cards, max_message_size=9999)
    return client


def offline_view(
    game: str = "mapello",
    *,
    seat: int | None = 0,
    moves: Sequence[str] = ("f7", "g7"),
    to_move: int | None = 0,
    offers: Sequence[str] = (),
    result: Result | None = None,
    offline: bool = False,
    claim_in: int | None = None,
    next: str | None = None,
    rated: bool = False,
    hotseat: bool = False,
    choosing: int | None = None,
    computer: bool = False,
    abort_in: int | None = None,
    tournament: str | None = None,
) -> TableView:
    """Return the view of a table between Ann and Bob, in the seats 0 and 1.

    `offline`: the opponent of `seat` is; `choosing`: the seat that decides who moves first; `computer`: Bob is a bot;
    `abort_in`: the time for the first move.
    """
    rules = games.find(game)
    board, scene = rules.board(rules.options({})), rules.scene(rules.initial(rules.options({})))
    scene = type(scene)(scene.pieces, scene.tallies, None if result else to_move)

    def seat_at(own: int | None) -> LocalSeat:
        room = Room(
            room="R", epoch=1, seq=1, hash=scene_hash(scene), board=board, scene=scene,
            terms=Terms(game, dict(rules.options({})), Clock(), rated),
            players=(SeatedPlayer(PLAYERS[0], online=True), SeatedPlayer(Player("Bob", bot=computer), online=True)),
            status="over" if result else "choosing" if choosing is not None else "playing",
            moves=tuple(moves), seat=own,
            offers=tuple(offers), result=result, next=next, chooser=choosing,
            tournament=tournament,
        )  # fmt: skip
        client = offline_client(own)
        client.connection.rooms["R"] = RoomReplica(room)
        table = Table(client.connection, "R", lambda _: None)
        if own == to_move and result is None and choosing is None:
            table.handle(Choices(room="R", ply=len(moves), step=Step(0, (11, 12)), prompts=("Choose a cell.",)))
        if offline or abort_in is not None:
            online = tuple(each == seat or not offline for each in (0, 1))
            table.handle(Presence(room="R", online=online, claim_in=claim_in, abort_in=abort_in))
        return LocalSeat(client, table)

    return TableView(*([seat_at(0), seat_at(1)] if hotseat else [seat_at(seat)]))
