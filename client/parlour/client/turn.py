"""A turn under construction: a walk through `choices`. The server does not know of it until it is played."""

from __future__ import annotations

from msgspec import Struct

from parlour.protocol.messages import Choices
from parlour.protocol.scene import SceneDiff
from parlour.protocol.tables import Pick, Step


class Stop(Struct, frozen=True):
    """Where the walk stands before a pick, and after the last one."""

    step: Step | None  # None: the tree was cut here, or the turn is complete
    prompts: tuple[str, ...]


class Turn(Struct, frozen=True):
    """Never changes: each pick makes a new one, and `back` gives an earlier one."""

    room: str
    ply: int  # how many moves were made before this turn
    picks: tuple[int, ...]
    labels: tuple[str, ...]  # what was said about each pick: "turns 4, takes +3"
    complete: bool  # whether this is a whole turn, which can be played
    stops: tuple[Stop, ...]  # one before each pick, and the present one

    @classmethod
    def begin(cls, choices: Choices) -> Turn:
        """Nothing is picked yet. `choices` must be those of a whole turn, not an answer to a later `explore`."""
        return cls(choices.room, choices.ply, (), (), False, (Stop(choices.step, choices.prompts),))

    @property
    def unexplored(self) -> bool:
        """Whether the server has to be asked before anything can be picked: `await table.explore(turn)`."""
        return not self.complete and self.stops[-1].step is None

    @property
    def cuts(self) -> int:
        """How often the tree of choices is cut from here on, as far as it is known."""
        return 0 if self.complete else _cuts(self.stops[-1].step)

    @property
    def prompt(self) -> str:
        """What to do now, in words."""
        step, prompts = self.stops[-1].step, self.stops[-1].prompts
        return "" if step is None or step.prompt >= len(prompts) else prompts[step.prompt]

    @property
    def look(self) -> SceneDiff | None:
        """What makes of the table's scene what the board looks like now; None: it looks the same."""
        known = [stop.step for stop in self.stops if stop.step is not None]
        return known[-1].look

    @property
    def offered(self) -> tuple[Pick, ...]:
        """What may be picked now."""
        step = self.stops[-1].step
        if self.complete or step is None:
            return ()
        return tuple(pick if isinstance(pick, Pick) else Pick(pick) for pick in step.picks)

    def pick(self, place: int) -> Turn:
        """The turn with one more pick, which must be one that is offered."""
        for pick in self.offered:
            if pick.place == place:
                return self._with(pick)
        raise ValueError(f"place {place} is not offered")

    def followers(self) -> list[Turn]:
        """The turn with each pick that is offered."""
        return [self._with(pick) for pick in self.offered]

    def back(self, count: int | None = None) -> Turn:
        """The turn with its first `count` picks only; by default, without the last one."""
        left = max(0, len(self.picks) - 1 if count is None else count)
        if left >= len(self.picks):
            return self
        return Turn(self.room, self.ply, self.picks[:left], self.labels[:left], False, self.stops[: left + 1])

    def explored(self, choices: Choices) -> Turn:
        """The turn as the answer to `explore` lets it go on. One that is about other picks changes nothing."""
        if self.complete or (choices.ply, choices.picks) != (self.ply, self.picks):
            return self
        stops = (*self.stops[:-1], Stop(choices.step, choices.prompts))
        return Turn(self.room, self.ply, self.picks, self.labels, False, stops)

    def _with(self, pick: Pick) -> Turn:
        stops = (*self.stops, Stop(pick.then, self.stops[-1].prompts))
        complete = pick.then is None and not pick.more
        return Turn(self.room, self.ply, (*self.picks, pick.place), (*self.labels, pick.label), complete, stops)


def _cuts(step: Step | None) -> int:
    if step is None:
        return 1
    followed = (pick for pick in step.picks if isinstance(pick, Pick) and (pick.more or pick.then is not None))
    return sum(_cuts(pick.then) for pick in followed)
