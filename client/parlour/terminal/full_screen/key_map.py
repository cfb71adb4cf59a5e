"""The keys of a table: their names, what they do, and the user's own choice of keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from parlour.terminal.ui.table_action import TableAction


class Key(NamedTuple):
    """The keys of one action. The first one is shown."""

    keys: tuple[str, ...]  # characters, or names such as `enter` and `ctrl+r`
    label: str  # on the line of keys
    help: str  # in the list of keys


TABLE_KEYS: Mapping[TableAction, Key] = {
    TableAction.CHOOSE: Key(("enter", "space"), "choose", "choose; the last choice of a turn plays it"),
    TableAction.NEXT_PICK: Key(("tab",), "next", "next legal choice; Shift+Tab: previous one"),
    TableAction.BACK: Key(("backspace", "escape"), "back", "undo the last choice"),
    TableAction.TYPE: Key((":", "/"), "type", "type a move or choices: e7-d6 or e7 d6"),
    TableAction.MOVE_FIRST: Key(("1",), "I move first", "move first, where you decide"),
    TableAction.MOVE_SECOND: Key(("2",), "opponent first", "let the opponent move first"),
    TableAction.ACCEPT: Key(("Y",), "accept", "accept the opponent's offer"),
    TableAction.DECLINE: Key(("N",), "decline", "decline the opponent's offer"),
    TableAction.WITHDRAW: Key(("N",), "withdraw", "withdraw your own offer"),
    TableAction.CLAIM: Key(("W",), "claim win", "claim the win if the opponent stays offline"),
    TableAction.BERSERK: Key(("B",), "half time", "halve your clock, in an arena that allows it"),
    TableAction.HINT: Key(("H",), "hint", "ask the computer for a move; casual games only"),
    TableAction.DRAW: Key(("D",), "draw", "offer a draw"),
    TableAction.TAKEBACK: Key(("T",), "take back", "ask to take back your last move"),
    TableAction.RESIGN: Key(("Q",), "resign", "resign the game"),
    TableAction.ABORT: Key(("A",), "abort", "abort the game, before both sides have moved"),
    TableAction.REMATCH: Key(("R",), "rematch", "offer a rematch, after the game"),
    TableAction.NEW_GAME: Key(("N",), "new game", "start another game, after this one"),
    TableAction.CHAT: Key(("C",), "chat", "write to the table"),
    TableAction.REPLAY: Key(("V",), "replay", "replay the game"),
    TableAction.ROTATE: Key(("F",), "rotate", "rotate the board"),
    TableAction.RULES: Key(("L",), "rules", "read the rules of this game"),
    TableAction.HELP: Key(("?",), "keys", "all keys"),
    TableAction.LEAVE: Key(("q",), "leave", "leave the table; you keep your seat"),
}
_SHOWN = {"enter": "Enter", "space": "Space", "tab": "Tab", "backspace": "Bksp", "escape": "Esc"}


class KeyMap:
    """Which action a key means. The user's keys, by action, take the place of the usual ones."""

    def __init__(self, chosen: Mapping[str, str] = {}) -> None:
        self._keys = {action: key.keys for action, key in TABLE_KEYS.items()}
        for name, keys in chosen.items():
            if name in self._keys and keys.split():
                self._keys[TableAction(name)] = tuple(keys.split())

    def actions(self, key: str, character: str | None) -> list[TableAction]:
        """Return the actions of a key, given as its name and the character it types. Several share a key."""
        pressed = {key} if character is None or character.isspace() else {key, character}
        return [action for action, keys in self._keys.items() if pressed & set(keys)]

    def shown(self, action: TableAction) -> str:
        """Return the name of an action's key as users read it."""
        first = self._keys[action][0]
        return _SHOWN.get(first, first.replace("ctrl+", "Ctrl+"))

    def hints(self, actions: Iterable[TableAction], labels: Mapping[TableAction, str] = {}) -> list[str]:
        """Return `C chat` for each action; `labels` take the place of the usual ones."""
        return [f"{self.shown(action)} {labels.get(action, TABLE_KEYS[action].label)}" for action in actions]


def fit(hints: Sequence[str], width: int, always: int = 0) -> str:
    """Join as many hints as fit into `width` columns. The last `always` are kept, so the least important are left out.

    Hints are ordered by importance, except that the last ones always close the line.
    """
    kept, last = list(hints[: len(hints) - always]), list(hints[len(hints) - always :])
    while kept and len("  ".join((*kept, *last))) > width:
        kept.pop()
    return "  ".join((*kept, *last))
