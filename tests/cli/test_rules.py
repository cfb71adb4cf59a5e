"""`parlour rules`, as a process that answers JSON Lines, whatever they contain."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour import games
from parlour.cli.json_lines import MAX_LINE

COMMAND = [sys.executable, "-m", "parlour.cli", "rules"]
GOLDEN = Path(__file__).parents[1] / "games" / "golden"
FIELDS = ["position", "to_move", "legal", "after", "winner", "reason", "score"]

FIRST = {
    "isaac": "dark",
    "mapello": "black",
    "mitsudomoe": "white",
    "replica": "white",
}

Answer = dict[str, Any]


class Asker:
    """A running process that answers requests."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def line(self, line: bytes) -> Answer:
        """Send a line and return its answer, without sending another line."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer: Answer = msgspec.json.decode(self.process.stdout.readline())
        return answer

    def ask(self, **request: object) -> Answer:
        return self.line(msgspec.json.encode(request))

    def end(self) -> tuple[bytes, bytes]:
        """Close the input, and return the rest of both outputs."""
        return self.process.communicate()


@pytest.fixture(scope="module")
def asker() -> Iterator[Asker]:
    """One process for all tests of this file, which therefore also show that no request stops it."""
    found = Asker()
    yield found
    out, errors = found.end()
    assert (out, errors, found.process.returncode) == (b"", b"", 0)


def run(lines: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(COMMAND, input=lines, capture_output=True, check=False)


def error(answer: Answer) -> tuple[str, str]:
    assert list(answer) == ["error"]
    assert list(answer["error"]) == ["code", "message"]
    return answer["error"]["code"], answer["error"]["message"]


# -- the documented forms


@pytest.mark.parametrize("key", games.keys())
def test_a_game_without_anything_else(asker: Asker, key: str) -> None:
    """A request with only a game is about its initial position with standard options."""
    game = games.find(key)
    state = game.initial(game.options({}))
    answer = asker.ask(game=key)

    assert list(answer) == FIELDS
    assert answer["position"] == answer["after"] == game.print(state)
    assert answer["to_move"] == FIRST[key]
    assert answer["legal"] == sorted(game.write(state, move) for move in game.moves(state))
    assert answer["winner"] is answer["reason"] is None
    assert answer["score"] == (list(game.scores(state)) or None)


@pytest.mark.parametrize("key", games.keys())
def test_a_move_is_played(asker: Asker, key: str) -> None:
    """With `play`, `after` is the position after the move; position, side and legal moves are those before it."""
    game = games.find(key)
    state = game.initial(game.options({}))
    before = asker.ask(game=key)
    answer = asker.ask(game=key, play=before["legal"][0])

    assert answer["after"] == game.print(game.apply(state, game.read(state, before["legal"][0])))
    assert answer["after"] != answer["position"]
    assert [answer[name] for name in FIELDS[:3]] == [before[name] for name in FIELDS[:3]]


def test_the_example_in_the_help(asker: Asker) -> None:
    """The request in the help, with a real position, gets every field that the help names."""
    position = asker.ask(game="mapello")["position"]
    answer = asker.ask(game="mapello", options={"board": "default"}, position=position, play="e4")

    assert answer == {
        "position": position,
        "to_move": "black",
        "legal": ["d5", "e4", "f7", "g6"],
        "after": position.replace("#...OX..*#", "#...XX..*#").replace("#*.....#.J", "#*..X..#.J").replace(" b ", " w "),
        "winner": None,
        "reason": None,
        "score": [4, 1],
    }


def test_null_means_omitted(asker: Asker) -> None:
    """Optional fields may be null, and unknown fields are ignored."""
    assert asker.ask(game="replica", options=None, position=None, play=None) == asker.ask(game="replica")
    assert asker.ask(game="replica", comment="hello", options={}) == asker.ask(game="replica")


def test_options(asker: Asker) -> None:
    """Options change the initial position and the rules."""
    position = "......../......../......../......../W..w..../......../......../B....... w"

    assert len(asker.ask(game="replica", options={"size": 12})["position"].split("/")) == 12
    assert "d4=K" in asker.ask(game="replica", position=position)["legal"]
    assert "d4=K" not in asker.ask(game="replica", position=position, options={"sight": "forward"})["legal"]


def test_a_win(asker: Asker) -> None:
    """The move that ends the game gives a winner and a reason."""
    position = "......../......../......../...B..../......../......../W......./........ w"
    answer = asker.ask(game="replica", position=position, play="a2-a1")

    assert (answer["winner"], answer["reason"], answer["score"]) == ("white", "goal", None)
    assert answer["to_move"] == "white"
    assert answer["after"].endswith(" -")


def test_a_draw(asker: Asker) -> None:
    """A drawn game has the winner `draw`."""
    rows = [
        "##########",
        *["#........#"] * 3,
        "#...XX...#",
        "#...XX...#",
        "#...XX...#",
        *["#........#"] * 2,
        "##########",
    ]
    answer = asker.ask(game="mapello", position=f"{'/'.join(rows)} - 0,6")

    assert (answer["winner"], answer["reason"], answer["score"]) == ("draw", "equal", [6, 6])


def test_a_finished_position(asker: Asker) -> None:
    """No side is to move and no move is legal; if the position does not show the winner, it is null."""
    position = "......../......../......../...B..../......../......../W......./........ -"
    answer = asker.ask(game="replica", position=position)

    assert (answer["to_move"], answer["legal"], answer["after"]) == (None, [], position)
    assert (answer["winner"], answer["reason"]) == (None, "unknown")
    assert error(asker.ask(game="replica", position=position, play="a2-a1"))[0] == "game_over"


# -- invalid lines


@pytest.mark.parametrize(
    ("request_", "code", "words"),
    [
        ({"game": "chess"}, "game_unknown", "There is no game “chess”. Games here: isaac, "),
        ({"game": ""}, "game_unknown", "There is no game “”."),
        ({"game": "api"}, "game_unknown", "There is no game “api”."),
        ({"game": "replica", "options": {"sise": 8}}, "option_unknown", "There is no option “sise”."),
        ({"game": "replica", "options": {"size": 9}}, "option_invalid", "size must be one of 8, 12, 16."),
        ({"game": "mapello", "options": {"board": "#"}}, "layout_invalid", ""),
        ({"game": "replica", "position": "x"}, "position_malformed", "A Replica position is"),
        ({"game": "mitsudomoe", "position": ""}, "position_malformed", ""),
        ({"game": "isaac", "position": "🂡"}, "position_malformed", ""),
        (
            {
                "game": "replica",
                "position": ".......B/......../......../......../......../......../......../W....... w",
            },
            "position_impossible",
            "Both sides have a king on their goal corner.",
        ),
        ({"game": "replica", "play": "e7-e8"}, "move_illegal", "After e7, e8 cannot be chosen; choose one of "),
        ({"game": "replica", "play": "castle"}, "move_malformed", "A Replica move is written like e7-d6"),
        ({"game": "replica", "play": ""}, "move_malformed", ""),
        ({"game": "mapello", "play": "f4\n"}, "move_malformed", ""),
    ],
)
def test_refusals(asker: Asker, request_: dict[str, object], code: str, words: str) -> None:
    """Unknown games and options, invalid positions and moves are answered with a code and a sentence."""
    found, message = error(asker.ask(**request_))

    assert found == code
    assert message.startswith(words)
    assert message.endswith(".")


NESTED = b'{"game": "replica", "options": {"size": %s}}'

MALFORMED = {
    "blank": b"",
    "spaces": b"  \t ",
    "no JSON": b"hello",
    "cut off": b'{"game": "replica"',
    "two objects": b'{"game": "replica"} {"game": "replica"}',
    "single quotes": b"{'game': 'replica'}",
    "not an object": b'["replica"]',
    "null": b"null",
    "no game": b"{}",
    "game is a number": b'{"game": 1}',
    "game is null": b'{"game": null}',
    "options are a list": b'{"game": "replica", "options": []}',
    "options are text": b'{"game": "replica", "options": "size"}',
    "position is a number": b'{"game": "replica", "position": 1}',
    "play is a list": b'{"game": "replica", "play": [52, 43]}',
    "invalid UTF-8": b'{"game": "replica", "play": "\xff\xfe"}',
    "UTF-16": '{"game": "replica"}'.encode("utf-16").replace(b"\n", b""),
    "byte order mark": b'\xef\xbb\xbf{"game": "replica"}',
    "zero byte": b'{"game": "replica\x00"}',
    "lone surrogate": b'{"game": "\\ud800"}',
    "lone surrogate in the middle": b'{"game": "\\ud800 and more text"}',
    "second half of a surrogate": b'{"game": "replica", "position": "\\udc00 and more text"}',
    "surrogate as UTF-8": b'{"game": "\xed\xa0\x80"}',
    "not a number": NESTED % b"NaN",
    "infinite": NESTED % b"1e999",
    "a very long number": NESTED % (b"9" * 10_000),
    "nested far too deep": NESTED % (b"[" * 200_000 + b"]" * 200_000),
    "nested without an end": b"[" * 500_000,
    "objects without an end": b'{"game":' * 50_000,
}


@pytest.mark.parametrize("line", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_lines(asker: Asker, line: bytes) -> None:
    """A line that is not an object of the documented form is refused, and the sentence says what a line must be."""
    code, message = error(asker.line(line))

    assert code == "request_malformed"
    assert message.startswith("A line must be one JSON object of at most 1 MiB with a game: ")


def test_nesting_of_every_depth(asker: Asker) -> None:
    """A nested value of any depth is refused, as an invalid option or as too deep to parse."""
    for depth in range(1, 1100):
        code, _ = error(asker.line(NESTED % (b"[" * depth + b"]" * depth)))
        assert code in ("option_invalid", "request_malformed"), depth


@pytest.mark.parametrize(
    "value", [b'"\\u0000"', b'"\\ud83d\\ude00"', b"-0", b"1e2", b'"' + b"8" * 100_000 + b'"', b"{}"]
)
def test_odd_but_valid_json(asker: Asker, value: bytes) -> None:
    """Valid JSON that is not a value of the option is refused as an invalid option."""
    assert error(asker.line(NESTED % value))[0] == "option_invalid"


def test_names_are_quoted_unchanged(asker: Asker) -> None:
    """A sentence may quote the request, in any script, and is still one line of JSON."""
    _, message = error(asker.ask(game='☃ "quoted" \u2028 \n'))

    assert '☃ "quoted" \u2028 \n' in message


# -- lines that are too long


def long_request(length: int) -> bytes:
    """Return a request of exactly that many bytes, without the line break."""
    request = b'{"game": "replica", "comment": "'
    return request + b"x" * (length - len(request) - 2) + b'"}'


def test_a_line_may_have_a_mebibyte(asker: Asker) -> None:
    """A line of exactly that length, including the line break, is answered."""
    line = long_request(MAX_LINE - 1)

    assert len(line) == 2**20 - 1
    assert asker.line(line)["to_move"] == "white"


@pytest.mark.parametrize("length", [MAX_LINE, MAX_LINE + 1, 2 * MAX_LINE - 1, 2 * MAX_LINE, 3 * MAX_LINE + 7])
def test_a_longer_line_is_one_error(asker: Asker, length: int) -> None:
    """A longer line gets one answer, an error; its rest is not treated as another line."""
    assert error(asker.line(long_request(length)))[0] == "request_malformed"
    assert asker.ask(game="replica")["to_move"] == "white"


# -- the stream


def test_answers_come_in_the_order_of_the_lines() -> None:
    """Each line gets one answer, in order, including errors."""
    keys = ["mapello", "chess", "replica", "isaac", "go", "mitsudomoe"] * 20
    done = run(b"".join(b'{"game": "%s"}\n' % key.encode() for key in keys))
    answers = [msgspec.json.decode(line) for line in done.stdout.splitlines()]

    assert [answer.get("to_move") for answer in answers] == [FIRST.get(key) for key in keys]
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "lines", [b"", b'{"game": "replica"}\n', b'{"game": "replica"}', b'{"game": "replica"}\r\n', b"x"]
)
def test_the_end_of_the_input_stops_it(lines: bytes) -> None:
    """It exits with 0 and no further output, also after an error and after a last line without a line break."""
    done = run(lines)

    assert (done.returncode, done.stderr) == (0, b"")
    assert len(done.stdout.splitlines()) == (1 if lines else 0)


def test_a_long_line_may_be_the_last() -> None:
    """A line that is too long and has no line break is still answered once."""
    done = run(long_request(MAX_LINE + 5))

    assert (done.returncode, done.stderr) == (0, b"")
    assert error(msgspec.json.decode(done.stdout))[0] == "request_malformed"


def test_a_closed_output() -> None:
    """If the reader has exited, the process exits without a traceback, even with requests left."""
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        _, errors = process.communicate(b'{"game": "isaac"}\n' * 50)

    assert errors == b""
    assert process.returncode == 141


def test_an_output_closed_after_one_answer() -> None:
    """The same holds if the reader exits after the first answer, as `head -1` does."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b'{"game": "isaac"}\n' * 50)
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.close()
        errors = process.stderr.read()

    assert errors == b""
    assert process.returncode == 141


# -- golden positions


def test_every_golden_line_agrees() -> None:
    """1,500 positions of Mitsudomoe give the moves, next position and winner of an independent implementation."""
    with gzip.open(GOLDEN / "mitsudomoe.jsonl.gz", "rb") as file:
        golden: list[Answer] = [msgspec.json.decode(line) for line in file]
    requests = [
        {"game": "mitsudomoe", "options": line.get("options"), "position": line["position"], "play": line.get("played")}
        for line in golden
    ]
    done = run(b"".join(msgspec.json.encode(request) + b"\n" for request in requests))
    answers: list[Answer] = [msgspec.json.decode(line) for line in done.stdout.splitlines()]

    assert len(answers) == len(golden) == 1500
    for line, answer in zip(golden, answers, strict=True):
        assert answer["position"] == line["position"]
        assert answer["legal"] == line["legal"]
        assert answer["after"] == line.get("after", line["position"])
        assert answer["winner"] == line.get("winner")
