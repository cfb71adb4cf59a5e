"""Isaac: lay bars across the board, then lift them for points on the same squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.isaac import notation, rules, view
from parlour.games.isaac.insight import IsaacInsight
from parlour.games.isaac.rules import State
from parlour.games.options import Options
from parlour.protocol.scene import BoardSpec, MarkedPlaces, Scene


class Isaac(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="isaac",
        name="Isaac",
        summary="Lay bars across the board, then lift them for points; the scores walk over the same squares.",
        seats=view.SEATS,
        options=(),
        # Each of the 30 bars is placed at most once and lifted at most once.
        max_plies=2 * 30,
        rules_version=1,
        reasons={
            rules.HUNDRED: "100 points reached",
            rules.POINTS: "more points",
            rules.LONGER_LINE: "equal points, but the longer line of kept bars",
            rules.DARK_TIE: "equal in everything, which goes to Dark",
        },
    )
    insight = IsaacInsight()

    def initial(self, options: Options) -> State:
        return rules.START

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        return rules.steps(state, picks)

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return len(picks) == (1 if state.scoring else 2)

    def moves(self, state: State) -> Sequence[Move]:
        return rules.moves(state)

    def count(self, state: State) -> int:
        return rules.count(state)

    def apply(self, state: State, move: Move) -> State:
        return rules.apply(state, move)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def canonical(self, picks: Sequence[int]) -> Move:
        return rules.canonical(picks)

    def place(self, state: State, pick: int) -> str:
        if pick < 0:
            raise IndexError("no such place")
        return view.PLACES[pick]

    def write(self, state: State, move: Move) -> str:
        return notation.write(state, move)

    def scan(self, state: State, text: str) -> Sequence[int]:
        return notation.scan(state, text)

    def print(self, state: State) -> str:
        return notation.print(state)

    def parse(self, text: str, options: Options) -> State:
        return notation.parse(text)

    def board(self, options: Options) -> BoardSpec:
        return view.BOARD

    def scene(self, state: State) -> Scene:
        return view.scene(state)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return view.marks(before, move)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        return view.half_turn(state, picks)


GAME = Isaac()
