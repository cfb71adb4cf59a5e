"""The frames of a scenario, in both directions: the evidence of a failed rule."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

KEPT_FRAMES = 16  # the last ones of a scenario
AFTER_MARKS = 8  # the same of a scenario that has marks
BEFORE, AFTER = 3, 8  # frames around a mark
MOST_MARKS = 3
WIDTH = 160  # of a frame in the text report; the JSON report has all of it

# Parts of messages that are long and explain nothing here.
_ELIDED = ("games", "board", "prompts")


class Frame(Struct, frozen=True):
    """One frame, or an event of the connection that carries it."""

    at: float  # seconds since the scenario began
    connection: int  # the connections of the scenario, from 1
    sender: str  # client, server, or kit for an event that the kit caused or noted
    text: str  # the message as JSON, without its long parts

    def line(self) -> str:
        """Return the frame as one line of text, cut if it is long."""
        arrow = {"client": ">", "server": "<"}.get(self.sender, "—")
        text = self.text if len(self.text) <= WIDTH else f"{self.text[: WIDTH - 1]}…"
        return f"{self.at:8.3f} #{self.connection} {arrow} {text}"


class Transcript:
    """The last frames of a scenario, and those around the events that decide it."""

    def __init__(self, time: Callable[[], float], keep: int = KEPT_FRAMES) -> None:
        self._time = time
        self._began = time()
        self._last: deque[tuple[int, Frame]] = deque(maxlen=keep)
        self._around: dict[int, Frame] = {}  # by number
        self._count = 0
        self._marks = 0
        self._until = 0  # the number of the frame up to which frames are kept because of a mark

    def clear(self) -> None:
        """Begin another scenario."""
        self._began = self._time()
        self._last.clear()
        self._around.clear()
        self._count = self._marks = self._until = 0

    def add(self, connection: int, sender: str, message: Any) -> None:
        """Record a message, or an event in words."""
        text = message if isinstance(message, str) else _rendered(message)
        frame = Frame(round(self._time() - self._began, 3), connection, sender, text)
        self._count += 1
        self._last.append((self._count, frame))
        if self._count <= self._until:
            self._around[self._count] = frame

    def mark(self, event: str) -> None:
        """Record an event, and keep the frames around it however long the scenario goes on."""
        if self._marks < MOST_MARKS:
            self._marks += 1
            self._around |= list(self._last)[-BEFORE:]
            self._until = self._count + 1 + AFTER
            self.add(self._last[-1][1].connection if self._last else 1, "kit", event)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames that were kept, in order. An event marks each gap."""
        if not self._marks:
            return tuple(frame for _, frame in self._last)
        shown: list[Frame] = []
        before = 0
        for number, frame in sorted((self._around | dict(list(self._last)[-AFTER_MARKS:])).items()):
            if before and number > before + 1:
                shown.append(Frame(frame.at, frame.connection, "kit", f"frames left out: {number - before - 1}"))
            shown.append(frame)
            before = number
        return tuple(shown)


def _rendered(message: Any) -> str:
    value = msgspec.to_builtins(message)
    if isinstance(value, dict):
        value = {key: "…" if key in _ELIDED and part else part for key, part in value.items()}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
