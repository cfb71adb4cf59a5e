"""Mitsudomoe: rings to step on, balls to vault, and two corners to swap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parlour.games.api import Game, GameInfo, HalfTurn, Move, Outcome, Seat
from parlour.games.mitsudomoe import notation, position, rules, turns, view
from parlour.games.mitsudomoe.insight import MitsudomoeInsight
from parlour.games.mitsudomoe.position import State
from parlour.games.options import Options, OptionSpec
from parlour.protocol.scene import BoardSpec, MarkedPlaces, Scene


class Mitsudomoe(Game[State]):
    info: ClassVar[GameInfo] = GameInfo(
        key="mitsudomoe",
        name="Mitsudomoe",
        summary="Lay a ring, move a ball, vault over others: three balls in the far corner win.",
        seats=view.SEATS,
        options=(
            OptionSpec(
                "passive",
                "Passive rule",
                "switch",
                True,
                "Whoever ends a turn with balls on all three own home cells loses.",
            ),
        ),
        # Only repetition bounds a game, and there are too many positions for that to say much. Of 8,000 random
        # games none had more than 876 turns or ended by repetition, so this leaves ample room.
        max_plies=10_000,
        rules_version=1,
        reasons={
            rules.ARRIVED: "three balls home",
            rules.PASSIVE: "the other side left its own home full",
            rules.NO_MOVE: "the other side has no turn",
        },
        repetition=3,
    )
    insight = MitsudomoeInsight()

    def initial(self, options: Options) -> State:
        return position.initial(bool(options["passive"]))

    def to_move(self, state: State) -> Seat | None:
        return state.turn

    def steps(self, state: State, picks: Sequence[int] = ()) -> Sequence[int]:
        return turns.steps(state, picks)

    def completes(self, state: State, picks: Sequence[int]) -> bool | None:
        return turns.completes(state, picks)

    def moves(self, state: State) -> Sequence[Move]:
        return turns.moves(state)

    def count(self, state: State) -> int:
        return turns.count(state)

    def apply(self, state: State, move: Move) -> State:
        return rules.apply(state, move)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def canonical(self, picks: Sequence[int]) -> Move:
        return turns.canonical(picks)

    def place(self, state: State, pick: int) -> str:
        if pick < 0:
            raise IndexError("no such place")
        return view.BOARD.place_name(pick)

    def write(self, state: State, move: Move) -> str:
        return notation.write(move)

    def scan(self, state: State, text: str) -> Sequence[int]:
        return notation.scan(state, text)

    def print(self, state: State) -> str:
        return notation.print(state)

    def parse(self, text: str, options: Options) -> State:
        return notation.parse(text, bool(options["passive"]))

    def board(self, options: Options) -> BoardSpec:
        return view.BOARD

    def scene(self, state: State) -> Scene:
        return view.scene(state)

    def marks(self, before: State, move: Move) -> tuple[MarkedPlaces, ...]:
        return view.marks(before, move)

    def half_turn(self, state: State, picks: Sequence[int]) -> HalfTurn:
        return view.half_turn(state, picks)


GAME = Mitsudomoe()
