"""The state of a lesson. Pure: the caller asks the server and passes its answers in."""

from __future__ import annotations

from parlour.client.turn import Turn
from parlour.protocol.messages import Choices, Lesson, LessonChoices, LessonStep, Tried
from parlour.protocol.scene import Mark, Scene, patch
from parlour.protocol.types import Pick

HINT_MARK = "!"  # marks the place that the hint picks next
HINT_WORDS, HINT_MOVE = 1, 2  # how much of the hint is shown; 0 is nothing


class LessonState:
    """The current step of a lesson, the turn that the learner picks in it, and the outcome of the last move.

    After the last step the lesson is finished, and `step` must not be read.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.index = 0
        self.solved: set[str] = set()  # the keys of the solved steps
        self.turn: Turn | None = None  # None: the server has not yet sent the choices, or a move was tried
        self.tried: Tried | None = None
        self.hint = 0
        self.is_reply_shown = False  # whether the opponent's reply is on the board
        self._first: Turn | None = None  # the turn without picks

    @property
    def is_finished(self) -> bool:
        return self.index == len(self.lesson.steps)

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.index]

    # -- moving through the lesson

    def go(self, index: int) -> None:
        """Go to a step by its number, from 0; the number after the last one finishes the lesson."""
        self.index = max(0, min(len(self.lesson.steps), index))
        self.turn = self._first = self.tried = None
        self.hint = 0
        self.is_reply_shown = False

    def again(self) -> None:
        """Return to the position of the step after a move."""
        self.turn, self.tried, self.is_reply_shown = self._first, None, False

    def show_hint(self) -> None:
        """Show the hint in words and, when asked again, the move."""
        self.hint = min(HINT_MOVE, self.hint + 1)

    # -- the server's answers

    def explored(self, choices: LessonChoices) -> None:
        """Take the choices of the step, or those that follow some picks. Choices for other picks change nothing."""
        known = Choices(room="", ply=0, step=choices.step, prompts=choices.prompts, picks=choices.picks)
        if not choices.picks:
            self._first = Turn.begin(known)
            if self.turn is None and self.tried is None:
                self.turn = self._first
        elif self.turn is not None:
            self.turn = self.turn.explored(known)

    def judged(self, tried: Tried) -> None:
        """Take the outcome of a whole turn."""
        self.turn, self.tried, self.is_reply_shown = None, tried, False
        if tried.solved:
            self.solved.add(self.step.key)

    def show_reply(self) -> None:
        """Put the opponent's reply on the board, once the learner has seen their own move."""
        self.is_reply_shown = True

    # -- picking

    @property
    def legal_picks(self) -> tuple[Pick, ...]:
        """What may be picked now."""
        return () if self.turn is None else self.turn.legal_picks

    def pick(self, place: int) -> Turn:
        """Pick one of the legal picks and return the longer turn."""
        assert self.turn is not None, "nothing can be picked"
        self.turn = self.turn.pick(place)
        return self.turn

    def back(self) -> bool:
        """Undo the last pick. Return False if there is none."""
        if self.turn is None or not self.turn.picks:
            return False
        self.turn = self.turn.back()
        return True

    # -- what is shown

    @property
    def scene(self) -> Scene:
        """The scene to draw: the step with the picks so far, or with the tried move and the opponent's reply to it."""
        scene, turn, tried = self.step.scene, self.turn, self.tried
        if tried is not None:
            scene = patch(scene, tried.change)
            return patch(scene, tried.reply.change) if tried.reply is not None and self.is_reply_shown else scene
        if turn is None or not turn.picks:
            return scene
        if turn.preview is not None:
            scene = patch(scene, turn.preview)
        chosen = tuple(place for place in turn.picks if place < self.lesson.board.cells)
        return scene.with_marks((*scene.marks, (Mark.CHOSEN, *chosen)), scene.note) if chosen else scene

    @property
    def next_hint(self) -> int | None:
        """The place that the hint picks next; None if the move is not to be shown, or other places were picked."""
        picks = self.turn.picks if self.turn is not None else ()
        hinted = self.step.hint_picks
        if self.hint < HINT_MOVE or self.turn is None or picks != hinted[: len(picks)] or len(picks) == len(hinted):
            return None
        return hinted[len(picks)]

    @property
    def pointers(self) -> dict[int, str]:
        """The signs that point at places: the numbers of what is worth a look, or the place of the hint."""
        hinted = self.next_hint
        if hinted is not None:
            cell = next((pick.cell for pick in self.legal_picks if pick.place == hinted), None)
            return {hinted if cell is None else cell: HINT_MARK}
        if self.tried is not None or (self.turn is not None and self.turn.picks):
            return {}
        return {place: str(number) for number, look in enumerate(self.step.look, 1) for place in look.places}
