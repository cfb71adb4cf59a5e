"""The interface of a game, on one page: a class to implement and the few types it uses.

A state is immutable and holds everything the rules need; a move is one whole turn. `options`, `check`, `read` and
`parse` take untrusted input and refuse it with an error code and a sentence for the player; every other method trusts
its arguments, so that it can be fast.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from parlour.games import refusals
from parlour.games.options import Options, OptionSpec, settle
from parlour.games.voice import Voice
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.scene import BoardSpec, Mark, MarkedPlaces, Scene, SeatSpec

if TYPE_CHECKING:
    from parlour.games.encoded_tree import EncodedTree
    from parlour.games.insight import Insight
    from parlour.games.position_editor import PositionEditor

Seat = int  # 0 moves first, 1 second
Move = tuple[int, ...]  # one whole turn: the places it points at, in the game's canonical order
Fact = str | int | bool | tuple[int, ...] | None  # what a move does: how many discs it turns, whether it captures

S = TypeVar("S", bound=Struct)


class GameInfo(Struct, frozen=True):
    """Facts about a game for code that serves all games."""

    key: str  # the name of the game's folder
    name: str
    summary: str  # one sentence for the lobby
    seats: tuple[SeatSpec, ...]
    options: tuple[OptionSpec, ...]
    max_plies: int  # the length of the longest possible game, or a safe upper bound
    rules_version: int  # kept with every game; rises when a game would be played or replayed differently
    reasons: Mapping[str, str]  # how a game can end: code -> words after "White wins: " or "Draw: "
    repetition: int | None = None  # a position that occurs this often is a draw; None: repetition is not a draw
    loser_reasons: Mapping[str, str] = {}  # the words after "You lost: ", where they differ from `reasons`
    compatible_versions: tuple[int, ...] = ()  # older versions whose games and records these rules treat identically

    def supports(self, version: int) -> bool:
        """Return whether a game played by that version of the rules can be continued and replayed by these."""
        return version == self.rules_version or version in self.compatible_versions


class Outcome(Struct, frozen=True):
    """How a game ended. Without a winner it is a draw, except for the reason `UNKNOWN`."""

    winner: Seat | None
    reason: str  # a key of `GameInfo.reasons`, `REPETITION` or `UNKNOWN`
    scores: tuple[int, ...] = ()


REPETITION = "repetition"  # the position occurred `GameInfo.repetition` times, which only the history of a match shows
UNKNOWN = "unknown"  # the game was read from a position text that says it is over, but not who won


class PickNote(Struct, frozen=True, omit_defaults=True):
    """What a player should know about a pick before making it."""

    label: str = ""  # "+7", "turns 4, takes +3"
    kind: str = ""  # "capture": takes the piece there; "crown": makes it a king
    cell: int | None = None  # where to draw a pick that is not a cell


class HalfTurn(Struct, frozen=True, gc=False):
    """A partly chosen turn as the player sees it."""

    prompt: str  # what to do next, in one line
    scene: Scene  # the board with the picks so far
    notes: Mapping[int, PickNote]  # about some of the next picks


class Game(ABC, Generic[S]):
    """The rules of one game. An instance has no state of its own: every position is passed in."""

    info: ClassVar[GameInfo]
    insight: Insight[S] | None = None  # what bots know about the game; without it they use Monte Carlo search
    editor: PositionEditor[Any] | None = None  # how positions are set up by hand; without it, as text

    # -- setting up

    def options(self, given: Mapping[str, object]) -> Options:
        """Return untrusted options checked and completed; refuse unknown names and invalid values."""
        return settle(self.info.options, given)

    @abstractmethod
    def initial(self, options: Options) -> S:
        """Return the first position. A game with chance takes its seed from the options."""

    # -- the rules

    @abstractmethod
    def to_move(self, state: S) -> Seat | None:
        """Return the seat to move, which has at least one move; None when the game is over."""

    @abstractmethod
    def steps(self, state: S, picks: Sequence[int] = ()) -> Sequence[int]:
        """Return the places that may be picked next, in rising order; nothing when `picks` are a whole turn.

        Every pick offered can be completed to a legal turn.
        """

    def completes(self, state: S, picks: Sequence[int]) -> bool | None:
        """Return whether the next pick completes the turn, which saves trying it; None if that depends on the pick."""
        return None

    @abstractmethod
    def moves(self, state: S) -> Sequence[Move]:
        """Return every legal turn once; nothing when the game is over."""

    @abstractmethod
    def apply(self, state: S, move: Move) -> S:
        """Return the position after a legal move. Either the game is then over, or the side to move has a move."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended; None while it goes on."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Return the points by seat, in games that count points."""
        return ()

    def canonical(self, picks: Sequence[int]) -> Move:
        """Return the move that a complete list of picks stands for. Different picks may stand for the same move."""
        return tuple(picks)

    def count(self, state: S) -> int:
        """Return the number of legal turns."""
        return len(self.moves(state))

    def check(self, state: S, picks: Sequence[int]) -> Move:
        """Return the legal move that untrusted picks stand for; refuse all other picks."""
        if self.to_move(state) is None:
            raise Refusal(ErrorCode.GAME_OVER, "The game is over.")
        for made, pick in enumerate(picks):
            offered = self.steps(state, picks[:made])
            if pick not in offered:
                raise Refusal(ErrorCode.MOVE_ILLEGAL, refusals.impossible(self, state, picks[: made + 1], offered))
        following = self.steps(state, picks)
        if following:
            raise Refusal(ErrorCode.MOVE_ILLEGAL, refusals.incomplete(self, state, following))
        return self.canonical(picks)

    # -- texts

    @abstractmethod
    def place(self, state: S, pick: int) -> str:
        """Return the name of a place, such as `c4` or `supply`; raise IndexError if the board has no such place."""

    @abstractmethod
    def write(self, state: S, move: Move) -> str:
        """Return the text of a move. No two moves of a position have the same text."""

    @abstractmethod
    def scan(self, state: S, text: str) -> Sequence[int]:
        """Return the picks that a move text stands for, legal or not; refuse text that is not in the notation."""

    def read(self, state: S, text: str) -> Move:
        """Return the legal move that a text stands for; refuse every other text."""
        return self.check(state, self.scan(state, text))

    @abstractmethod
    def print(self, state: S) -> str:
        """Return the position as one line of text."""

    @abstractmethod
    def parse(self, text: str, options: Options) -> S:
        """Return the position of a text as the rules settle it: a side that cannot move is skipped or has lost.

        `parse(print(state), options) == state` while the game goes on. The text of a finished game does not always
        say who won; the outcome is then `UNKNOWN`.
        """

    # -- words

    def facts(self, before: S, move: Move, after: S) -> Mapping[str, Fact]:
        """Return what a move does, by name, for lessons: `{"captures": 1, "kind": "jump"}`."""
        return {}

    def describe(self, before: S, move: Move, after: S, voice: Voice) -> str:
        """Return a move as a sentence that says what it did."""
        return f"{voice.subject} {voice.verb('plays', 'play')} {self.write(before, move)}."

    def why_not(self, state: S, picks: Sequence[int]) -> str:
        """Return why only the last of these picks is not on offer: `it turns no disc`; empty: nothing to add."""
        return ""

    # -- the board

    @abstractmethod
    def board(self, options: Options) -> BoardSpec:
        """Return the fixed parts of the board, the same for a whole game."""

    @abstractmethod
    def scene(self, state: S) -> Scene:
        """Return what is on the board, without marks."""

    @abstractmethod
    def marks(self, before: S, move: Move) -> tuple[MarkedPlaces, ...]:
        """Return the marks that point out the turn just made from `before`."""

    @abstractmethod
    def half_turn(self, state: S, picks: Sequence[int]) -> HalfTurn:
        """Return the board and the prompt for a partly chosen turn; `picks` come from `steps` and may be empty."""

    def tree(self, state: S) -> EncodedTree | None:
        """Return all choices of the side to move, for games with very many: see `encoded_tree`. None: use `steps`."""
        return None

    def scene_after(self, before: S, move: Move, after: S) -> Scene:
        """Return the scene with the marks of the turn that led to it, and a note if a side was skipped."""
        mover, shown = self.to_move(before), self.scene(after)
        note = ""
        if mover is not None and mover == shown.to_move:
            note = f"{self.info.seats[1 - mover].name} had no move."
        return Scene(shown.pieces, shown.tallies, shown.to_move, self.marks(before, move), note)


def chosen(picks: Sequence[int]) -> tuple[MarkedPlaces, ...]:
    """Return the marks of the picks made so far."""
    return tuple((Mark.CHOSEN, pick) for pick in picks)
