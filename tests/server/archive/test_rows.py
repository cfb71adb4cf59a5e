"""A finished game as a row: what it is found by."""

from __future__ import annotations

from msgspec.structs import replace

from parlour.server.archive import wire
from parlour.server.archive.database.games import Seat
from parlour.server.archive.rows import decode_summary, game_row
from parlour.server.archive.storage import pack_game, stored_game
from tests.server.archive.sample_games import finished


def test_a_row_has_what_a_game_is_found_by() -> None:
    """Times, length and the result for each player, whose ids the public form of the record does not have."""
    game = stored_game(finished("noughts", 3))
    row = game_row(game, pack_game(game), (1600, 1400))
    record = game.record
    assert (row.room, row.game, row.ended, row.plies) == (record.room, "noughts", record.ended, len(record.moves))
    assert decode_summary(row.summary) == wire.summary(record)
    winner = record.result.winner
    results = [0, 0] if winner is None else [1, -1] if winner == 0 else [-1, 1]
    assert row.seats == (
        Seat("id-of-ada", "id-of-ben", results[0], 1600),
        Seat("id-of-ben", "id-of-ada", results[1], 1400),
    )


def test_bots_of_the_server_have_no_list() -> None:
    """A game against one is in the list of its human player."""
    game = replace(stored_game(finished("noughts", 3)), levels=(None, "3"))
    assert [seat.player for seat in game_row(game, b"").seats] == ["id-of-ada"]
