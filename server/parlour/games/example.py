"""Examples in documents: a position, moves in it, and claims about it.

An example is written in a comment, which readers do not see, above what it produces:

    <!-- picture: NAME | GAME | OPTIONS | POSITION | … -->   the file pictures/NAME.svg
    <!-- board: GAME | OPTIONS | POSITION | … -->            the code block below, drawn as in a terminal
    <!-- game: GAME | OPTIONS | POSITION | … -->             the code block below, whose moves are played
    <!-- moves: GAME | OPTIONS | POSITION | … -->            nothing; it only makes claims

GAME is the key of a game, or the folder of one that is not registered. OPTIONS is a JSON object. POSITION is a position
text, or `-` for the first position. Any of these steps follow, and are executed in order:

    play MOVE         play and mark the move
    skips             the other side had no move, so the same side moves again
    legal MOVE        the move is legal
    illegal MOVE      the move is well-formed but not legal
    picks A, B        choose these places, or none, and show what may be picked next
    ends SIDE REASON  the game is over: SIDE won, or `draw`, for this reason
    scores A B        the points by seat
    beside            also show what is beside the board
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from parlour import games
from parlour.games.api import Game
from parlour.games.match import Match
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Pick

COMMENT = re.compile(r"^<!-- (picture|board|game|moves): (.+) -->$", re.MULTILINE)
_BLOCK = re.compile(r"\n+```text\n(.*?)```\n", re.DOTALL)
_NUMBERED = re.compile(r"^\s*\d+\.\s+")


class Untrue(AssertionError):
    """An example makes a false claim."""


class Example:
    """An example whose steps have been executed."""

    def __init__(self, kind: str, fields: list[str], block: str, find_game: Callable[[str], Game[Any]]) -> None:
        """Execute all steps; `block` is the code block below the comment, for kinds that have one."""
        self.kind = kind
        self.name = fields.pop(0) if kind == "picture" else ""
        self.beside = False
        self.picks: list[int] | None = None  # None: no turn is being chosen
        key, options, position, *steps = fields
        self.game = find_game(key)
        settled = self.game.options(json.loads(options))
        state = None if position == "-" else self.game.parse(position, settled)
        self.match: Match[Any] = Match(self.game, settled, state)
        if state is not None and self.game.print(state) != position:
            raise Untrue(f"{position} is settled as {self.game.print(state)}")
        if kind == "game":
            self._play_all(block)
        for step in steps:
            self._follow(*step.partition(" ")[::2])

    def _follow(self, verb: str, text: str) -> None:
        match verb:
            case "play":
                self._play(text)
            case "skips":
                if self.game.to_move(self.match.state) != self.game.to_move(self.match.states[-2]):
                    raise Untrue("no side was skipped")
            case "legal":
                self.game.read(self.match.state, text)
            case "illegal":
                self._refused(text)
            case "picks":
                self.picks = []
                for name in filter(None, text.split(", ")):
                    self.picks.append(self._place(name))
            case "ends":
                self._ended(*text.split(" "))
            case "scores":
                if self.game.scores(self.match.state) != tuple(map(int, text.split(" "))):
                    raise Untrue(f"the scores are {self.game.scores(self.match.state)}, not {text}")
            case "beside":
                self.beside = True
            case _:
                raise Untrue(f"“{verb}” is not a step of an example")

    def _play_all(self, block: str) -> None:
        """Play numbered lines of moves, which are separated by two or more spaces."""
        for line in block.splitlines():
            for text in re.split(r"\s{2,}", _NUMBERED.sub("", line).strip()):
                if text == "skipped":
                    self._follow("skips", "")
                elif text:
                    self._play(text)

    def _play(self, text: str) -> None:
        if self.match.outcome is not None:
            raise Untrue(f"{text} is played after the end of the game")
        self.match.play(self.game.read(self.match.state, text))

    def _refused(self, text: str) -> None:
        try:
            self.game.read(self.match.state, text)
        except Refusal as refusal:
            if refusal.code == ErrorCode.MOVE_ILLEGAL:
                return
            raise
        raise Untrue(f"{text} is legal")

    def _place(self, name: str) -> int:
        assert self.picks is not None
        offered = self.game.steps(self.match.state, self.picks)
        for pick in offered:
            if self.game.place(self.match.state, pick) == name:
                return pick
        raise Untrue(f"{name} cannot be chosen, only {[self.game.place(self.match.state, pick) for pick in offered]}")

    def _ended(self, side: str, reason: str) -> None:
        outcome = self.match.outcome
        if outcome is None:
            raise Untrue("the game is not over")
        winner = "draw" if outcome.winner is None else self.game.info.seats[outcome.winner].name.lower()
        if (winner, outcome.reason) != (side, reason):
            raise Untrue(f"the game ends with {winner} {outcome.reason}")

    # -- what the example shows

    @property
    def spec(self) -> BoardSpec:
        return self.game.board(self.match.options)

    @property
    def scene(self) -> Scene:
        match = self.match
        if self.picks:
            return self.game.half_turn(match.state, self.picks).scene
        if match.moves:
            return self.game.scene_after(match.states[-2], match.moves[-1], match.state)
        return self.game.scene(match.state)

    @property
    def offered(self) -> list[int | Pick]:
        """What may be picked next, as a server would send it."""
        if self.picks is None:
            return []
        notes = self.game.half_turn(self.match.state, self.picks).notes
        found: list[int | Pick] = []
        for place in self.game.steps(self.match.state, self.picks):
            note = notes.get(place)
            found.append(place if note is None else Pick(place, note.label, note.kind, note.cell))
        return found


class Found(NamedTuple):
    """An example, and where its code block is."""

    example: Example
    block: tuple[int, int]  # start and end in the document; empty if there is none


def find(name: str, document: str, find_game: Callable[[str], Game[Any]] = games.find) -> Iterator[Found]:
    """Yield the examples of a document; raise Untrue at the first false claim."""
    for comment in COMMENT.finditer(document):
        kind, fields = comment[1], [field.strip() for field in comment[2].split(" | ")]
        start = end = comment.end()
        if kind in ("board", "game"):
            block = _BLOCK.match(document, comment.end())
            if block is None:
                raise Untrue(f"{name}: no code block follows {comment[0]}")
            start, end = block.span(1)
        try:
            yield Found(Example(kind, fields, document[start:end], find_game), (start, end))
        except (Refusal, Untrue) as fault:
            raise Untrue(f"{name}: {comment[0]}\n{fault}") from fault
