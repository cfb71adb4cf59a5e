"""`parlour play`: a game at this terminal, two people at one keyboard or one against the computer."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from parlour import games
from parlour.bots import bandit
from parlour.cli.position import add_arguments, settled
from parlour.client.drawing import Line, Style, draw, render, seat_lines, style_for
from parlour.games.api import REPETITION, Game, Move, Outcome
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Pick

# Random moves that the computer plays out before each of its own: about half a second.
BUDGET = 30_000

DESCRIPTION = """\
Plays a game at this terminal. Type a whole turn as the game writes it, or pick by pick: the names of the cells, one
after the other. Without GAME it asks which one.
"""

HELP = """\
  e7-d6     a whole turn (type moves to see how this game writes them)
  e7        one pick; what can follow is shown in brackets
  back      take the last pick back, or the last turn
  moves     list every legal turn
  flip      turn the board
  resign    give the game up
  quit      leave"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "play",
        help="play at this terminal, alone or in two",
        description=DESCRIPTION,
        epilog="example: parlour play replica --computer black --options '{\"size\": 12}'",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help=f"one of {', '.join(games.keys())}")
    parser.add_argument(
        "--computer", metavar="SEAT", default="", help="the side the computer plays: its name, first, second or both"
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument("--seed", metavar="N", type=int, help="makes the computer repeat itself")
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    style = style_for(os.environ, sys.stdout.isatty(), sys.stdout.encoding)
    if arguments.ascii:
        style = Style(unicode=False, colours=style.colours)
    try:
        game = games.find(arguments.game or _ask_game())
        options = settled(game, arguments.options)
        state = None if arguments.position is None else game.parse(arguments.position, options)
        computer = _computer_seats(game, arguments.computer)
        Table(Match(game, options, state), computer, style, Random(arguments.seed)).play()
    except (EOFError, KeyboardInterrupt):
        print("\nGood-bye.")
    return 0


def _ask_game() -> str:
    print("What shall we play?\n")
    for number, key in enumerate(games.keys(), 1):
        info = games.find(key).info
        print(f"  {number}  {info.name:12} {info.summary}")
    while True:
        answer = input("\nNumber or name: ").strip().lower()
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(games.keys()):
            return games.keys()[int(answer) - 1]
        if answer in games.keys():
            return answer
        print(f"Type a number from 1 to {len(games.keys())}, or press Ctrl-D to leave.")


def _computer_seats(game: Game[Any], text: str) -> frozenset[int]:
    names = [seat.name.lower() for seat in game.info.seats]
    seats = {"": (), names[0]: (0,), names[1]: (1,), "first": (0,), "second": (1,), "both": (0, 1)}
    if text.lower() not in seats:
        raise Refusal(ErrorCode.OPTION_INVALID, f"--computer must be {names[0]}, {names[1]}, first, second or both.")
    return frozenset(seats[text.lower()])


class Table:
    """One match on the screen."""

    def __init__(self, match: Match[Any], computer: frozenset[int], style: Style, rng: Random) -> None:
        self.match = match
        self.game = match.game
        self.spec = match.game.board(match.options)
        self.computer = computer
        self.style = style
        self.rng = rng
        self.picks: list[int] = []
        self.flipped = False

    def play(self) -> None:
        """Until the match is over or given up."""
        while self.match.outcome is None:
            seat = self.game.to_move(self.match.state)
            assert seat is not None
            if seat in self.computer:
                self._computer_turn(seat)
            elif not self._person_turn(seat):
                return
        self._show()
        print(f"\n{sentence(self.game, self.match.outcome)}")

    def _computer_turn(self, seat: int) -> None:
        self._show()
        print(f"\n{self.game.info.seats[seat].name} is thinking …", flush=True)
        self._turn(bandit.choose(self.game, self.match.state, BUDGET, self.rng))

    def _person_turn(self, seat: int) -> bool:
        """Everything until a turn is complete; False when the player gives up."""
        self._show()
        while True:
            shown = self.game.half_turn(self.match.state, self.picks)
            print(f"\n{self.game.info.seats[seat].name}: {shown.prompt} (help for help)")
            words = input("> ").strip()
            match words.lower():
                case "":
                    continue
                case "help" | "?":
                    print(HELP)
                case "quit" | "q":
                    raise EOFError
                case "resign":
                    print(f"\n{self.game.info.seats[1 - seat].name} wins: the other side resigned.")
                    return False
                case "moves":
                    self._list_moves()
                case "flip":
                    self.flipped = not self.flipped
                    self._show()
                case "back":
                    self._back()
                    return True
                case _:
                    try:
                        if self._take(words):
                            return True
                    except Refusal as refusal:
                        print(refusal.sentence)

    def _take(self, words: str) -> bool:
        """A pick or a whole turn, as typed; whether the screen has to be drawn anew."""
        state = self.match.state
        for pick in self.game.steps(state, self.picks):
            # "bar of 5" can be called 5.
            if f" {self.game.place(state, pick)}".endswith(f" {words}"):
                self.picks.append(pick)
                if not self.game.steps(state, self.picks):
                    self._turn(self.game.check(state, self.picks))
                return True
        self._turn(self.game.read(state, words))
        return True

    def _turn(self, move: Move) -> None:
        self.picks.clear()
        before = self.match.state
        name = self.game.info.seats[self.game.to_move(before) or 0].name
        self.match.play(move)
        print(f"\n{name} played {self.game.write(before, move)}.")

    def _back(self) -> None:
        """One pick, or one turn: with the computer at the table, its turn and one's own."""
        if self.picks:
            self.picks.pop()
            return
        while self.match.moves:
            self.match.take_back()
            if self.game.to_move(self.match.state) not in self.computer:
                return

    def _list_moves(self) -> None:
        texts = sorted(self.game.write(self.match.state, move) for move in self.game.moves(self.match.state))
        width = max(map(len, texts)) + 2
        across = max(1, shutil.get_terminal_size().columns // width)
        for start in range(0, len(texts), across):
            print("".join(text.ljust(width) for text in texts[start : start + across]).rstrip())

    def _offered(self) -> list[int | Pick]:
        """What can be picked now, with what there is to say about it."""
        notes = self.game.half_turn(self.match.state, self.picks).notes
        return [
            Pick(place, notes[place].label, notes[place].kind, notes[place].cell) if place in notes else place
            for place in self.game.steps(self.match.state, self.picks)
        ]

    def _show(self) -> None:
        state = self.match.state
        over = self.match.outcome is not None
        picks: Sequence[int | Pick] = () if over else self._offered()
        if self.picks:
            scene = self.game.half_turn(state, self.picks).scene
        elif self.match.moves:
            scene = self.game.scene_after(self.match.states[-2], self.match.moves[-1], state)
        else:
            scene = self.game.scene(state)
        print()
        for line in draw(self.spec, scene, style=self.style, picks=picks, flipped=self.flipped):
            print(render(line, self.style))
        for seat, info in enumerate(self.spec.seats):
            lead = f"{'>' if scene.to_move == seat else ' '} {info.name:6} "
            for line in seat_lines(self.spec, scene, seat, style=self.style, picks=picks, width=72) or [Line(())]:
                print(lead + render(line, self.style))
                lead = " " * len(lead)
        for line in seat_lines(self.spec, scene, None, style=self.style, picks=picks, width=72):
            print(f"  {render(line, self.style)}")
        if scene.note:
            print(f"  {scene.note}")


def sentence(game: Game[Any], outcome: Outcome) -> str:
    """How a match ended, in words."""
    reason = (
        "the same position came a third time" if outcome.reason == REPETITION else game.info.reasons[outcome.reason]
    )
    scores = f" {' : '.join(map(str, outcome.scores))}." if outcome.scores else ""
    if outcome.winner is None:
        return f"A draw: {reason}.{scores}"
    return f"{game.info.seats[outcome.winner].name} wins: {reason}.{scores}"
