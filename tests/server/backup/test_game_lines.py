"""Games are read as they were written, and what is no game is found with its line."""

from __future__ import annotations

from io import BytesIO

from parlour.protocol.types import Player
from parlour.server.archive import text_format
from parlour.server.archive.verify import faults, read
from parlour.server.backup import game_lines
from parlour.server.backup.game_lines import BrokenLine, FoundGame, read_games, stored_game, write_line
from tests.server.archive.sample_games import ADA, BEN
from tests.server.backup.archived_games import RATINGS, archived_game

ONE, TWO = archived_game(1), archived_game(2, private=True)


def found(data: bytes) -> list[FoundGame | BrokenLine]:
    return list(read_games(BytesIO(data)))


def test_a_line_has_everything() -> None:
    """The stored game and the ratings come back, and the line is also a record that can be verified."""
    line = write_line(TWO, RATINGS)

    (game,) = found(line)

    assert isinstance(game, FoundGame)
    assert stored_game(game, ("", "")) == TWO
    assert game.archived is not None
    assert game.archived.ratings == RATINGS
    assert list(faults(read(line.decode()))) == []


def test_a_text_has_the_record() -> None:
    """Games follow one another; ids are those of the caller, and the clocks show what they did at the start."""
    text = "\n".join(text_format.write(each.record) for each in (ONE, TWO)).encode()

    first, second = found(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))

    assert isinstance(first, FoundGame)
    assert isinstance(second, FoundGame)
    assert (first.record, second.record) == (ONE.record, TWO.record)
    assert second.line == text.count(b"\n", 0, text.rindex(b"[Game ")) + 1
    stored = stored_game(first, (ADA.id, ""))
    assert (stored.ids, stored.private, stored.left[0].main) == ((ADA.id, ""), False, ONE.record.terms.clock.main)
    assert BEN.player != Player("Ben")  # a name with quotes, which a text spells as JSON


def test_lines_that_are_no_games() -> None:
    """The others are read, and empty lines are counted."""
    good = write_line(ONE, None)

    kinds = [type(each) for each in found(b"\n".join([good, b"", b"{}", b'{"room": 1}', b"\xff", good]))]
    texts = found(b"[Game 1\nnonsense\n\n" + text_format.write(ONE.record).encode())

    assert kinds == [FoundGame, BrokenLine, BrokenLine, BrokenLine, FoundGame]
    assert [each.line for each in found(b"\n\n" + good)] == [3]
    assert isinstance(texts[0], BrokenLine)
    assert "Line 1 is neither" in texts[0].sentence
    assert isinstance(texts[1], FoundGame)
    assert found(b"") == found(b"\n \n") == []


def test_a_line_without_an_end() -> None:
    """What is far too long for a game does not fill the memory, and what follows is read."""
    too_long = b'{"a": "' + b"x" * (game_lines.MAX_SIZE * 2) + b'"}'

    broken, game = found(too_long + b"\n" + write_line(ONE, None))

    assert broken == BrokenLine(1, "The line is too long for a game.")
    assert isinstance(game, FoundGame)
    assert game.line == 2
