"""Positions that players set up by hand: the board after a change, and why it cannot be played yet.

The server keeps no state: the client sends the position together with the change.
"""

from __future__ import annotations

from random import Random
from typing import Any

from parlour import games
from parlour.games.options import Options
from parlour.games.position_editor import PositionEditor
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import EditPosition, PositionEdited
from parlour.server.rooms.setup import complete_options
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session


async def edit_position(session: Session, command: EditPosition) -> None:
    """Reply with a position after a change. Refuse text that is not in the notation, and a change that makes no sense.

    Without a seed a random board is that of seed 0.
    """
    session.send(edited(command))


def edited(command: EditPosition) -> PositionEdited:
    """Return the answer to the command."""
    options = complete_options(command.terms, None, Random(0))
    game = games.find(command.terms.game)
    board = game.board(options)
    text = game.print(game.initial(options)) if command.position is None else command.position
    editor = game.editor
    if editor is None:
        if command.clear or command.item is not None or command.number is not None or command.turn is not None:
            raise Refusal(ErrorCode.EDITOR_UNKNOWN, f"Positions of {game.info.name} can be set up only as text.")
        return PositionEdited(
            id=command.id, board=board, scene=game.scene(game.parse(text, options)), position=text,
            refusal=_refusal(command, text),
        )  # fmt: skip
    draft = editor.read(text, options)
    changed = _changed(editor, draft, command, options, board.cells)
    if changed is not draft:
        text = editor.write(changed)
    return PositionEdited(
        id=command.id,
        board=board,
        scene=editor.scene(changed),
        position=text,
        palette=editor.palette,
        numbers=editor.numbers(changed),
        slots=tuple(editor.slots(changed)),
        refusal=_refusal(command, text),
    )


def _changed(editor: PositionEditor[Any], draft: Any, command: EditPosition, options: Options, cells: int) -> Any:
    """Return the draft after everything that the command changes."""
    if command.clear:
        draft = editor.clear(options)
    if command.item is not None:
        if command.item >= len(editor.palette):
            raise Refusal(ErrorCode.EDIT_INVALID, f"The palette has no item {command.item}.")
        places, needed = command.places, editor.palette[command.item].places
        on_slot = len(places) == 1 and places[0] in editor.slots(draft)
        if not on_slot and (len(places) != needed or max(places) >= cells):
            raise Refusal(ErrorCode.EDIT_INVALID, "Choose as many cells as the item takes, or a slot of the answer.")
        draft = editor.put(draft, command.item, places)
    if command.number is not None:
        numbers = editor.numbers(draft)
        if command.number >= len(numbers):
            raise Refusal(ErrorCode.EDIT_INVALID, f"The position has no number {command.number}.")
        limits = numbers[command.number]
        if command.value > limits.high or command.value % limits.step:
            steps = f", in steps of {limits.step}" if limits.step > 1 else ""
            raise Refusal(ErrorCode.EDIT_INVALID, f"{limits.title} can be 0 to {limits.high}{steps}.")
        draft = editor.with_number(draft, command.number, command.value)
    return draft if command.turn is None else editor.with_turn(draft, command.turn)


def _refusal(command: EditPosition, text: str) -> str:
    """Return why no game can begin with a position; an empty text if one can."""
    try:
        complete_options(command.terms, text, Random(0))
    except Refusal as refusal:
        return refusal.sentence
    return ""


HANDLERS: dict[type[Any], Handler] = {EditPosition: edit_position}
