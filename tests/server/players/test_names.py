"""Which names are allowed, and when two are the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.server.players.names import MAX_LENGTH, NOT_ALONE, TITLES, fold_name, tidy_name


def refusal(text: str, *reserved: str) -> str:
    with pytest.raises(Refusal) as caught:
        tidy_name(text, reserved)
    assert caught.value.code is ErrorCode.NAME_REFUSED
    return caught.value.sentence


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("St. John-Smith", "St. John-Smith"),
        ("O'Neil_99", "O'Neil_99"),
        ("3 Wise Owls", "3 Wise Owls"),
        ("Ａｎｎ", "Ann"),
        ("Jose\u0301", "José"),
        ("Žofie", "Žofie"),
        ("Анна К.", "Анна К."),
        ("祝你好运", "祝你好运"),
        ("山田 タロウ", "山田 タロウ"),
        ("محمد", "محمد"),
        ("अनुष्का", "अनुष्का"),
    ],
)
def test_valid_names(text: str, shown: str) -> None:
    """Names may be written in any script; spaces and forms of letters are normalized."""
    assert tidy_name(text) == shown
    assert tidy_name(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\n", "a", "x" * (MAX_LENGTH + 1), "12", ".ann", "-ann", "\u0301ann", "ann\u0301\u0301\u0301\u0301",
        "ann...", "<ann>", "ann@example.org", "a/b", "🎲🎲", "a\u200bb", "a\u202eb", "a\x00b", "\u2066ab", "ab\u3164",
        "ab\ufe0f", "a\u034fb", "ab\u2800", "ab\ud800", "ab\ue000",
    ],
)  # fmt: skip
def test_invalid_names(text: str) -> None:
    """Names that are too short or long, have no letter, or have invisible or untypeable characters are refused."""
    assert refusal(text).startswith("A name has 2 to 24 characters")


@pytest.mark.parametrize("text", ["аnn", "Αnn", "Annа Lee", "Ann Αλφα"])
def test_one_alphabet(text: str) -> None:
    """A name cannot mix letters of different alphabets that look alike."""
    assert "letters of one alphabet" in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "admin", "ADMIN", "Adm1n", "4dmin", "admin 7", "007admin", "The Admin", "ad-min", "a.d.m.i.n", "ＡＤＭＩＮ",
        "Moderator", "Parlour", "parlour_staff", "System", "Computer 5", "C0mputer5", "Guest 4711", "anonymous",
    ],
)  # fmt: skip
def test_titles_are_reserved(text: str) -> None:
    """Titles are refused as any word of a name, also with digits for letters or around them."""
    assert refusal(text).startswith("The name “")


def test_some_words_do_not_stand_alone() -> None:
    """Reserved words, such as the names of games, are refused alone or with a number, but not among other words."""
    for text in ("Isaac", "isaac 2", "White", "you", "N0body"):
        assert refusal(text, "isaac").startswith("The name “")
    for text in ("Isaac Newton", "Snow White", "Isaacs", "Badminton"):
        assert tidy_name(text, ["isaac"]) == text


def test_the_lists_are_written_as_names_are_compared() -> None:
    """Every reserved word is in its folded form; otherwise it would never match."""
    assert all(fold_name(word) == word for word in TITLES | NOT_ALONE)
    assert not TITLES & NOT_ALONE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Straße", "STRASSE"),
        ("Jose\u0301", "José"),
        ("Ann Lee", "ann-lee"),
        ("Ann", "Ann."),
        ("Ａｎｎ", "ann"),
        ("сосо", "coco"),
        ("ΟΤΤΟ", "otto"),
        ("Ilkay", "ılkay"),
    ],
)
def test_equal_names(one: str, other: str) -> None:
    """Case, separators and lookalike letters do not make names different."""
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Otter 10", "Otter 1"), ("José", "Jose"), ("Lo", "L0")])
def test_different_names(one: str, other: str) -> None:
    """Different letters, accents and digits do."""
    assert fold_name(one) != fold_name(other)


LETTERS = st.characters(categories=["L", "M", "Nd"]) | st.sampled_from("abcXYZ059 .-_'’")


@given(st.text(max_size=30) | st.text(LETTERS, min_size=1, max_size=12))
def test_any_text(text: str) -> None:
    """Any text is either refused with a sentence or becomes a name that is stable and can be compared."""
    try:
        name = tidy_name(text)
    except Refusal as refused:
        assert refused.code is ErrorCode.NAME_REFUSED
        return
    assert tidy_name(name) == name
    assert name.isprintable()
    assert fold_name(name)
    assert fold_name(name) == fold_name(unicodedata.normalize("NFD", name))
