"""Mapello: Othello on a map, with walls, bonuses and jokers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from parlour.games import grid
from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.mapello import layout, notation, rules, view
from parlour.games.mapello.insight import MapelloInsight
from parlour.games.mapello.rules import SIDE, State
from parlour.games.options import Options, OptionSpec
from parlour.protocol.scene import BoardSpec, MarkedPlaces, Scene


class Mapello(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="mapello",
        name="Mapello",
        summary="Othello on a map: walls stop you, stars give points, jokers on the rim help both sides.",
        seats=view.SEATS,
        options=(
            OptionSpec(
                "board",
                "Board",
                "layout",
                layout.DEFAULT,
                "Where walls, jokers and bonuses are: the usual map, a random one, or ten rows of your own.",
                layout.CHOICES,
            ),
            # JavaScript knows whole numbers up to here.
            OptionSpec("seed", "Seed", "number", 0, "Which of the random boards.", low=0, high=2**53 - 1),
        ),
        # Every turn fills a cell: 64 inside the rim, of which four are filled at the start.
        max_plies=60,
        rules_version=1,
        reasons={
            rules.SCORE: "more points",
            rules.EQUAL: "equal points",
        },
    )
    insight = MapelloInsight()

    def options(self, given: Mapping[str, object]) -> Options:
        board = given.get("board")
        if isinstance(board, list | tuple) and all(isinstance(row, str) for row in board):
            given = {**given, "board": "/".join(board)}
        options = super().options(given)
        return MappingProxyType({**options, "board": layout.settled(str(options["board"]))})

    def initial(self, options: Options) -> State:
        return layout.initial(str(options["board"]), int(options["seed"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        return rules.steps(state, picks)

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return True

    def moves(self, state: State) -> Sequence[Move]:
        return rules.moves(state)

    def count(self, state: State) -> int:
        return rules.count(state)

    def apply(self, state: State, move: Move) -> State:
        return rules.apply(state, move)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def scores(self, state: State) -> tuple[int, ...]:
        return rules.scores(state)

    def place(self, state: State, pick: int) -> str:
        if pick < 0:  # Python would count from the end
            raise IndexError("no such place")
        return grid.grid(SIDE, SIDE).names[pick]

    def write(self, state: State, move: Move) -> str:
        return notation.write(move)

    def scan(self, state: State, text: str) -> Sequence[int]:
        return notation.scan(text)

    def print(self, state: State) -> str:
        return notation.print(state)

    def parse(self, text: str, options: Options) -> State:
        # The text holds the whole board, whatever the options say.
        return notation.parse(text)

    def board(self, options: Options) -> BoardSpec:
        return view.BOARD

    def scene(self, state: State) -> Scene:
        return view.scene(state)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return view.marks(before, move)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        return view.half_turn(state, picks)


GAME = Mapello()
