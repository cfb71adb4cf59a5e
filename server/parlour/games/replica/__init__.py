"""Replica: a race and a hunt on a chessboard with flippable men."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.games import grid
from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.options import Options, OptionSpec
from parlour.games.replica import notation, rules, view
from parlour.games.replica.insight import ReplicaInsight
from parlour.games.replica.rules import State
from parlour.protocol.scene import BoardSpec, MarkedPlaces, Scene


class Replica(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="replica",
        name="Replica",
        summary="Race a king to the far corner, or catch one of theirs; any man a king can see may be crowned.",
        seats=view.SEATS,
        options=(
            OptionSpec("size", "Board", "choice", 8, "Cells along a side.", (8, 12, 16)),
            OptionSpec("kings", "Kings", "choice", "unlimited", "How many kings a side may have.", ("unlimited", "2")),
            OptionSpec(
                "sight",
                "Sight",
                "choice",
                "all",
                "Where a king sees the men it may crown.",
                ("all", "forward"),
            ),
        ),
        # Every advance brings a piece nearer to its corner and every man is crowned at most once:
        # 24 pieces, at most 30 advances each on the largest board, 22 men.
        max_plies=24 * 30 + 22,
        rules_version=1,
        reasons={
            rules.GOAL: "a king reached the far corner",
            rules.KING_TAKEN: "a king was captured",
            rules.NO_MOVE: "the other side cannot move",
        },
    )
    insight = ReplicaInsight()

    def initial(self, options: Options) -> State:
        return rules.initial(*_variant(options))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        return rules.steps(state, picks)

    def completes(self, state: State, picks: Sequence[int]) -> bool:
        return len(picks) == 1

    def moves(self, state: State) -> Sequence[Move]:
        return rules.moves(state)

    def count(self, state: State) -> int:
        return rules.count(state)

    def apply(self, state: State, move: Move) -> State:
        return rules.apply(state, move)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def place(self, state: State, pick: int) -> str:
        return grid.grid(state.size, state.size).name(pick)

    def write(self, state: State, move: Move) -> str:
        return notation.write(state, move)

    def scan(self, state: State, text: str) -> Sequence[int]:
        return notation.scan(state, text)

    def print(self, state: State) -> str:
        return notation.print(state)

    def parse(self, text: str, options: Options) -> State:
        return notation.parse(text, *_variant(options))

    def board(self, options: Options) -> BoardSpec:
        return view.board(_variant(options)[0])

    def scene(self, state: State) -> Scene:
        return view.scene(state)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return view.marks(before, move)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        return view.half_turn(state, picks)


def _variant(options: Options) -> tuple[int, bool, bool]:
    """Size, whether kings are limited to two, whether they see forward only."""
    return int(options["size"]), options["kings"] == "2", options["sight"] == "forward"


GAME = Replica()
