"""The frames of a scenario, in both directions: what a failed rule shows as its evidence."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

KEPT_FRAMES = 16
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
    """The last frames of a scenario."""

    def __init__(self, time: Callable[[], float], keep: int = KEPT_FRAMES) -> None:
        self._time = time
        self._began = time()
        self._frames: deque[Frame] = deque(maxlen=keep)

    def clear(self) -> None:
        """Begin another scenario."""
        self._began = self._time()
        self._frames.clear()

    def add(self, connection: int, sender: str, message: Any) -> None:
        """Note a message, or an event in words."""
        text = message if isinstance(message, str) else _rendered(message)
        self._frames.append(Frame(round(self._time() - self._began, 3), connection, sender, text))

    @property
    def frames(self) -> tuple[Frame, ...]:
        return tuple(self._frames)


def _rendered(message: Any) -> str:
    value = msgspec.to_builtins(message)
    if isinstance(value, dict):
        value = {key: "…" if key in _ELIDED and part else part for key, part in value.items()}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
