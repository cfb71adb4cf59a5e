"""Records as text: one way to write each, and no other text is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.records.document import faults
from parlour.server.records.keeping import record_of
from parlour.server.records.notation import read, write
from parlour.server.records.record import sealed
from tests.server.records.played_games import GAMES, KNOWN, finished

TEXT = write(record_of(finished("mapello", 3, 9)))
ROOT = Path(__file__).parents[3]
GOLDEN = Path(__file__).with_name("noughts.txt")


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_text_and_back(key: str, seed: int) -> None:
    """Every record is read again from its text, to the last millisecond."""
    record = record_of(finished(key, seed, 60))
    text = write(record)
    assert read(text) == record
    assert read(text.rstrip("\n")) == record
    assert text.isascii() or "“" in text


def test_a_text_for_people() -> None:
    """This is what it looks like."""
    text = GOLDEN.read_text(encoding="utf-8")
    assert write(sealed(KNOWN)) == text
    assert read(text) == sealed(KNOWN)


def test_the_text_in_the_document_is_one() -> None:
    """What readers are shown can be read."""
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    [shown] = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert list(faults(read(shown))) == []


@given(st.data())
@settings(max_examples=300)
def test_no_letter_can_be_changed(data: st.DataObject) -> None:
    """A text with another letter anywhere is refused, or is the text of another record whose chain it does not have."""
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
    """Whatever looks a little like a record is none, and never a crash."""
    with pytest.raises(Refusal):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('[Game "mapello"]\n', "", r"There is no line \[Game …\]"),
        ('[Game "mapello"]', '[Game  "mapello"]', "Line 1 should be"),
        ('[Game "mapello"]', "[Game mapello]", "Line 1 has no JSON in its brackets"),
        ('[Game "mapello"]', "Game mapello", r"Line 1 is neither a \[Tag\] nor a move"),
        ("[Rules 1]", "[Rules -1]", "A value is not what it should be"),
        ("[Rules 1]", '[Rules "1"]', "A value is not what it should be"),
        ('[First "Ada"]', "[First 5]", "A value is not what it should be"),
        ("[Rated false]", "[Rated null]", "A value is not what it should be"),
        ('[Started "2023', '[Started "20023', "A value is not what it should be"),
        ('[Winner "', '[Winner "the ', "A value is not what it should be"),
        ('[Chain "', '[Chain "0.', "A value is not what it should be"),
        ("\n\n1. ", "\n1. ", "should be: (empty)"),
        ("\n2. ", "\n3. ", "should be: 2. "),
        ("[Rated false]", "[Rated false]\n[Rated false]", "should be: "),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, sentence: str) -> None:
    """A refusal names the line, or what is missing."""
    assert old in TEXT
    with pytest.raises(Refusal, match=sentence.replace("(empty)", r"\(empty\)")):
        read(TEXT.replace(old, new, 1))
