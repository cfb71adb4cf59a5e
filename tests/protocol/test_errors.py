"""Error and close codes: codes for programs, sentences for people."""

from __future__ import annotations

import re

import pytest

from parlour.protocol.errors import CloseCode, ErrorCode, Refusal, Retry


def test_codes_are_unique() -> None:
    """No code is an alias of another."""
    assert len(ErrorCode.__members__) == len({code.value for code in ErrorCode}) == len(ErrorCode)
    assert len(CloseCode.__members__) == len({code.value for code in CloseCode}) == len(CloseCode)


@pytest.mark.parametrize("code", ErrorCode)
def test_a_code_is_snake_case(code: ErrorCode) -> None:
    """The value of a code is its name in lower case."""
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code.value)
    assert code.name == code.value.upper()
    assert str(code) == code.value


@pytest.mark.parametrize("code", ErrorCode)
def test_a_code_says_what_it_means(code: ErrorCode) -> None:
    """Meaning and advice are sentences, and each code says whether to retry."""
    for sentence in (code.meaning, code.advice):
        assert sentence.endswith(".")
        assert not sentence.endswith("..")
        assert sentence == sentence.strip()
    assert code.meaning[0].isupper()
    assert isinstance(code.retry, Retry)


@pytest.mark.parametrize("code", CloseCode)
def test_a_close_code_says_what_to_do(code: CloseCode) -> None:
    """Meaning and advice are sentences."""
    for sentence in (code.meaning, code.advice):
        assert sentence.endswith(".")
        assert sentence[0].isupper()


@pytest.mark.parametrize("code", CloseCode)
def test_close_codes_are_those_a_server_may_send(code: CloseCode) -> None:
    """A close code is a registered one that may be sent, or one for private use."""
    assert code.value in (1001, 1009, 1012, 1013) or 4000 <= code.value <= 4999


def test_a_refusal_reads_as_its_sentence() -> None:
    """A refusal has a code for programs, and its text is a sentence for people."""
    refusal = Refusal(ErrorCode.GAME_OVER, "The game is over.")

    assert str(refusal) == refusal.sentence == "The game is over."
    assert refusal.code is ErrorCode.GAME_OVER
