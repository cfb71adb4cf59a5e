"""Rows for the tests of the archive database."""

from __future__ import annotations

from parlour.server.archive.database.games import GameRow, Seat

NOON = 1_700_000_000_000


def row(
    room: str,
    ended: int,
    players: tuple[str, ...] = ("ada", "ben"),
    *,
    game: str = "isaac",
    winner: int | None = 0,
    plies: int = 10,
    private: bool = False,
    ratings: tuple[int, int] | None = None,
    seq: int = 12,
    started: int = NOON - 60_000,
) -> GameRow:
    """Return a game of these players, of which a second one may be missing: it is a bot of the server."""
    seats = tuple(
        Seat(
            player,
            players[1 - seat] if len(players) == 2 else "computer 3 1",
            0 if winner is None else 1 if winner == seat else -1,
            None if ratings is None else ratings[seat],
        )
        for seat, player in enumerate(players)
    )
    return GameRow(
        room=room, game=game, started=started, ended=ended, plies=plies, seq=seq, private=private,
        record=f"record of {room} at {seq}".encode(), summary=room.encode(), seats=seats,
    )  # fmt: skip
