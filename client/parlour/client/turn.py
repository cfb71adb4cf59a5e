"""A turn under construction: a path through the tree of choices. The server learns of it when it is played."""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.messages import Choices
from parlour.protocol.scene import SceneDiff
from parlour.protocol.types import Pick, Step


class Node(Struct, frozen=True):
    """A point on the path: before a pick, or after the last one."""

    step: Step | None  # None: the tree is truncated here, or the turn is complete
    prompts: tuple[str, ...]


class Turn(Struct, frozen=True):
    """A turn under construction. It is immutable: `pick` returns a longer turn, and `back` a shorter one."""

    room: str
    ply: int  # the number of moves before this turn
    picks: tuple[int, ...]
    labels: tuple[str, ...]  # one for each pick: "turns 4, takes +3"
    complete: bool  # whether this is a whole turn, which can be played
    nodes: tuple[Node, ...]  # one before each pick, and the current one

    def __repr__(self) -> str:
        picks = ", ".join(map(str, self.picks)) or "none"
        state = ", complete" if self.complete else ", unexplored" if self.unexplored else ""
        return f"<Turn {self.room}: move {self.ply}, picks {picks}{state}>"

    @classmethod
    def begin(cls, choices: Choices) -> Turn:
        """Return a turn without picks. `choices` must start at the root of the tree, not answer a later `explore`."""
        return cls(choices.room, choices.ply, (), (), False, (Node(choices.step, choices.prompts),))

    def starts_like(self, other: Turn) -> bool:
        """Whether both turns were built from the same choices, so that they are the same turn of the game."""
        return self.nodes[0].step is other.nodes[0].step

    @property
    def unexplored(self) -> bool:
        """Whether the server must be asked for the next picks: `await table.explore(turn)`."""
        return not self.complete and self.nodes[-1].step is None

    @property
    def truncations(self) -> int:
        """The number of places where the known tree is truncated from here on."""
        return 0 if self.complete else _truncations(self.nodes[-1].step)

    @property
    def prompt(self) -> str:
        """What the player should do now."""
        step, prompts = self.nodes[-1].step, self.nodes[-1].prompts
        return "" if step is None or step.prompt >= len(prompts) else prompts[step.prompt]

    @property
    def preview(self) -> SceneDiff | None:
        """The change that the picks so far make to the table's scene; None: no change."""
        known = [node.step for node in self.nodes if node.step is not None]
        return known[-1].look

    @property
    def legal_picks(self) -> tuple[Pick, ...]:
        """The picks that are legal now."""
        step = self.nodes[-1].step
        if self.complete or step is None:
            return ()
        return tuple(pick if isinstance(pick, Pick) else Pick(pick) for pick in step.picks)

    def pick(self, place: int) -> Turn:
        """Return the turn with one more pick. Raise `ValueError` if it is not among `legal_picks`."""
        for pick in self.legal_picks:
            if pick.place == place:
                return self._with(pick)
        raise ValueError(f"place {place} cannot be picked")

    def children(self) -> list[Turn]:
        """Return the turn extended by each legal pick."""
        return [self._with(pick) for pick in self.legal_picks]

    def back(self, count: int | None = None) -> Turn:
        """Return the turn with only its first `count` picks; by default, without the last one."""
        left = max(0, len(self.picks) - 1 if count is None else count)
        if left >= len(self.picks):
            return self
        return Turn(self.room, self.ply, self.picks[:left], self.labels[:left], False, self.nodes[: left + 1])

    def explored(self, choices: Choices) -> Turn:
        """Return the turn with the answer to `explore` filled in. An answer about other picks changes nothing."""
        if self.complete or (choices.ply, choices.picks) != (self.ply, self.picks):
            return self
        nodes = (*self.nodes[:-1], Node(choices.step, choices.prompts))
        return Turn(self.room, self.ply, self.picks, self.labels, False, nodes)

    def _with(self, pick: Pick) -> Turn:
        nodes = (*self.nodes, Node(pick.then, self.nodes[-1].prompts))
        complete = pick.then is None and not pick.more
        return Turn(self.room, self.ply, (*self.picks, pick.place), (*self.labels, pick.label), complete, nodes)


def _truncations(step: Step | None) -> int:
    if step is None:
        return 1
    branches = (pick for pick in step.picks if isinstance(pick, Pick) and (pick.more or pick.then is not None))
    return sum(_truncations(pick.then) for pick in branches)
