"""What a game is to everybody else: one class to implement, on one page.

A state is frozen and holds everything the rules need; a move is one whole turn. Moves and positions that come from
outside pass through `check`, `read` and `parse`, which refuse with a code and a sentence; everything else trusts its
arguments and is free to be fast.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from msgspec import Struct

from parlour.games.options import Options, OptionSpec, settle
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Mark, MarkedPlaces, Scene, SeatSpec

if TYPE_CHECKING:
    from parlour.games.insight import Insight

Seat = int  # 0 moves first, 1 second
Move = tuple[int, ...]  # one whole turn: the places it points at, in the game's canonical order

S = TypeVar("S", bound=Struct)


class GameInfo(Struct, frozen=True):
    """What code that serves every game may know about one."""

    key: str  # the name of its folder
    name: str
    summary: str  # one sentence for the lobby
    seats: tuple[SeatSpec, ...]
    options: tuple[OptionSpec, ...]
    max_plies: int  # no game is longer
    rules_version: int  # kept with every record; rises when an old record would replay differently
    reasons: Mapping[str, str]  # how a game can end: code -> words after "White wins: " or "Draw: "
    repetition: int | None = None  # the position that occurs this often is a draw; None: the rules know no such thing


class Outcome(Struct, frozen=True):
    """How a game ended. No winner is a draw, except for the reason `UNKNOWN`."""

    winner: Seat | None
    reason: str  # a key of `GameInfo.reasons`, or one of the two below
    scores: tuple[int, ...] = ()


# The position had occurred `GameInfo.repetition` times: known to the running game, never to a position.
REPETITION = "repetition"
# Read from a position text that says the game is over, but not who had won.
UNKNOWN = "unknown"


class PickNote(Struct, frozen=True, omit_defaults=True):
    """What a player should know about a pick before choosing it."""

    label: str = ""  # "+7", "turns 4, takes +3"
    kind: str = ""  # "capture": takes what stands there; "crown": makes a king of it
    cell: int | None = None  # where to draw a pick that is not a cell


class HalfTurn(Struct, frozen=True, gc=False):
    """A turn of which only some picks are made, as the player sees it."""

    prompt: str  # what to do now, in one line
    scene: Scene  # the board as it would look
    notes: Mapping[int, PickNote]  # for those of the next picks that have something to say


class Game(ABC, Generic[S]):
    """The rules of one game. An instance holds no state of any play."""

    info: ClassVar[GameInfo]
    insight: Insight[S] | None = None  # how to play it well; without, bots find out by trying

    # -- setting up

    def options(self, given: Mapping[str, object]) -> Options:
        """Options from outside, checked and completed; refuses what the game does not know."""
        return settle(self.info.options, given)

    @abstractmethod
    def initial(self, options: Options) -> S:
        """The first position. Chance, where a game has any, comes from a seed among the options."""

    # -- the rules

    @abstractmethod
    def to_move(self, state: S) -> Seat | None:
        """The seat to move, which then has at least one move; None when the game is over."""

    @abstractmethod
    def steps(self, state: S, picks: Sequence[int] = ()) -> Sequence[int]:
        """The places that may be picked next, in rising order; empty when `picks` are a whole turn.

        Every pick offered can be completed to a legal turn.
        """

    def completes(self, state: S, picks: Sequence[int]) -> bool | None:
        """Whether the next pick is the last one of its turn, whichever of those it is that `steps` offers then.

        None: that depends on the pick. Only to be fast: whoever lists choices need not look behind each of them.
        """
        return None

    @abstractmethod
    def moves(self, state: S) -> Sequence[Move]:
        """Every legal turn, each once; empty when the game is over."""

    @abstractmethod
    def apply(self, state: S, move: Move) -> S:
        """The position after a legal move, whose side to move can move or which is over. Trusts its arguments."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Points by seat, in games that count points."""
        return ()

    def canonical(self, picks: Sequence[int]) -> Move:
        """The move that a complete list of picks means. Different picks may mean the same turn."""
        return tuple(picks)

    def count(self, state: S) -> int:
        """How many legal turns there are."""
        return len(self.moves(state))

    def check(self, state: S, picks: Sequence[int]) -> Move:
        """The one place where a move from outside is verified: refuses unless the picks make a legal turn."""
        if self.to_move(state) is None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over.")
        for made, pick in enumerate(picks):
            offered = self.steps(state, picks[:made])
            if pick not in offered:
                raise Refusal(ErrorCode.MOVE_ILLEGAL, self._why_not(state, picks[: made + 1], offered))
        following = self.steps(state, picks)
        if following:
            raise Refusal(ErrorCode.MOVE_ILLEGAL, f"The turn is not complete: {self._choices(state, following)}.")
        return self.canonical(picks)

    # -- texts

    @abstractmethod
    def place(self, state: S, pick: int) -> str:
        """The name of a place: `c4`, `supply`."""

    @abstractmethod
    def write(self, state: S, move: Move) -> str:
        """The text of a move; no two moves of a position have the same."""

    @abstractmethod
    def scan(self, state: S, text: str) -> Sequence[int]:
        """The picks a move text stands for, legal or not; refuses a text that is not of the game's notation."""

    def read(self, state: S, text: str) -> Move:
        """The legal move a text stands for; refuses every other text."""
        return self.check(state, self.scan(state, text))

    @abstractmethod
    def print(self, state: S) -> str:
        """The position as one line of text."""

    @abstractmethod
    def parse(self, text: str, options: Options) -> S:
        """The position of that text, settled by the rules: a side that cannot move is skipped or has lost.

        `parse(print(state), options) == state` while the game goes on. The text of a finished game does not always
        say who won; then the outcome is `UNKNOWN`.
        """

    # -- drawing

    @abstractmethod
    def board(self, options: Options) -> BoardSpec:
        """What stays the same on the board for a whole game."""

    @abstractmethod
    def scene(self, state: S) -> Scene:
        """What is on the board now, without marks."""

    @abstractmethod
    def marks(self, before: S, move: Move) -> tuple[MarkedPlaces, ...]:
        """What to point out about the turn that was just made from `before`."""

    @abstractmethod
    def half_turn(self, state: S, picks: Sequence[int]) -> HalfTurn:
        """The board and the prompt while a turn is being chosen; `picks` came from `steps` and may be empty."""

    def scene_after(self, before: S, move: Move, after: S) -> Scene:
        """The scene with the marks of the turn that led there, and a note when somebody was skipped."""
        mover, shown = self.to_move(before), self.scene(after)
        note = ""
        if mover is not None and mover == shown.to_move:
            note = f"{self.info.seats[1 - mover].name} had no move."
        return Scene(shown.pieces, shown.tallies, shown.to_move, self.marks(before, move), note)

    # -- words for refusals

    def _why_not(self, state: S, picks: Sequence[int], offered: Sequence[int]) -> str:
        *made, pick = (self._name(state, pick) for pick in picks)
        after = f"After {', '.join(made)}, " if made else ""
        return f"{after}{pick} cannot be chosen; {self._choices(state, offered)}."

    def _choices(self, state: S, offered: Sequence[int]) -> str:
        if not offered:
            return "the turn is complete"
        named = [self._name(state, pick) for pick in offered[:12]]
        more = f" and {len(offered) - 12} more" if len(offered) > 12 else ""
        return f"choose one of {', '.join(named)}{more}"

    def _name(self, state: S, pick: int) -> str:
        try:
            return self.place(state, pick)
        except IndexError:
            return f"place {pick}"


def chosen(picks: Sequence[int]) -> tuple[MarkedPlaces, ...]:
    """The marks of picks already made."""
    return tuple((Mark.CHOSEN, pick) for pick in picks)
