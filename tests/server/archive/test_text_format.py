"""Each record has exactly one text, and no other text is accepted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.archive.record import sealed, without_name
from parlour.server.archive.storage import record_of
from parlour.server.archive.text_format import read, write
from parlour.server.archive.verify import faults
from tests.server.archive.sample_games import GAMES, KNOWN, finished

TEXT = write(record_of(finished("mapello", 3, 9)))
ROOT = Path(__file__).parents[3]
GOLDEN = Path(__file__).with_name("noughts.txt")


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_a_record_survives_its_text(key: str, seed: int) -> None:
    """Every record can be read from its text, to the millisecond."""
    record = record_of(finished(key, seed, 60))
    text = write(record)
    assert read(text) == record
    assert read(text.rstrip("\n")) == record
    assert text.isascii() or "“" in text


def test_the_text_of_a_known_game() -> None:
    """The text is readable, and its format is fixed."""
    text = GOLDEN.read_text(encoding="utf-8")
    assert write(sealed(KNOWN)) == text
    assert read(text) == sealed(KNOWN)


def test_the_example_in_the_documentation_can_be_read() -> None:
    """Readers are shown a valid record."""
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert list(faults(read(shown))) == []


@given(st.data())
@settings(max_examples=300)
def test_no_character_can_be_changed(data: st.DataObject) -> None:
    """A text with any other character is refused, or is the text of another record with a wrong chain."""
    at = data.draw(st.integers(0, len(TEXT) - 2))
    letter = data.draw(st.characters(codec="ascii").filter(lambda other: other != TEXT[at]))
    changed = TEXT[:at] + letter + TEXT[at + 1 :]
    try:
        found = read(changed)
    except Refusal as refusal:
        assert refusal.code is ErrorCode.RECORD_BROKEN
    else:
        assert found != read(TEXT)


@given(st.text(st.sampled_from('[]{}"\\ .0123456789abcGameRulesRoom\n'), max_size=200))
def test_noise_is_refused(text: str) -> None:
    """Texts that resemble a record never cause a crash."""
    with pytest.raises(Refusal):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('[Game "mapello"]\n', "", r"The tag \[Game …\] is missing"),
        ('[Game "mapello"]', '[Game  "mapello"]', "Line 1 should be"),
        ('[Game "mapello"]', "[Game mapello]", "The value of the tag in line 1 is not JSON"),
        ('[Game "mapello"]', "Game mapello", r"Line 1 is neither a \[Tag\] nor a move"),
        ("[Rules 1]", "[Rules -1]", "A value is invalid"),
        ("[Rules 1]", '[Rules "1"]', "A value is invalid"),
        ('[First "Ada"]', "[First 5]", "A value is invalid"),
        ("[Rated false]", "[Rated null]", "A value is invalid"),
        ('[Started "2023', '[Started "20023', "A value is invalid"),
        ('[Winner "', '[Winner "the ', "A value is invalid"),
        ('[Chain "', '[Chain "0.', "A value is invalid"),
        ("\n\n1. ", "\n1. ", "should be: (empty)"),
        ("\n2. ", "\n3. ", "should be: 2. "),
        ("[Rated false]", "[Rated false]\n[Rated false]", "should be: "),
    ],
)
def test_refusals_name_the_fault(old: str, new: str, sentence: str) -> None:
    """A refusal names the line, or what is missing."""
    assert old in TEXT
    with pytest.raises(Refusal, match=sentence.replace("(empty)", r"\(empty\)")):
        read(TEXT.replace(old, new, 1))


def test_salts_and_erased_names_are_tags() -> None:
    """A record without a name has one text, too."""
    record = sealed(replace(KNOWN, salts=("0123456789abcdef", "fedcba9876543210")))
    for each in (record, without_name(record, 1)):
        assert read(write(each)) == each
    assert '[FirstSalt "0123456789abcdef"]' in write(record)
    assert "[SecondErased " in write(without_name(record, 1))


def test_a_game_that_does_not_count_says_so() -> None:
    """The reason is part of the record and of its chain."""
    result = replace(KNOWN.result, unrated="too_short")
    record = sealed(replace(KNOWN, result=result))
    assert '[Unrated "too_short"]' in write(record)
    assert read(write(record)) == record
    assert record.chain != sealed(KNOWN).chain
