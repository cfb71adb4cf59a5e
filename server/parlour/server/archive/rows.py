"""Finished games as rows of the archive database."""

from __future__ import annotations

import msgspec

from parlour.protocol.messages import GameSummary
from parlour.server.archive import wire
from parlour.server.archive.database.games import GameRow, Seat
from parlour.server.archive.storage import StoredGame

encode = msgspec.msgpack.Encoder().encode
decode_summary = msgspec.msgpack.Decoder(GameSummary).decode


def game_row(game: StoredGame, data: bytes, ratings: tuple[int, int] | None = None) -> GameRow:
    """Return the row of a game whose stored form is `data`, with the players' ratings after it, if it was rated."""
    record = game.record
    winner = record.result.winner
    seats = tuple(
        Seat(
            player=id,
            opponent=game.ids[1 - seat],
            result=0 if winner is None else 1 if winner == seat else -1,
            rating=None if ratings is None else ratings[seat],
        )
        for seat, id in enumerate(game.ids)
        if id and game.levels[seat] is None  # bots of the server have no list
    )
    return GameRow(
        room=record.room,
        game=record.terms.game,
        started=record.started,
        ended=record.ended,
        plies=len(record.moves),
        seq=game.seq,
        private=game.private,
        record=data,
        summary=encode(wire.summary(record)),
        seats=seats,
    )
