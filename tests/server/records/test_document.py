"""Records from outside are believed only if the chain fits and the rules allow them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock, Result
from parlour.server.records import notation
from parlour.server.records.document import faults, read, replay, verified, write_json
from parlour.server.records.keeping import pack, record_of, unpack
from parlour.server.records.record import Entry, GameRecord, sealed
from parlour.server.records.telling import tell
from tests.server.records.played_games import GAMES, finished, table

RECORD = record_of(finished("mapello", 3, 9))
JSON = write_json(RECORD)


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_every_way_round(key: str, seed: int) -> None:
    """A game is the same record in the store, as text, as JSON and as what the server tells, and nothing is wrong."""
    room = finished(key, seed, 60)
    record = unpack(pack(room)).record
    assert read(notation.write(record)) == record
    assert read(write_json(record)) == record
    assert write_json(read(notation.write(record))) == write_json(read(write_json(record))) == write_json(record)
    assert read(msgspec.json.encode(tell(room, 5)).decode()) == record
    assert list(faults(record)) == []
    assert verified(record).state == room.state


@given(st.integers(0, len(JSON.encode()) - 1), st.integers(1, 255))
@settings(max_examples=400)
def test_no_byte_can_be_changed(at: int, by: int) -> None:
    """JSON with another byte anywhere is refused, or something is wrong with it."""
    data = JSON.encode()
    changed = data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]
    try:
        found = read(changed.decode())
    except (Refusal, UnicodeDecodeError):
        return
    assert list(faults(found)) != []


@given(st.text(max_size=100) | st.text(max_size=100).map(lambda text: "{" + text))
def test_noise_is_refused(text: str) -> None:
    """Whatever comes in, the answer is a sentence."""
    with pytest.raises(Refusal) as refused:
        verified(read(text))
    assert refused.value.code is ErrorCode.RECORD_BROKEN


def test_line_ends_of_other_systems() -> None:
    """A text that went through a mail or an editor is still a record."""
    text = notation.write(RECORD)
    assert read("\ufeff" + text.replace("\n", "\r\n")) == RECORD


def test_a_game_that_is_on_is_no_record() -> None:
    """What the server tells of a running game has no result and no chain."""
    with pytest.raises(Refusal, match="not the JSON of a finished game"):
        read(msgspec.json.encode(tell(table("isaac"), 5)).decode())


# -- what is wrong


def wrong(record: GameRecord = RECORD, **changes: Any) -> list[str]:
    """What is wrong with a record after some changes, although its chain fits."""
    return list(faults(sealed(replace(record, **changes))))


def test_a_change_is_found_where_it_is() -> None:
    """A time or a name that was changed is no fault by the rules, but the chain knows."""
    moves = (*RECORD.moves[:4], replace(RECORD.moves[4], took=1), *RECORD.moves[5:])
    assert next(faults(replace(RECORD, moves=moves))).startswith("Move 5 was changed: the chain has ")
    [sentence] = faults(replace(RECORD, started=0))
    assert sentence.startswith("Something before the first move, or move 1 was changed")
    [sentence] = faults(replace(RECORD, ended=RECORD.ended + 1))
    assert sentence.startswith("The result or the end was changed: the chain ends in ")
    [sentence] = faults(replace(RECORD, chain=RECORD.chain[5:]))
    assert sentence == "The chain has 8 marks for 9 moves."


def test_moves_that_the_rules_do_not_know() -> None:
    """The number of the move is said, and why it cannot be."""
    first, second, *rest = RECORD.moves
    assert wrong(moves=(first, first, *rest))[0].startswith(f"Move 2, “{first.move}”: ")
    assert wrong(moves=(first, Entry("nonsense\n", 1), *rest))[0].startswith("Move 2, “nonsense?”: ")
    assert wrong(moves=(Entry(first.move.upper(), 1), second, *rest))[0].startswith("Move 1, ")
    whole = record_of(finished("noughts", 2))
    more = (*whole.moves, whole.moves[0])
    assert wrong(whole, moves=more) == [f"Move {len(more)}, “{whole.moves[0].move}”, comes after the end of the game."]


def test_results_that_do_not_follow() -> None:
    """Who won is not a matter of opinion."""
    over = record_of(finished("replica", 3))
    assert over.result.winner is not None
    [sentence] = wrong(over, result=replace(over.result, winner=1 - over.result.winner))
    assert sentence.startswith("The result should be: ")
    assert wrong(result=Result(0, "score", RECORD.result.scores)) == [
        "The result is “score”, but the last position is not over."
    ]
    assert wrong(result=replace(RECORD.result, winner=None)) == ["The result “resigned” does not go with this winner."]
    assert wrong(result=replace(RECORD.result, winner=7)) == ["The result “resigned” does not go with this winner."]
    assert wrong(result=Result(0, "agreed", RECORD.result.scores)) == [
        "The result “agreed” does not go with this winner."
    ]
    assert wrong(result=replace(RECORD.result, scores=(90, 0)))[0].startswith("The scores should be ")
    assert wrong(ended=RECORD.started - 1) == ["The game ends before it starts."]


def test_draws_by_repetition() -> None:
    """Can be seen from the moves, or did not happen."""
    assert wrong(result=Result(None, "repetition", RECORD.result.scores)) == [
        "The result is “repetition”, but the last position has not been repeated."
    ]


def test_terms_under_which_nobody_can_have_played() -> None:
    """Each refusal says what it is about."""
    terms = RECORD.terms
    assert wrong(terms=replace(terms, game="chess"))[0].startswith("The game: There is no game “chess”.")
    assert wrong(terms=replace(terms, options={}))[0] == "The options are not complete."
    assert wrong(terms=replace(terms, options=terms.options | {"board": 7}))[0].startswith("The options: board must be")
    assert wrong(terms=replace(terms, clock=Clock("sand")))[0].startswith("The clock: There is no such kind")
    assert wrong(position="nonsense")[0].startswith("The position: ")
    assert wrong(rules_version=7)[0].startswith("It was played by version 7 of the rules, and here is version ")


def test_a_game_from_a_position() -> None:
    """Is replayed from there; and nobody can begin where nobody can move."""
    start = finished("replica", 5, 8)
    record = record_of(finished("replica", 6, 10, start.rules.print(start.state)))
    assert record.position == start.rules.print(start.state)
    assert list(faults(record)) == []
    assert replay(record).states[0] == start.state
