"""A line of text being typed."""

from __future__ import annotations

from rich.cells import cell_len

from parlour.terminal.full_screen.line_editor import MAX_LENGTH, LineEditor


def typed(*keys: str, suggestions: tuple[str, ...] = ()) -> LineEditor:
    line = LineEditor("Chat", suggestions=suggestions)
    for key in keys:
        line.press(key, key if len(key) == 1 else None)
    return line


def test_editing() -> None:
    """The usual keys move the cursor and delete before it, after it, a word, and everything."""
    assert typed(*"abc", "left", "left", "X").text == "aXbc"
    assert typed(*"abc", "backspace").text == "ab"
    assert typed(*"abc", "home", "delete").text == "bc"
    assert typed(*"good luck", "ctrl+w").text == "good "
    assert typed(*"good luck", "ctrl+u").text == ""
    assert typed(*"abc", "home", "end", "right", "f5", "d").text == "abcd"
    assert typed("backspace", "delete", "left").text == ""


def test_pasted_text_stays_on_one_line() -> None:
    """Line breaks become spaces, control characters disappear, and the length is bounded."""
    line = LineEditor("Chat")
    line.insert("one\ntwo\x1b[31m")
    assert line.text == "one two[31m"
    line.insert("x" * 1000)
    assert len(line.text) == MAX_LENGTH


def test_the_last_word_is_completed() -> None:
    """Tab takes the first suggestion that begins with it."""
    line = typed(*"e7 d", suggestions=("e7", "d6", "d7"))
    assert line.completion == "6"
    line.press("tab", "\t")
    assert line.text == "e7 d6"
    assert typed(*"x", suggestions=("e7",)).completion == ""


def test_the_window_follows_the_cursor() -> None:
    """Whatever is typed, wide characters included, the cursor is visible and the columns are kept."""
    for text in ("x" * 100, "棋" * 50, "a棋" * 40):
        line = LineEditor("Chat")
        line.insert(text)
        for cursor in (0, 1, len(text) // 2, len(text)):
            line.cursor = cursor
            before, at, after, completion = line.window(20)
            assert cell_len(before + at + after + completion) <= 20
            assert at == (text[cursor] if cursor < len(text) else " ")
