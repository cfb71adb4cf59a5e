"""`parlour play` line by line: offline, against people and the computer, and on a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from parlour import games
from parlour.server.archive.storage import record_of
from parlour.server.archive.text_format import write
from tests.server.archive.sample_games import finished


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def play(home: Path, *arguments: str, typed: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "parlour.cli", "play", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={
            "PYTHONIOENCODING": "utf-8",
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
        }
        | environ,
        timeout=120,
        check=False,
    )


def test_the_computer_plays_itself_to_the_end(home: Path) -> None:
    """A game between computers continues to its end after the end of the input."""
    ending = "......../......../....W.../......../......../......../b......./B....... w"
    done = play(home, "replica", "--local", "--computer", "both", "--level", "1", "--position", ending)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip().splitlines()[-1] == "Goodbye."
    assert done.stdout.rstrip().splitlines()[-2].startswith(("White wins: ", "Black wins: ", "Draw: "))


def test_two_people_play_by_text_and_by_picks(home: Path) -> None:
    """A turn can be typed whole or pick by pick; picks and turns can be taken back; errors are explained."""
    typed = "e7-a1\nhello\ne7-d6\na4\nback\na4\nb5\ntakeback\nmoves\nresign\nyes\n"
    done = play(home, "replica", "--local", typed=typed)

    assert (done.returncode, done.stderr) == (0, "")
    assert "cannot be chosen" in done.stdout
    assert "A Replica move is written like" in done.stdout
    assert "White played e7-d6." in done.stdout
    assert "Black played a4-b5." in done.stdout
    assert "The last move was taken back. 1 move is left." in done.stdout
    assert "  1. e7-d6\n" in done.stdout
    assert "White wins: Black resigned." in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


def test_a_game_continues_the_next_time(home: Path) -> None:
    """A returning player has the same identity and finds the game as it was left, with both seats."""
    first = play(home, "mapello", "--local", typed="f7\n")
    second = play(home, "--local", typed="mine\nopen\nmoves\ne7\nquit\n")

    assert "Black played f7." in first.stdout
    assert "  ongoing\n" in second.stdout
    assert "  1. f7\n" in second.stdout
    assert "White played e7." in second.stdout


def test_a_game_against_the_computer(home: Path) -> None:
    """The computer answers each turn; `wait` waits for it; a bar is named by its length; `hint` gives a hint."""
    done = play(home, "--local", typed="computer isaac 1\n5\na1\ne1\nwait\nhint\nwho\nquit\n")

    assert "You played a1-e1." in done.stdout
    assert "Light played " in done.stdout
    assert "looks best" in done.stdout
    assert "Light: Computer 1 (bot)" in done.stdout


def test_information_commands(home: Path) -> None:
    """There are commands for games, rules, previews, settings, cells in words, and old games move by move."""
    typed = (
        "help\ngames\nrules mapello\npreview mapello board=random seed=7\npaces\nsettings\nset bell off\n"
        "set bell maybe\nleaderboard replica\ntables\nwatch\nhere mapello\nf7\ncells\npicks\nresign\nyes\n"
        "replay\nfirst\nnext\nassess\nmoves\nleave\nleave\nnonsense\nreplay\nquit\n"
    )
    done = play(home, "--local", typed=typed)

    assert done.stderr == ""
    for words in (
        "computer GAME [LEVEL]", "    random Random (", "    1 Beginner (",
        "Three kinds of things make the map", "3 days", "bell = off",
        "bell must be one of: on, off.", "No player has a rating", "No open tables", "No games are being played.",
        "f7: Black disc, last move", "Black wins", "Before the first move.", "Move 1 of 1: f7", "looks best",
        "Unknown command “nonsense”.", "Usage: replay TABLE", "Goodbye.",
    ):  # fmt: skip
        assert words in done.stdout, words


@pytest.mark.parametrize("key", games.keys())
def test_ascii_output_is_ascii(key: str, home: Path) -> None:
    """--ascii draws every game in ASCII."""
    done = play(home, key, "--local", "--ascii", typed="quit\n")

    assert done.returncode == 0
    assert done.stdout.isascii()


def test_invalid_arguments(home: Path) -> None:
    """They are refused before anything starts, or with the sentence of the server."""
    for arguments, sentence in (
        (("isaac", "--local", "--computer", "green"), "--computer must be dark, light, first, second or both."),
        (("chess", "--local"), "There is no game “chess”; there are isaac, mapello, mitsudomoe, replica."),
        (("--local", "--server", "ws://127.0.0.1:1/ws"), "Give --server or --local, not both."),
        (("--computer", "both"), "--computer and --position need a game: parlour play GAME --computer SIDE."),
        (("isaac", "--options", "["), "--options must be a JSON object"),
    ):
        done = play(home, *arguments)

        assert done.returncode == 2, arguments
        assert done.stderr.startswith(f"parlour: {sentence}"), done.stderr


def test_an_unreachable_server(home: Path) -> None:
    """The reason is printed at once with its code, wherever the server is named."""
    sentence = "parlour: Nothing listens at 127.0.0.1:1. Check the address and that the server is running."
    for arguments, environ in ((["--server", "127.0.0.1:1"], {}), ([], {"PARLOUR_SERVER": "http://127.0.0.1:1/"})):
        done = play(home, *arguments, **environ)

        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"{sentence} [connection_refused]\n"

    play(home, "--local", typed="set server 127.0.0.1:1\nset server here or there\nset level 99\nquit\n")
    assert play(home).stderr == f"{sentence} [connection_refused]\n"


def test_identities(home: Path) -> None:
    """A name or a profile is a second identity, which is remembered beside the usual one."""
    first = play(home, "--local", "--name", "Ann", typed="quit\n")
    assert "Welcome to parlour" in first.stdout
    assert ", Ann. " in first.stdout
    second = play(home, "--local", "--name", "Ben", typed="mine\nhere replica\nquit\n")
    assert "You play as Ben. Without a name, you are Ann." in second.stdout
    assert ", Ann. " in play(home, "--local", typed="quit\n").stdout
    third = play(home, "--local", "--profile", "cid", "--second-name", "Dan", typed="here replica\nquit\n")
    assert ", cid. " in third.stdout
    assert "cid (White) against Dan (Black)" in third.stdout
    assert play(home, "--local", "--profile", "a/b").returncode == 2
    refused = play(home, "--local", "--profile", "new", "--name", "Admin")
    assert (refused.returncode, refused.stderr[-15:]) == (2, "[name_refused]\n")


def test_two_terminals(home: Path) -> None:
    """Terminals without a server meet on one; two of the same player get a hint."""
    arguments = [sys.executable, "-m", "parlour.cli", "play", "--local"]
    environ = {name: str(home / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | environ
    ) as ann:
        assert ann.stdin
        assert ann.stdout
        assert "Welcome" in ann.stdout.readline()
        ann.stdin.write("seek replica\n")
        ann.stdin.flush()
        assert "is open" in ann.stdout.readline()
        again = play(home, "--local", typed="quit\n", **environ)
        assert "Another terminal plays as " in again.stdout
        assert "start this one with --profile NAME." in again.stdout
        ben = play(home, "--local", "--profile", "ben", typed="tables\nquit\n", **environ)
        assert "Another terminal" not in ben.stdout
        assert "Replica" in ben.stdout.partition("  join ")[2]
        ann.stdin.close()
        ann.stdout.read()


def test_a_saved_game_is_replayed(home: Path) -> None:
    """It can be replayed move by move and assessed; an invalid record and a missing file are refused."""
    record = record_of(finished("replica", 3, 12))
    (home / "game.txt").write_text(write(record), encoding="utf-8")
    done = play(home, "--local", "--record", str(home / "game.txt"), typed="first\nassess\nnext\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Move 1 of 12: {record.moves[0].move}." in done.stdout
    assert " looks best. White has a " in done.stdout

    (home / "game.txt").write_text(write(record).replace("Ada", "Eve"), encoding="utf-8")
    changed = play(home, "--local", "--record", str(home / "game.txt"))
    assert changed.returncode == 2
    assert "was changed" in changed.stderr

    lost = play(home, "--record", "lost.txt")
    assert lost.returncode == 2
    assert "lost.txt cannot be read: No such file or directory." in lost.stderr


def test_a_program_plays(home: Path) -> None:
    """With --json every line is an object, and every command is answered once, after what it caused."""
    typed = (
        '{"command": "computer mapello 1", "id": "first"}\nf7\n{"command": "wait", "id": 3}\nnonsense\n\n# a comment\n'
        '{"nonsense"\nresign\nreplay\nreview\nleave\nleave\nmine\nonline\ntables\nwatch\nwatch featured\n'
        "games\nsettings\nrules replica\npreview isaac\nleaderboard isaac\nplayer Ann\nquit\n"
    )
    done = play(home, "--local", "--json", "--name", "Ann", typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [each["event"] for each in events]
    answers = [each for each in events if each["event"] in ("done", "refused")]
    assert len(answers) == 22
    assert events[0]["you"]["name"] == "Ann"
    assert kinds[:4] == ["ready", "table", "turn", "done"]
    assert {"name": "f7", "place": 65, "label": "turns 1"} in events[2]["choices"]
    assert [each.get("id") for each in answers[:3]] == ["first", None, 3]
    assert [each["code"] for each in answers if each["event"] == "refused"] == [
        "move_malformed", "request_malformed", "room_unknown",
    ]  # fmt: skip
    moved = next(each for each in events if each["event"] == "moved")
    assert (moved["move"], moved["seat"], moved["ply"]) == ("f7", 0, 1)
    ended = next(each for each in events if each.get("kind") == "ended")
    assert (ended["result"]["reason"], ended["text"]) == ("resigned", "You lost: you resigned.")
    asked = ("replay", "assessment", "mine", "players", "tables", "live", "games", "settings", "rules", "preview")
    assert {*asked, "leaderboard", "player"} <= set(kinds)


def test_a_reader_that_exits(home: Path) -> None:
    """If the reader of the output exits, as `| head` does, so does the client, with 141 and without a word."""
    client = f"{sys.executable} -m parlour.cli play isaac --local --computer both --level 1"
    command = f"{client} | head -n 3; echo ${{PIPESTATUS[0]}}"
    environ = {name: str(home / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        ["bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
        env=os.environ | environ,
    )  # fmt: skip
    assert (done.stdout.splitlines()[-1], done.stderr) == ("141", "")


def test_a_terminal_line_by_line(home: Path) -> None:
    """At a terminal lines are edited, recalled and completed; Ctrl-C clears the line, and Ctrl-D exits."""
    environ = {name: str(home / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "parlour.cli", "play", "--local", "--plain", "--ascii"],
        env=os.environ | environ | {"TERM": "xterm"},
        timeout=60,
        encoding="utf-8",
        dimensions=(40, 100),
    )
    try:
        terminal.expect("Type help for a list of commands.")
        terminal.send("set bell on")
        terminal.send("\b\boff\r")
        terminal.expect("bell = off")
        terminal.send("\x1b[A\b\b\bon\r")  # the last line again, with another end
        terminal.expect("bell = on")
        terminal.send("here repl\t")
        terminal.expect("ica")
        terminal.send("\r")
        terminal.expect(r"\(White\): ")
        terminal.send("nonsense\x03")
        terminal.expect("Press Ctrl-D to exit.")
        terminal.send("\x04")
        terminal.expect("Goodbye.")
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
    assert terminal.exitstatus == 0
    history = home / "XDG_CONFIG_HOME" / "parlour" / "history"
    assert (history.stat().st_mode & 0o777, "+set bell off" in history.read_text()) == (0o600, True)


def test_a_terminal_waits_for_its_server(home: Path) -> None:
    """At a terminal the client names the server at once, then the reason, and tries again until Ctrl-C."""
    environ = {name: str(home / name) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    terminal = pexpect.spawn(
        sys.executable,
        ["-m", "parlour.cli", "play", "--server", "127.0.0.1:1"],
        env=os.environ | environ | {"TERM": "xterm"},
        timeout=60,
        encoding="utf-8",
        dimensions=(40, 160),
    )
    try:
        terminal.expect_exact("Connecting to ws://127.0.0.1:1/ws")
        terminal.expect_exact("Nothing listens at 127.0.0.1:1.")
        terminal.expect_exact("Trying again; Ctrl-C stops.")
        terminal.sendintr()
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close(force=True)
    assert terminal.exitstatus == 130


def test_two_levels_of_the_computer(home: Path) -> None:
    """--level with two levels gives each side its own; more, or two for one side, are refused."""
    typed = "quit\n"
    done = play(home, "replica", "--local", "--computer", "both", "--level", "1,random", typed=typed)
    assert "Computer 1 (bot) (White) against Computer (random) (bot) (Black)" in done.stdout
    assert play(home, "replica", "--local", "--computer", "white", "--level", "1,2").returncode == 2
