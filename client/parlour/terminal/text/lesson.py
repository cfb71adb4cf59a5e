"""A lesson in words."""

from __future__ import annotations

from parlour.protocol.messages import LessonLook
from parlour.protocol.scene import BoardSpec
from parlour.terminal.ui.lesson_state import HINT_MOVE, LessonState

MAX_PLACES = 4  # places of a look that are named; the board shows the others


def lesson_heading(state: LessonState) -> str:
    """Return `Step 2 of 5: Many lines at once`."""
    if state.is_finished:
        return "You have finished the lesson"
    return f"Step {state.index + 1} of {len(state.lesson.steps)}: {state.step.title}"


def lesson_lines(state: LessonState) -> list[str]:
    """Return the paragraphs to read now: the task, with places to look at or the hint, or the outcome of a move."""
    if state.is_finished:
        count = len(state.lesson.steps)
        skipped = [f"You solved {len(state.solved)} of {count} steps."] if len(state.solved) < count else []
        return [*skipped, state.lesson.ready.text]
    step, tried = state.step, state.tried
    if tried is not None:
        reply = [tried.reply.text] if tried.reply is not None else []
        return [tried.words, tried.text, *reply]
    if state.hint:
        return [step.prompt, *hint_lines(state)]
    return [step.prompt, *(_look_line(state.lesson.board, number, look) for number, look in enumerate(step.look, 1))]


def hint_lines(state: LessonState) -> list[str]:
    """Return as much of the hint as was requested."""
    words = [f"Hint: {state.step.hint}"] if state.hint else []
    return [*words, _next_line(state)] if state.hint == HINT_MOVE else words


def lesson_prompt(state: LessonState) -> str:
    """Return a prompt for the learner."""
    if state.is_finished:
        return f"{state.lesson.ready.button}?"
    if state.tried is not None:
        return "Solved." if state.tried.solved else "Not yet. Try again."
    return "" if state.turn is None else state.turn.prompt


def _look_line(board: BoardSpec, number: int, look: LessonLook) -> str:
    """Return `1 at e6 and f5: Your discs.`"""
    names = [board.place_name(place) for place in look.places]
    if not names or len(names) > MAX_PLACES:
        return f"{number}: {look.text}"
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{number} at {listed}: {look.text}"


def _next_line(state: LessonState) -> str:
    """Say which place the hint picks next."""
    place = state.next_hint
    if place is None:
        return f"The move is {state.step.hint_move}."
    again = " again" if state.turn is not None and state.turn.picks[-1:] == (place,) else ""
    return f"Next: {state.lesson.board.place_name(place)}{again}."
