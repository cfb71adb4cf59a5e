"""A record from outside is accepted only if its chain matches and the rules allow it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock, Result
from parlour.server.archive import text_format
from parlour.server.archive.record import Entry, GameRecord, salt, sealed, without_name
from parlour.server.archive.storage import pack, record_of, unpack
from parlour.server.archive.verify import check_chain, faults, is_replayable, read, replay, verified, write_json
from parlour.server.archive.wire import room_message
from tests.server.archive.sample_games import GAMES, KNOWN, finished, new_game

RECORD = record_of(finished("mapello", 3, 9))
JSON = write_json(RECORD)


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_all_forms_are_the_same_record(key: str, seed: int) -> None:
    """Storage, text, JSON and message yield equal records without faults."""
    room = finished(key, seed, 60)
    record = unpack(pack(room)).record
    assert read(text_format.write(record)) == record
    assert read(write_json(record)) == record
    assert write_json(read(text_format.write(record))) == write_json(read(write_json(record))) == write_json(record)
    assert read(msgspec.json.encode(room_message(room, 5)).decode()) == record
    assert list(faults(record)) == []
    assert verified(record).state == room.state


@given(st.integers(0, len(JSON.encode()) - 1), st.integers(1, 255))
@settings(max_examples=400)
def test_no_byte_can_be_changed(at: int, by: int) -> None:
    """JSON with any other byte is refused or has a fault."""
    data = JSON.encode()
    changed = data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]
    try:
        found = read(changed.decode())
    except (Refusal, UnicodeDecodeError):
        return
    assert list(faults(found)) != []


@given(st.text(max_size=100) | st.text(max_size=100).map(lambda text: "{" + text))
def test_noise_is_refused(text: str) -> None:
    """Any text is read or refused with a sentence."""
    with pytest.raises(Refusal) as refused:
        verified(read(text))
    assert refused.value.code is ErrorCode.RECORD_BROKEN


def test_line_ends_of_other_systems() -> None:
    """A text that went through a mail client or an editor is still accepted."""
    text = text_format.write(RECORD)
    assert read("\ufeff" + text.replace("\n", "\r\n")) == RECORD


def test_a_running_game_is_not_a_record() -> None:
    """The message about a running game has no result and no chain."""
    with pytest.raises(Refusal, match="not the JSON of a record"):
        read(msgspec.json.encode(room_message(new_game("isaac"), 5)).decode())


# -- what is wrong


def wrong(record: GameRecord = RECORD, **changes: Any) -> list[str]:
    """Return the faults of a record after some changes, with a matching chain."""
    return list(faults(sealed(replace(record, **changes))))


def test_the_chain_shows_what_was_changed() -> None:
    """A changed duration or name does not violate the rules, but the chain does not match."""
    moves = (*RECORD.moves[:4], replace(RECORD.moves[4], took=1), *RECORD.moves[5:])
    assert next(faults(replace(RECORD, moves=moves))).startswith("Move 5 was changed: its link in the chain is ")
    [sentence] = faults(replace(RECORD, started=0))
    assert sentence.startswith("Something before the first move, or move 1 was changed")
    [sentence] = faults(replace(RECORD, ended=RECORD.ended + 1))
    assert sentence.startswith("The result or the time of the end was changed: the chain ends in ")
    [sentence] = faults(replace(RECORD, chain=RECORD.chain[5:]))
    assert sentence == "The chain has 8 links for 9 moves."


def test_illegal_moves_are_found() -> None:
    """The fault names the number of the move and the reason."""
    first, second, *rest = RECORD.moves
    assert wrong(moves=(first, first, *rest))[0].startswith(f"Move 2, “{first.move}”: ")
    assert wrong(moves=(first, Entry("nonsense\n", 1), *rest))[0].startswith("Move 2, “nonsense?”: ")
    assert wrong(moves=(Entry(first.move.upper(), 1), second, *rest))[0].startswith("Move 1, ")
    whole = record_of(finished("noughts", 2))
    more = (*whole.moves, whole.moves[0])
    assert wrong(whole, moves=more) == [f"Move {len(more)}, “{whole.moves[0].move}”, comes after the end of the game."]


def test_wrong_results_are_found() -> None:
    """The result must follow from the moves."""
    over = record_of(finished("replica", 3))
    assert over.result.winner is not None
    [sentence] = wrong(over, result=replace(over.result, winner=1 - over.result.winner))
    assert sentence.startswith("The result should be: ")
    assert wrong(result=Result(0, "score", RECORD.result.scores)) == [
        "The result is “score”, but the last position is not over."
    ]
    assert wrong(result=replace(RECORD.result, winner=None)) == ["The result “resigned” contradicts the winner."]
    assert wrong(result=replace(RECORD.result, winner=7)) == ["The result “resigned” contradicts the winner."]
    assert wrong(result=Result(0, "agreed", RECORD.result.scores)) == ["The result “agreed” contradicts the winner."]
    assert wrong(result=replace(RECORD.result, scores=(90, 0)))[0].startswith("The scores should be ")
    assert wrong(ended=RECORD.started - 1) == ["The game ends before it starts."]


def test_draws_by_repetition() -> None:
    """A repetition must be visible in the moves."""
    assert wrong(result=Result(None, "repetition", RECORD.result.scores)) == [
        "The result is “repetition”, but the last position has not been repeated."
    ]


def test_impossible_terms_are_found() -> None:
    """Each fault names the part of the terms."""
    terms = RECORD.terms
    assert wrong(terms=replace(terms, options={}))[0] == "Options are missing."
    assert wrong(terms=replace(terms, options=terms.options | {"board": 7}))[0].startswith("The options: board must be")
    assert wrong(terms=replace(terms, clock=Clock("sand")))[0].startswith("The clock: There is no such kind")
    assert wrong(position="nonsense")[0].startswith("The position: ")


def test_a_game_by_other_rules_is_not_replayed() -> None:
    """Only the chain of such a record can be checked, and it is."""
    for changes in ({"rules_version": 7}, {"terms": replace(RECORD.terms, game="chess")}):
        record = sealed(replace(RECORD, moves=(Entry("no such move"),), **changes))
        assert not is_replayable(record)
        assert list(faults(record)) == []
        assert len(list(faults(replace(record, ended=record.ended + 1)))) == 1
        with pytest.raises(Refusal) as refused:
            replay(record)
        assert refused.value.code is ErrorCode.RULES_UNSUPPORTED
    assert is_replayable(RECORD)


def test_a_game_from_a_position() -> None:
    """The game is replayed from there; a position without a legal move is a fault."""
    start = finished("replica", 5, 8)
    record = record_of(finished("replica", 6, 10, start.rules.print(start.state)))
    assert record.position == start.rules.print(start.state)
    assert list(faults(record)) == []
    assert replay(record).states[0] == start.state


def test_an_erased_name_cannot_be_replaced() -> None:
    """The chain does not cover what takes the place of an erased name, so only one text is accepted."""
    record = sealed(replace(KNOWN, salts=(salt("aB3dEf", "ada"), "")))
    erased = without_name(record, 0)
    check_chain(erased)
    first = replace(erased.players[0], name="Mallory")
    with pytest.raises(Refusal, match="Deleted player"):
        check_chain(replace(erased, players=(first, erased.players[1])))
